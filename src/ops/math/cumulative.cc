#include "ops/math/cumulative.h"

#include "ops/reference.h"

namespace sdx::ops {

Result<Facts> infer_cumulative(InferContext& ctx) {
  const auto axis = ctx.known_elements(1);
  if (axis && axis->size() != 1) return ctx.fail("axis has {} elements, one is wanted", axis->size());
  if (axis && ctx.has_rank(0)) SDX_TRY(ctx.axis((*axis)[0], ctx.rank(0)).status());
  return infer_same_as_first(ctx);
}

namespace {

// Floating types accumulate in double, integers wrap.
template <typename T, typename Load, typename Store>
void run(const KernelContext& ctx, const Tensor& x, Tensor& y, size_t axis, Cumulative kind, Load load, Store store) {
  const bool exclusive = ctx.attr_int("exclusive", 0) != 0, reverse = ctx.attr_int("reverse", 0) != 0;
  const int64_t size = x.shape()[axis];
  const int64_t outer = count_range(x.shape(), 0, axis), inner = count_range(x.shape(), axis + 1, x.shape().size());
  for (int64_t row = 0; row < outer * inner; ++row) {
    const int64_t base = row / inner * size * inner + row % inner;
    T total = kind == Cumulative::sum ? 0 : 1;
    for (int64_t k = 0; k < size; ++k) {
      const int64_t at = base + (reverse ? size - 1 - k : k) * inner;
      const T value = load(x, at);
      if (exclusive) store(y, at, total);
      total = kind == Cumulative::sum ? static_cast<T>(total + value) : static_cast<T>(total * value);
      if (!exclusive) store(y, at, total);
    }
  }
}

}  // namespace

Result<size_t> cumulative_axis(const KernelContext& ctx) {
  const int rank = ctx.input(0).rank();
  if (ctx.input(1).count() != 1) return invalid_argument("axis has {} elements, one is wanted", ctx.input(1).count());
  const int64_t given = load_i64(ctx.input(1), 0);
  const auto axis = normalize_axis(given, rank);
  if (!axis) return invalid_argument("axis {} is outside [-{}, {})", given, rank, rank);
  return static_cast<size_t>(*axis);
}

Status cumulative_reference(KernelContext& ctx, Cumulative kind) {
  SDX_ASSIGN(const size_t axis, cumulative_axis(ctx));
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (is_floating(x.dtype())) {
    run<double>(
        ctx, x, y, axis, kind, [](const Tensor& t, int64_t i) { return load_double(t, i); },
        [](Tensor& t, int64_t i, double v) { store_double(t, i, v); });
  } else {
    run<uint64_t>(
        ctx, x, y, axis, kind, [](const Tensor& t, int64_t i) { return static_cast<uint64_t>(load_i64(t, i)); },
        [](Tensor& t, int64_t i, uint64_t v) { store_i64(t, i, static_cast<int64_t>(v)); });
  }
  return {};
}

}  // namespace sdx::ops
