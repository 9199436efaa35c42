// QLinearGlobalAveragePool: y = saturate(round(sum of (x - x_zero) * (x_scale / y_scale / count)) + y_zero), ties to
// even, in float32 (as onnxruntime 1.32 answers). The channel axis is 1, or the last with channels_last.
#include "ops/input_rules.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_global_pool(InferContext& ctx) {
  constexpr InputRule kRules[] = {
      {0, kBytes}, {1, set_of(DType::f32)}, {2, kBytes}, {3, set_of(DType::f32)}, {4, kBytes}};
  SDX_TRY(check_inputs(ctx, kRules));
  if (!ctx.has_rank(0)) return tensor_fact(ctx.dtype(0), std::nullopt);
  SymShape shape = *ctx.input(0).shape;
  if (shape.size() < 3) return ctx.fail("X has rank {}, at least 3 is wanted", shape.size());
  const bool last = ctx.attr_int("channels_last", 0) != 0;
  for (size_t d = 1; d < shape.size(); ++d)
    if (d != (last ? shape.size() - 1 : 1)) shape[d] = Dim(1);
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status global_pool_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, 1));
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 3));
  const bool last = ctx.attr_int("channels_last", 0) != 0;
  const int64_t batch = x.dim(0), channels = x.dim(last ? x.rank() - 1 : 1);
  const int64_t pixels = y.count() == 0 ? 0 : x.count() / (batch * channels);
  const float ratio = from.scale / to.scale / static_cast<float>(pixels);
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      int64_t sum = 0;
      for (int64_t p = 0; p < pixels; ++p)
        sum += load_i64(x, last ? (n * pixels + p) * channels + c : (n * channels + c) * pixels + p) - from.zero;
      store_quantized(y, n * channels + c, static_cast<float>(sum) * ratio, static_cast<double>(to.zero));
    }
  }
  return {};
}

}  // namespace

SDX_OP(qlinear_global_average_pool) = {
    .name = "QLinearGlobalAveragePool",
    .domain = "com.microsoft",
    .infer = infer_global_pool,
    .reference = global_pool_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
