// Conv for float32: a product of the weights with panels of the im2col matrix, or with the input itself where the
// kernel is one element; depthwise convolutions, and those of few filters, directly.
#include "ops/conv/conv_f32.h"
#include "ops/conv/conv_weights.h"
#include "ops/conv/convolution.h"
#include "ops/conv/few_pixels.h"
#include "ops/conv/im2col.h"
#include "ops/conv/row_conv.h"
#include "ops/linalg/gemm.h"
#include "ops/through_f32.h"
#include "ops/window_tiles.h"

namespace sdx::ops {
namespace {

bool is_pointwise(const ConvSizes& s) {
  if (s.kernel_count() != 1) return false;
  for (size_t axis = 0; axis < s.windows.axes(); ++axis)
    if (s.windows.strides[axis] != 1 || s.windows.in[axis] != s.windows.out[axis]) return false;
  return true;
}

Status run_depthwise(KernelContext& ctx, const ConvSizes& s, const WindowTiles& tiles, const float* w,
                     const ConvEnd& end) {
  const WindowKernels& kernels = window_kernels();
  const float* x = ctx.input(0).data<float>();
  const float* bias = ctx.has_input(2) ? ctx.input(2).data<float>() : nullptr;
  float* y = ctx.output(0).data<float>();
  const int64_t per_plane = tiles.per_plane(), operations = 2 * tiles.out_count() * tiles.taps() / per_plane;
  const int64_t grain = std::max<int64_t>(1, 200'000 / std::max<int64_t>(operations, 1));
  return parallel_ranges(ctx, s.batch * s.outputs * per_plane, grain, [&](int64_t begin, int64_t stop) {
    alignas(64) float copy[WindowTiles::kTileElements + WindowTiles::kSlack];
    for (int64_t i = begin; i < stop; ++i) {
      const int64_t plane = i / per_plane, output = plane % s.outputs, image = plane / s.outputs;
      const WindowTiles::Tile tile = tiles.tile(i % per_plane);
      tiles.copy(tile, x + (image * s.channels + output / s.group_outputs()) * tiles.in_count(), 0, copy);
      WindowRow row{.offsets = tiles.offsets(), .taps = tiles.taps(), .count = tile.columns};
      for (int64_t r = 0; r < tile.rows; ++r) {
        row.copy = copy + r * tiles.row_step();
        row.y = y + plane * tiles.out_count() + (tile.row + r) * tiles.out_columns() + tile.column;
        kernels.weighted_sum(row, w + output * row.taps, bias != nullptr ? bias[output] : 0, end.low, end.high);
      }
    }
  });
}

}  // namespace

Status run_conv_f32(KernelContext& ctx, const ConvEnd& end) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_sizes(ctx));
  const ConvWeights* kept = ctx.has_state() ? &ctx.state<ConvWeights>() : nullptr;
  if (kept != nullptr && kept->panels.defined()) return run_turned_conv(ctx, s, kept->panels, end);
  if (kept != nullptr && kept->rows.defined()) return run_row_conv(ctx, s, kept->rows, end);
  if (kept != nullptr && has_few_pixels(s)) return run_few_pixels(ctx, s, kept->plain.data<float>(), end);
  const float* weights = (kept != nullptr ? kept->plain : ctx.input(1)).data<float>();
  if (s.group_channels() == 1 && s.groups > 1) {
    const WindowTiles tiles(s.windows);
    if (tiles.fits()) return run_depthwise(ctx, s, tiles, weights, end);
  }
  const Im2col sizes = make_im2col(s.windows);
  const FillIm2col fill = fill_im2col();
  const auto fill_panel = [&](const void* source, int64_t p, int64_t count, int64_t column, int64_t columns,
                              float* panel) {
    fill(sizes, static_cast<const float*>(source), p, count, column, columns, panel);
  };
  const PanelFill panels(fill_panel);
  const int64_t depth = s.group_channels() * s.kernel_count();
  GemmF32 all{.m = s.group_outputs(), .n = s.out_count(), .k = depth};
  all.a = {weights, depth, 1};
  all.c = ctx.output(0).data<float>();
  all.c_row = all.n;
  all.low = end.low;
  all.high = end.high;
  const bool pointwise = is_pointwise(s);
  if (pointwise) {
    all.b = {ctx.input(0).data<float>(), all.n, 1};
  } else {
    all.fill = &panels;
  }
  if (ctx.has_input(2)) {
    all.start = GemmF32::Start::per_row;
    all.bias = ctx.input(2).data<float>();
  }
  return gemm_batch(ctx, s.batch * s.groups, [&](int64_t i) {
    const int64_t group = i % s.groups;
    GemmF32 one = all;
    const float* x = ctx.input(0).data<float>() + i * s.group_channels() * s.in_count();
    one.a.data += group * one.m * depth;
    if (pointwise) {
      one.b.data = x;
    } else {
      one.source = x;
    }
    if (one.bias != nullptr) one.bias += group * one.m;
    one.c += i * one.m * one.n;
    return one;
  });
}

namespace {

Verdict few_axes(const NodeFacts& facts) {
  const int rank = facts.has_rank(0) ? facts.rank(0) : facts.has_rank(1) ? facts.rank(1) : 0;
  return rank >= 3 && rank <= 5 ? yes() : no("only one to three spatial axes");
}

Status run_plain_f32(KernelContext& ctx) { return run_conv_f32(ctx, {}); }

}  // namespace

Verdict can_run_conv_f32(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 ? few_axes(facts) : no("only f32");
}

Verdict can_run_conv_half(const NodeFacts& facts) {
  return is_half(facts.dtype(0)) ? few_axes(facts) : no("only f16 and bf16");
}

SDX_CPU_KERNELS(conv,
                {.name = "conv_f32",
                 .can_run = can_run_conv_f32,
                 .prepare = prepare_conv_f32,
                 .run = run_plain_f32,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = conv_scratch,
                 .packed_bytes = conv_packed_bytes},
                {.name = "conv_half",
                 .can_run = can_run_conv_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_plain_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f); }});

}  // namespace sdx::ops
