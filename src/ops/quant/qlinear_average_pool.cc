// QLinearAveragePool: y = saturate(round(mean of (x - x_zero) * x_scale / y_scale + y_zero)), ties to even, in float32
// (as onnxruntime 1.32 answers); windows as AveragePool's, but that count_include_pad counts what ceil_mode adds, too.
// The channel axis is 1, or the last with channels_last.
#include "ops/input_rules.h"
#include "ops/pool/pooling.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

// ceil_mode counts with auto_pad = VALID too (as onnxruntime 1.32 answers), unlike in AveragePool.
Result<WindowAttributes> windows_of(const Attributes& attributes, size_t axes) {
  SDX_ASSIGN(WindowAttributes windows, read_windows(attributes, axes, {}));
  if (windows.pad == WindowAttributes::Pad::valid) windows.pad = WindowAttributes::Pad::given;
  return windows;
}

bool is_last(const Attributes& attributes) { return attributes.get_int("channels_last", 0) != 0; }

Result<Facts> infer_average_pool(InferContext& ctx) {
  constexpr InputRule kRules[] = {
      {0, kBytes}, {1, set_of(DType::f32)}, {2, kBytes, kOptional}, {3, set_of(DType::f32)}, {4, kBytes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  if (!ctx.has_rank(0)) return infer_pool(ctx);
  SymShape shape = *ctx.input(0).shape;
  const size_t rank = shape.size();
  if (rank < 3) return ctx.fail("the input has rank {}; batch, channels and spatial axes are wanted", rank);
  SDX_ASSIGN(const WindowAttributes windows, windows_of(ctx.attributes(), rank - 2));
  const size_t first = is_last(ctx.attributes()) ? 1 : 2;
  for (size_t axis = 0; axis + 2 < rank; ++axis) {
    SDX_ASSIGN(shape[first + axis], infer_windows(ctx, windows, axis, shape[first + axis]));
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status average_pool_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, 1));
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 3));
  const bool last = is_last(ctx.attributes()), counts_padding = ctx.attr_int("count_include_pad", 0) != 0;
  const auto spatial = [&](const Tensor& t) {
    const std::span<const int64_t> shape = t.shape();
    return Shape(last ? shape.subspan(1, shape.size() - 2) : shape.subspan(2));
  };
  const Shape in = spatial(x), out = spatial(y);
  SDX_ASSIGN(const WindowAttributes attributes, windows_of(ctx.attributes(), in.size()));
  const Windows windows = resolve_windows(attributes, in, out);
  const int64_t channels = x.dim(last ? x.rank() - 1 : 1), pixels = count_of(in);
  int64_t at = 0;
  for (int64_t plane = 0; plane < x.dim(0) * (last ? 1 : channels); ++plane) {
    SDX_TRY(ctx.check_cancelled());
    Shape position(in.size());
    do {
      for (int64_t c = 0; c < (last ? channels : 1); ++c, ++at) {
        float sum = 0;
        int64_t count = 0;
        for_each_in_window(windows, position, [&](int64_t, int64_t pixel) {
          const int64_t code = load_i64(x, last ? (plane * pixels + pixel) * channels + c : plane * pixels + pixel);
          sum += static_cast<float>(code - from.zero) * from.scale;
          ++count;
        });
        if (counts_padding) count = count_of(windows.kernel);
        store_quantized(y, at, sum / static_cast<float>(count) / to.scale + static_cast<float>(to.zero), 0);
      }
    } while (next_position(position, out));
  }
  return {};
}

}  // namespace

SDX_OP(qlinear_average_pool) = {
    .name = "QLinearAveragePool",
    .domain = "com.microsoft",
    .infer = infer_average_pool,
    .reference = average_pool_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
