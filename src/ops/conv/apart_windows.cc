#include "ops/conv/apart_windows.h"

#include <algorithm>

#include "kernel/scratch_parts.h"
#include "ops/conv/conv_f32.h"
#include "ops/conv/conv_transpose.h"
#include "ops/conv/im2col.h"
#include "ops/linalg/gemm.h"
#include "ops/linalg/gemm_tiles.h"

namespace sdx::ops {
namespace {

// Puts rows of the product where they belong in the outputs of one image and group.
class Scatter {
 public:
  Scatter(const Im2col& sizes, float* y) : s_(sizes), y_(y) {}

  // As if the product lay in y one row after another: `c` says which of its elements come first.
  void operator()(const float* made, const float* c, int64_t rows, int64_t columns) const {
    const int64_t positions = s_.out[0] * s_.out[1] * s_.out[2], first_row = (c - y_) / positions;
    for (int64_t column = (c - y_) % positions, left = columns; left > 0;) {
      const int64_t line = column / s_.out[2], x = column % s_.out[2], count = std::min(left, s_.out[2] - x);
      put(made, columns, first_row, rows, line, x, count);
      made += count;
      column += count;
      left -= count;
    }
  }

 private:
  void put(const float* made, int64_t width, int64_t first_row, int64_t rows, int64_t line, int64_t x,
           int64_t count) const {
    const int64_t *k = s_.kernel, z = line / s_.out[1] * k[0], y = line % s_.out[1] * k[1];
    int64_t kx = first_row % k[2], ky = first_row / k[2] % k[1], kz = first_row / (k[2] * k[1]) % k[0];
    float* plane = y_ + first_row / (k[0] * k[1] * k[2]) * s_.in[0] * s_.in[1] * s_.in[2];
    for (int64_t row = 0; row < rows;) {
      float* to = plane + ((z + kz) * s_.in[1] + y + ky) * s_.in[2] + x * k[2] + kx;
      const int64_t taps = std::min(k[2] - kx, rows - row);
      if (taps == k[2]) {
        interleave_(made + row * width, width, taps, count, to);
      } else {
        for (int64_t i = 0; i < count; ++i)
          for (int64_t r = 0; r < taps; ++r) to[i * k[2] + r] = made[(row + r) * width + i];
      }
      row += taps;
      kx = 0;
      if (++ky < k[1]) continue;
      ky = 0;
      if (++kz < k[0]) continue;
      kz = 0;
      plane += s_.in[0] * s_.in[1] * s_.in[2];
    }
  }

  const Im2col& s_;
  float* y_;
  const InterleaveFloats interleave_ = interleave_floats_kernel();
};

}  // namespace

Verdict has_apart_windows(const NodeFacts& facts) {
  if (Verdict floats = can_run_conv_f32(facts); !floats) return floats;
  const auto w = facts.input(1).known_shape();
  if (!w || w->size() < 3) return no("the weight's shape is not known");
  // Of longer ones, the product would keep sums in y meanwhile.
  if ((*w)[0] / std::max<int64_t>(1, facts.attr_int("group", 1)) > kPanelRows) return no("sums of too many channels");
  const std::span<const int64_t> kernel(w->begin() + 2, w->end());
  const Attributes& given = facts.attributes();
  const auto all = [&](std::string_view name, int64_t value) {
    return std::ranges::all_of(given.get_ints(name), [&](int64_t own) { return own == value; });
  };
  if (!std::ranges::equal(given.get_ints("strides"), kernel)) return no("strides are not the kernel's sizes");
  if (!all("pads", 0) || !all("dilations", 1) || !all("output_padding", 0) || given.has("output_shape") ||
      given.get_string("auto_pad", "NOTSET") != "NOTSET")
    return no("windows overlap or are padded");
  return yes();
}

Status run_apart_windows(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_transpose_sizes(ctx));
  const Im2col sizes = make_im2col(s.windows);
  const int64_t taps = s.kernel_count(), positions = s.out_count(), rows = s.group_channels() * taps;
  const std::span<float> bias = ScratchParts(ctx).take<float>(s.channels * taps);
  for (int64_t i = 0; i < s.channels * taps && ctx.has_input(2); ++i)
    bias[static_cast<size_t>(i)] = ctx.input(2).data<float>()[i / taps];
  for (int64_t i = 0; i < s.batch * s.groups; ++i) {
    const int64_t group = i % s.groups;
    float* to = y.data<float>() + i * rows * positions;
    GemmF32 g{.m = rows, .n = positions, .k = s.group_outputs()};
    g.a = {ctx.input(1).data<float>() + group * g.k * rows, 1, rows};
    g.b = {ctx.input(0).data<float>() + i * g.k * positions, positions, 1};
    g.c = to;
    g.c_row = positions;
    if (ctx.has_input(2)) {
      g.start = GemmF32::Start::per_row;
      g.bias = bias.data() + group * rows;
    }
    const Scatter scatter(sizes, to);
    const GemmF32::Finish finish = scatter;
    if (positions > 1) g.finish = &finish;  // else rows lie as they belong
    SDX_TRY(gemm(ctx, g));
  }
  return {};
}

Dim apart_windows_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  if (!facts.node.has_rank(1)) return facts.symbols.fresh();
  Dim rows(facts.node.attr_int("group", 1));
  for (int axis = 1; axis < facts.node.rank(1); ++axis) rows = facts.symbols.mul(rows, size.input(1, axis));
  return size.part(rows, sizeof(float)).bytes();
}

}  // namespace sdx::ops
