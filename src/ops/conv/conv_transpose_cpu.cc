// ConvTranspose for float32: per image and group a product of the transposed weights with x gives every kernel
// element's part (k x positions), then the parts are added where they belong. In bounded pieces of output channels.
#include <algorithm>

#include "kernel/scratch_parts.h"
#include "ops/conv/apart_windows.h"
#include "ops/conv/conv_f32.h"
#include "ops/conv/conv_transpose.h"
#include "ops/conv/im2col.h"
#include "ops/conv/part_sums.h"
#include "ops/linalg/gemm.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kPartElements = int64_t{1} << 18;  // of the parts that are held at once

// Positions of x whose part by kernel element kx of the last axis lies inside, `shift` before it.
PartRange part_range(const Im2col& s, int64_t shift) {
  const int64_t stride = s.stride[2], first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  return {first, s.in[2] <= shift ? 0 : std::min(s.out[2], (s.in[2] - shift + stride - 1) / stride)};
}

// y[plane] += the parts of one output channel, [taps][positions].
void add_parts(const PartSums& sums, const Im2col& s, const float* parts, float* y) {
  const int64_t positions = s.out[0] * s.out[1] * s.out[2], stride = s.stride[2];
  for (int64_t kz = 0; kz < s.kernel[0]; ++kz) {
    for (int64_t ky = 0; ky < s.kernel[1]; ++ky) {
      for (int64_t kx = 0, count = 1; kx < s.kernel[2]; kx += count, parts += count * positions) {
        count = stride == 2 && s.dilation[2] == 1 && kx + 1 < s.kernel[2] ? 2 : 1;
        const int64_t shift = kx * s.dilation[2] - s.begin[2];
        const PartRange range = part_range(s, shift), next = part_range(s, shift + 1);
        const float* row = parts;
        for (int64_t z = 0; z < s.out[0]; ++z) {
          const int64_t to_z = z * s.stride[0] - s.begin[0] + kz * s.dilation[0];
          for (int64_t line = 0; line < s.out[1]; ++line, row += s.out[2]) {
            const int64_t to_y = line * s.stride[1] - s.begin[1] + ky * s.dilation[1];
            if (to_z < 0 || to_z >= s.in[0] || to_y < 0 || to_y >= s.in[1]) continue;
            float* to = y + (to_z * s.in[1] + to_y) * s.in[2] + shift;
            if (count == 2) {
              sums.add_pairs(row, range, row + positions, next, to);
            } else if (stride == 1) {
              sums.add(row, range, to);
            } else {
              for (int64_t i = range.first; i < range.last; ++i) to[i * stride] += row[i];
            }
          }
        }
      }
    }
  }
}

Status run_conv_transpose_f32(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_transpose_sizes(ctx));
  const Im2col sizes = make_im2col(s.windows);
  const int64_t taps = s.kernel_count(), positions = s.out_count(), plane = s.in_count();
  const int64_t channels = s.group_channels(), depth = s.group_outputs();
  const int64_t fitting = std::max<int64_t>(1, kPartElements / std::max<int64_t>(taps * positions, 1));
  const int64_t step = std::min(channels, fitting);
  const PartSums& sums = part_sums();
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
          add_parts(sums, sizes, parts + c * taps * positions, to);
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
