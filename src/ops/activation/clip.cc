// Clip: y = min(max(x, min), max), elementwise. An absent bound does not clip; NaN stays NaN. Where min > max the
// result is max. The standard wants scalar bounds; exporters also write them as tensors of shape [1], which are taken
// too.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_clip(InferContext& ctx) {
  for (const size_t bound : {1, 2}) {
    if (!ctx.has_input(bound) || !ctx.has_rank(bound) || ctx.rank(bound) == 0) continue;
    if (ctx.rank(bound) != 1) return ctx.fail("bounds must be scalars, bound has rank {}", ctx.rank(bound));
    SDX_TRY(ctx.same(ctx.dim(bound, 0), Dim(1), "bounds must be scalars").status());
  }
  return infer_same_as_first(ctx);
}

Status clip_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const bool has_low = ctx.has_input(1), has_high = ctx.has_input(2);
  const auto clip = [&](auto load, auto store) {
    using T = decltype(load(x, 0));
    const T low = has_low ? load(ctx.input(1), 0) : T{}, high = has_high ? load(ctx.input(2), 0) : T{};
    for (int64_t i = 0; i < x.count(); ++i) {
      T v = load(x, i);
      if (has_low && v < low) v = low;
      if (has_high && v > high) v = high;
      store(y, i, v);
    }
  };
  if (is_floating(x.dtype())) {
    clip([](const Tensor& t, int64_t i) { return load_double(t, i); },
         [](Tensor& t, int64_t i, double v) { store_double(t, i, v); });
  } else if (x.dtype() == DType::u64) {
    clip([](const Tensor& t, int64_t i) { return static_cast<uint64_t>(load_i64(t, i)); },
         [](Tensor& t, int64_t i, uint64_t v) { store_i64(t, i, static_cast<int64_t>(v)); });
  } else {
    clip([](const Tensor& t, int64_t i) { return load_i64(t, i); },
         [](Tensor& t, int64_t i, int64_t v) { store_i64(t, i, v); });
  }
  return {};
}

// Up to opset 6 the bounds were attributes, whose defaults were the ends of float32.
Status clip_6_to_11(UpgradeContext& ctx) {
  const DType type = ctx.fact(0).dtype == DType::undefined ? DType::f32 : ctx.fact(0).dtype;
  for (const auto& [attribute, input] : {std::pair("min", 1), std::pair("max", 2)}) {
    if (const auto* bound = ctx.attributes().get<float>(attribute))
      ctx.set_input(static_cast<size_t>(input), ctx.scalar(type, *bound));
    ctx.attributes().remove(attribute);
  }
  return {};
}

}  // namespace

SDX_OP(clip) = {
    .name = "Clip",
    .since = 13,
    .infer = infer_clip,
    .reference = clip_reference,
    .upgrades = {{1, drop_consumed_inputs}, {6, clip_6_to_11}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
