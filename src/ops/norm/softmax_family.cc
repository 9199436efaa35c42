#include "ops/norm/softmax_family.h"

#include "base/element.h"

namespace sdx::ops {

Result<Facts> infer_softmax(InferContext& ctx) {
  if (ctx.has_rank(0)) SDX_TRY(ctx.axis(ctx.attr_int("axis", -1), std::max(ctx.rank(0), 1)).status());
  return infer_same_as_first(ctx);
}

AxisView softmax_view(KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  const int64_t rank = std::max<int64_t>(static_cast<int64_t>(shape.size()), 1);
  return {shape, *normalize_axis(ctx.attr_int("axis", -1), rank)};
}

Status reference_softmax(KernelContext& ctx, void (*line)(std::span<double> x)) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (x.count() == 0) return {};
  const AxisView view = softmax_view(ctx);
  std::vector<double> values(static_cast<size_t>(view.size));
  for (int64_t i = 0; i < view.lines(); ++i) {
    const int64_t first = view.first_of(i);
    for (int64_t k = 0; k < view.size; ++k) values[static_cast<size_t>(k)] = load_double(x, first + k * view.inner);
    line(values);
    for (int64_t k = 0; k < view.size; ++k) store_double(y, first + k * view.inner, values[static_cast<size_t>(k)]);
    if (i % 1024 == 0) SDX_TRY(ctx.check_cancelled());
  }
  return {};
}

Status run_along_axis(KernelContext& ctx, AxisRow row, AxisColumns columns) {
  return run_along_axis(ctx, softmax_view(ctx), ctx.input(0).data<float>(), ctx.output(0).data<float>(), row, columns);
}

Status run_along_axis(KernelContext& ctx, const AxisView& view, const float* x, float* y, AxisRow row,
                      AxisColumns columns) {
  constexpr int64_t kWork = 4096;  // elements a block
  if (view.inner == 1) {
    return parallel_ranges(ctx, view.outer, std::max<int64_t>(1, kWork / view.size), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) row(x + i * view.size, y + i * view.size, static_cast<size_t>(view.size));
    });
  }
  const int64_t tiles = (view.inner + kAxisColumns - 1) / kAxisColumns;
  const int64_t work = view.size * std::min(view.inner, kAxisColumns);
  return parallel_ranges(ctx, view.outer * tiles, std::max<int64_t>(1, kWork / work), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % tiles * kAxisColumns, at = i / tiles * view.size * view.inner + column;
      columns(x + at, y + at, view.size, view.inner, static_cast<size_t>(std::min(kAxisColumns, view.inner - column)));
    }
  });
}

Status flatten_at_axis(UpgradeContext& ctx) {
  const int64_t axis = ctx.attributes().get_int("axis", 1);
  if (!ctx.has_input(0)) return ctx.fail("the input is missing");
  const Fact& x = ctx.fact(0);
  if (x.has_rank()) {
    const auto normal = normalize_axis(axis, std::max(x.rank(), 1));
    if (!normal) return ctx.fail("axis {} is outside [-{}, {})", axis, x.rank(), x.rank());
    if (*normal >= x.rank() - 1) {
      ctx.attributes().set("axis", int64_t{-1});
      return {};
    }
  }
  const ValueId shape = ctx.add("Shape", {ctx.input(0)});
  ctx.set_input(0, ctx.add("Flatten", {ctx.input(0)}, {attr("axis", axis)}));
  ctx.attributes().set("axis", int64_t{-1});
  const ValueId output = ctx.node().outputs[0];
  const ValueId inner = ctx.intercept_output(0);
  ctx.add_after("Reshape", {inner, shape}, output, {attr("allowzero", 1)});
  return {};
}

}  // namespace sdx::ops
