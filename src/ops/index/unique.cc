// Unique: the distinct elements (or slices along an axis), sorted or in order of first appearance, with the index of
// their first appearance, the place of each input element among them, and their number. NaN equals NaN and sorts last.
#include "ops/index/unique.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_unique(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  const Dim count = ctx.unknown_dim();
  std::optional<SymShape> shape = SymShape{count};
  Dim total = ctx.unknown_dim();
  if (ctx.attributes().has("axis")) {
    shape = std::nullopt;
    if (x.has_rank()) {
      SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), x.rank()));
      shape = x.shape;
      total = x.dim(axis);
      (*shape)[static_cast<size_t>(axis)] = count;
    }
  } else if (x.has_rank()) {
    total = Dim(1);
    for (const Dim& dim : *x.shape) total = ctx.symbols().mul(total, dim);
  }
  const Fact of_found = tensor_fact(DType::i64, SymShape{count});
  return Facts({tensor_fact(x.dtype, shape), of_found, tensor_fact(DType::i64, SymShape{total}), of_found});
}

int compare_numbers(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

int compare(const Tensor& x, int64_t a, int64_t b) {
  const DType type = x.dtype();
  if (type == DType::string) return x.string_at(a).compare(x.string_at(b));
  if (is_floating(type)) return compare_numbers(load_double(x, a), load_double(x, b));
  if (is_complex(type)) {
    const auto p = load_complex(type, x.raw(), a), q = load_complex(type, x.raw(), b);
    const int real = compare_numbers(p.real(), q.real());
    return real != 0 ? real : compare_numbers(p.imag(), q.imag());
  }
  const int64_t p = load_i64(x, a), q = load_i64(x, b);
  if (type == DType::u64) return static_cast<uint64_t>(p) < static_cast<uint64_t>(q) ? -1 : p != q ? 1 : 0;
  return p < q ? -1 : p > q ? 1 : 0;
}

Status unique_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const UniqueAxis along(ctx);
  const int64_t size = along.size, outer = along.outer, inner = along.inner;
  const auto compare_slices = [&](int64_t a, int64_t b) {
    for (int64_t row = 0; row < outer; ++row)
      for (int64_t i = 0; i < inner; ++i)
        if (const int c = compare(x, (row * size + a) * inner + i, (row * size + b) * inner + i); c != 0) return c;
    return 0;
  };
  std::vector<int64_t> order(static_cast<size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return compare_slices(a, b) < 0; });
  UniqueGroups groups(size);
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || compare_slices(order[i - 1], order[i]) != 0) groups.begin(order[i]);
    groups.add(order[i]);
  }
  return write_unique(ctx, along, std::move(groups));
}

}  // namespace

UniqueAxis::UniqueAxis(const KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const bool flat = !ctx.attributes().has("axis");
  axis = flat ? 0 : static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), x.rank()));
  shape = flat ? Shape{x.count()} : x.shape();
  size = shape[axis];
  outer = count_range(shape, 0, axis);
  inner = count_range(shape, axis + 1, shape.size());
}

void UniqueGroups::order_by_appearance() {
  std::vector<size_t> by_appearance(first.size());
  std::iota(by_appearance.begin(), by_appearance.end(), 0);
  std::sort(by_appearance.begin(), by_appearance.end(), [&](size_t a, size_t b) { return first[a] < first[b]; });
  std::vector<int64_t> place(first.size()), new_first, new_count;
  for (size_t i = 0; i < by_appearance.size(); ++i) {
    place[by_appearance[i]] = static_cast<int64_t>(i);
    new_first.push_back(first[by_appearance[i]]);
    new_count.push_back(count[by_appearance[i]]);
  }
  for (int64_t& g : group) g = place[static_cast<size_t>(g)];
  first = std::move(new_first);
  count = std::move(new_count);
}

namespace {

Status write_ints(KernelContext& ctx, size_t output, std::span<const int64_t> values) {
  if (!ctx.wants_output(output)) return {};
  const Shape shape{static_cast<int64_t>(values.size())};
  SDX_ASSIGN(Tensor* const y, ctx.output_shape_known(output) ? Result<Tensor*>(&ctx.output(output))
                                                             : ctx.allocate_output(output, shape));
  if (!values.empty()) std::memcpy(y->raw(), values.data(), values.size_bytes());
  return {};
}

}  // namespace

Status write_unique(KernelContext& ctx, const UniqueAxis& along, UniqueGroups groups) {
  if (ctx.attr_int("sorted", 1) == 0) groups.order_by_appearance();
  Shape shape = along.shape;
  shape[along.axis] = static_cast<int64_t>(groups.first.size());
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, shape));
  for (int64_t row = 0; row < along.outer; ++row)
    for (const int64_t at : groups.first)
      writer.append(ctx.input(0), (row * along.size + at) * along.inner, along.inner);
  SDX_TRY(writer.finish());
  SDX_TRY(write_ints(ctx, 1, groups.first));
  SDX_TRY(write_ints(ctx, 2, groups.group));
  return write_ints(ctx, 3, groups.count);
}

SDX_OP(unique) = {
    .name = "Unique", .since = 28, .infer = infer_unique, .reference = unique_reference, .records_constraints = true};

}  // namespace sdx::ops
