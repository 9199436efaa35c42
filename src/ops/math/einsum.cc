// Einsum: y[output letters] = sum over all other letters of the product of the operands. A letter twice in one operand
// takes its diagonal. Dimensions of 1 broadcast. Integers wrap.
#include <map>

#include "ops/math/einsum_loops.h"
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

template <typename T>
Status contract(KernelContext& ctx, const EinsumLoops& loops, int64_t terms, T (*load)(const Tensor&, int64_t),
                void (*store)(Tensor&, int64_t, T)) {
  Tensor& y = ctx.output(0);
  const size_t operands = ctx.input_count();
  EinsumOdometer outer(loops.output, operands);
  for (int64_t at = 0; at < y.count(); ++at, outer.next()) {
    if (at % 256 == 0) SDX_TRY(ctx.check_cancelled());
    EinsumOdometer inner(loops.summed, operands);
    T sum{};
    for (int64_t term = 0; term < terms; ++term, inner.next()) {
      T product = load(ctx.input(0), outer.offsets()[0] + inner.offsets()[0]);
      for (size_t i = 1; i < operands; ++i) product *= load(ctx.input(i), outer.offsets()[i] + inner.offsets()[i]);
      sum += product;
    }
    store(y, at, sum);
  }
  return {};
}

}  // namespace

Status reference_einsum(KernelContext& ctx) {
  SDX_ASSIGN(const EinsumLoops loops, einsum_loops(ctx));
  Shape sizes;
  for (const EinsumLoop& loop : loops.summed) sizes.push_back(loop.size);
  const auto terms = checked_count(sizes);
  if (!terms) return invalid_argument("sums of more than 2^63 terms");
  if (is_floating(ctx.input(0).dtype())) return contract<double>(ctx, loops, *terms, load_double, store_double);
  return contract<uint64_t>(
      ctx, loops, *terms, [](const Tensor& t, int64_t i) { return static_cast<uint64_t>(load_i64(t, i)); },
      [](Tensor& t, int64_t i, uint64_t v) { store_i64(t, i, static_cast<int64_t>(v)); });
}

SDX_OP(einsum) = {
    .name = "Einsum",
    .since = 28,
    .infer = infer_einsum,
    .reference = reference_einsum,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
