// Einsum: y[output letters] = sum over all other letters of the product of the operands. A letter twice in one operand
// takes its diagonal. Dimensions of 1 broadcast. Integers wrap.
#include <map>

#include "ops/math/einsum_equation.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_einsum(InferContext& ctx) {
  const auto* text = ctx.attributes().get<std::string>("equation");
  if (text == nullptr) return ctx.fail("attribute equation is missing");
  std::vector<int> ranks;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (!ctx.has_rank(i)) {
      const int rank = EinsumEquation::output_rank(*text);
      return tensor_fact(ctx.dtype(0), rank < 0 ? std::nullopt : std::optional(ctx.unknown_shape(rank)));
    }
    ranks.push_back(ctx.rank(i));
  }
  SDX_ASSIGN(const EinsumEquation equation, EinsumEquation::parse(*text, ranks));
  std::map<EinsumLabel, Dim> sizes;
  for (size_t i = 0; i < ranks.size(); ++i) {
    for (size_t d = 0; d < equation.operands[i].size(); ++d) {
      const auto [found, added] = sizes.emplace(equation.operands[i][d], ctx.dim(i, static_cast<int>(d)));
      if (added) continue;
      const auto size = ctx.broadcast(found->second, ctx.dim(i, static_cast<int>(d)));
      if (!size.ok()) return ctx.fail("dimension {} of operand {}: {}", d, i, size.status().message());
      found->second = *size;
    }
  }
  SymShape shape;
  for (const EinsumLabel label : equation.output) shape.push_back(sizes.at(label));
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

// A label as a loop: its size and, for each operand, the step in elements.
struct Loop {
  int64_t size = 1;
  std::vector<int64_t> steps;
};

// Output labels first, in order, then those that are summed over.
struct Loops {
  std::vector<Loop> output, summed;
};

Loops loops_of(const EinsumEquation& equation, KernelContext& ctx) {
  std::map<EinsumLabel, Loop> by_label;
  const size_t operands = ctx.input_count();
  for (size_t i = 0; i < operands; ++i) {
    const Shape& shape = ctx.input(i).shape();
    const Shape strides = row_major_strides(shape);
    for (size_t d = 0; d < shape.size(); ++d) {
      Loop& loop = by_label[equation.operands[i][d]];
      loop.steps.resize(operands);
      if (shape[d] == 1) continue;
      loop.size = shape[d];
      loop.steps[i] += strides[d];
    }
  }
  Loops loops;
  for (const EinsumLabel label : equation.output) {
    loops.output.push_back(by_label.at(label));
    by_label.erase(label);
  }
  for (auto& [label, loop] : by_label) loops.summed.push_back(std::move(loop));
  return loops;
}

// Steps through loops like an odometer, keeping each operand's offset.
class Odometer {
 public:
  Odometer(const std::vector<Loop>& loops, size_t operands)
      : loops_(loops), position_(loops.size()), offsets_(operands) {}
  const std::vector<int64_t>& offsets() const { return offsets_; }
  void next() {
    for (size_t l = loops_.size(); l-- > 0;) {
      const Loop& loop = loops_[l];
      const bool wraps = ++position_[l] == loop.size;
      for (size_t i = 0; i < offsets_.size(); ++i) offsets_[i] += wraps ? -loop.steps[i] * (loop.size - 1) : loop.steps[i];
      if (!wraps) return;
      position_[l] = 0;
    }
  }

 private:
  const std::vector<Loop>& loops_;
  std::vector<int64_t> position_, offsets_;
};

template <typename T>
Status contract(KernelContext& ctx, const Loops& loops, int64_t terms, T (*load)(const Tensor&, int64_t),
                void (*store)(Tensor&, int64_t, T)) {
  Tensor& y = ctx.output(0);
  const size_t operands = ctx.input_count();
  Odometer outer(loops.output, operands);
  for (int64_t at = 0; at < y.count(); ++at, outer.next()) {
    if (at % 256 == 0) SDX_TRY(ctx.check_cancelled());
    Odometer inner(loops.summed, operands);
    T sum{};
    for (int64_t term = 0; term < terms; ++term, inner.next()) {
      T product = load(ctx.input(0), outer.offsets()[0] + inner.offsets()[0]);
      for (size_t i = 1; i < operands; ++i)
        product *= load(ctx.input(i), outer.offsets()[i] + inner.offsets()[i]);
      sum += product;
    }
    store(y, at, sum);
  }
  return {};
}

Status einsum_reference(KernelContext& ctx) {
  std::vector<int> ranks;
  for (size_t i = 0; i < ctx.input_count(); ++i) ranks.push_back(ctx.input(i).rank());
  SDX_ASSIGN(const EinsumEquation equation, EinsumEquation::parse(ctx.attr_string("equation", ""), ranks));
  const Loops loops = loops_of(equation, ctx);
  Shape sizes;
  for (const Loop& loop : loops.summed) sizes.push_back(loop.size);
  const auto terms = checked_count(sizes);
  if (!terms) return invalid_argument("sums of more than 2^63 terms");
  if (is_floating(ctx.input(0).dtype()))
    return contract<double>(ctx, loops, *terms, load_double, store_double);
  return contract<uint64_t>(
      ctx, loops, *terms, [](const Tensor& t, int64_t i) { return static_cast<uint64_t>(load_i64(t, i)); },
      [](Tensor& t, int64_t i, uint64_t v) { store_i64(t, i, static_cast<int64_t>(v)); });
}

}  // namespace

SDX_OP(einsum) = {
    .name = "Einsum",
    .since = 28,
    .infer = infer_einsum,
    .reference = einsum_reference,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
