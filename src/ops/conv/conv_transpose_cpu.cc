// ConvTranspose for float32: per image and group a product of the transposed weights with x gives every kernel
// element's part (k x positions), then the parts are added where they belong. In bounded pieces of output channels.
#include <algorithm>

#include "kernel/scratch_parts.h"
#include "ops/conv/add_parts.h"
#include "ops/conv/apart_windows.h"
#include "ops/conv/conv_f32.h"
#include "ops/conv/conv_transpose.h"
#include "ops/conv/im2col.h"
#include "ops/linalg/gemm.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kPartElements = int64_t{1} << 20;  // of the parts that are held at once

Status run_conv_transpose_f32(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_transpose_sizes(ctx));
  const Im2col sizes = make_im2col(s.windows);
  const AddParts add = add_parts();
  const int64_t taps = s.kernel_count(), positions = s.out_count(), plane = s.in_count();
  const int64_t channels = s.group_channels(), depth = s.group_outputs();
  const int64_t fitting = std::max<int64_t>(1, kPartElements / std::max<int64_t>(taps * positions, 1));
  const int64_t step = std::min(channels, fitting);
  float* parts = ScratchParts(ctx).take<float>(step * taps * positions).data();
  for (int64_t i = 0; i < s.batch * s.groups; ++i) {
    const int64_t group = i % s.groups;
    for (int64_t channel = 0; channel < channels; channel += step) {
      const int64_t count = std::min(step, channels - channel);
      GemmF32 g{.m = count * taps, .n = positions, .k = depth};
      const float* weights = ctx.input(1).data<float>() + group * depth * channels * taps;
      g.a = {weights + channel * taps, 1, channels * taps};
      g.b = {ctx.input(0).data<float>() + i * depth * positions, positions, 1};
      g.c = parts;
      g.c_row = positions;
      SDX_TRY(gemm(ctx, g));
      SDX_TRY(parallel_ranges(ctx, count, 1, [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) {
          const int64_t output = group * channels + channel + c;
          float* to = y.data<float>() + (i / s.groups * s.channels + output) * plane;
          std::fill_n(to, plane, ctx.has_input(2) ? ctx.input(2).data<float>()[output] : 0.0f);
          add(sizes, parts + c * taps * positions, to);
        }
      }));
    }
  }
  return {};
}

Dim parts_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  SymbolTable& symbols = facts.symbols;
  if (!facts.node.has_rank(0) || !facts.node.has_rank(1)) return symbols.fresh();
  Dim of_channel(1);
  for (int axis = 2; axis < facts.node.rank(0); ++axis)
    of_channel = size.product({of_channel, size.input(0, axis), size.input(1, axis)});
  const Dim all = symbols.mul(of_channel, size.input(1, 1));
  return size.part(symbols.min(all, symbols.max(of_channel, Dim(kPartElements))), sizeof(float)).bytes();
}

}  // namespace

SDX_CPU_KERNELS(conv_transpose,
                {.name = "conv_transpose_apart_f32",
                 .can_run = has_apart_windows,
                 .run = run_apart_windows,
                 .scratch_bytes = apart_windows_scratch},
                {.name = "conv_transpose_f32",
                 .can_run = can_run_conv_f32,
                 .run = run_conv_transpose_f32,
                 .scratch_bytes = parts_bytes},
                {.name = "conv_transpose_half",
                 .can_run = can_run_conv_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_conv_transpose_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f, parts_bytes(f)); }});

}  // namespace sdx::ops
