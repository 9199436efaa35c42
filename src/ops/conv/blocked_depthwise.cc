#include "ops/conv/blocked_depthwise.h"

#include <algorithm>
#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/conv/depthwise_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxDepthwiseTaps = 512;
constexpr int64_t kNarrowColumns = 32;
constexpr int64_t kPatchPixels = 512;  // 32 KB, in the nearest cache
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kLeastOperations = 200'000;  // that another thread is asked for

constexpr int64_t kSlotBytes = kPatchPixels * kChannelBlock * static_cast<int64_t>(sizeof(float));

struct DepthwiseWeights : KernelState {
  const DepthwiseTiles* tiles = nullptr;
  Tensor packed;  // [block][kernel element][16]
};

// Rows of narrow planes are copied beside each other, with zeros around, so that all their pixels are alike; of wide
// ones, the pixels at both ends are tiles of their own.
class DepthwiseConv {
 public:
  DepthwiseConv(KernelContext& ctx, const ConvSizes& sizes, const DepthwiseWeights& weights, const float* bias,
                const FusedActivation& activation)
      : ctx_(ctx),
        g_(make_im2col(sizes.windows)),
        tiles_(*weights.tiles),
        channels_(sizes.outputs),
        blocks_(channel_blocks(sizes.outputs)),
        taps_(sizes.kernel_count()),
        w_(weights.packed.data<float>()),
        bias_(bias),
        activation_(activation),
        row_size_(g_.in[2] * kChannelBlock) {
    const int64_t span = (g_.kernel[2] - 1) * g_.dilation[2] + 1, last = g_.in[2] + g_.begin[2] - span;
    inner_begin_ = std::clamp<int64_t>(ceil_div(g_.begin[2], g_.stride[2]), 0, g_.out[2]);
    inner_end_ = last < 0 ? 0 : std::min(last / g_.stride[2] + 1, g_.out[2]);
    if (inner_end_ <= inner_begin_ || g_.stride[2] > 2) inner_begin_ = inner_end_ = g_.out[2];
    pairs_ = g_.stride[2] == 1 && (tiles_.max_pair_pixels == tiles_.max_pixels || g_.out[2] <= tiles_.max_pair_pixels);
    const bool is_plane = g_.in[0] == 1 && g_.out[0] == 1 && g_.kernel[0] == 1 && g_.begin[0] == 0;
    const bool has_edges = inner_begin_ > 0 || inner_end_ < g_.out[2];
    if (!is_plane || !has_edges || g_.out[2] > kNarrowColumns || g_.stride[2] > 1) return;
    patch_columns_ = (g_.out[2] - 1) * g_.stride[2] + span;
    patch_rows_ = g_.out[1];
    while (patch_rows_ > 0 && rows_under(patch_rows_) * patch_columns_ > kPatchPixels) --patch_rows_;
    if (patch_rows_ == 0) return;
    row_size_ = patch_columns_ * kChannelBlock;
    inner_begin_ = 0;
    inner_end_ = g_.out[2];
  }

  Status run(int64_t batch, ScratchSlots& slots) const {
    const int64_t planes = batch * blocks_ * g_.out[0];
    const int64_t wanted_parts = std::clamp<int64_t>(kEnoughUnits / planes, 1, g_.out[1]);
    const int64_t rows = ceil_div(g_.out[1], wanted_parts), parts = ceil_div(g_.out[1], rows);
    const int64_t operations = 2 * kChannelBlock * rows * g_.out[2] * taps_;
    const int64_t grain = std::max<int64_t>(1, kLeastOperations / operations);
    return parallel_ranges(ctx_, planes * parts, grain, [&](int64_t begin, int64_t end) {
      const ScratchSlots::Lease lease(slots);
      auto* patch = reinterpret_cast<float*>(lease.memory());
      DepthwiseTap taps[kMaxDepthwiseTaps];
      if (g_.kernel[0] == 1) list_taps({0, 1}, {0, g_.kernel[1]}, taps);
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t first = unit % parts * rows;
        run_unit(unit / parts, first, std::min(first + rows, g_.out[1]), patch, taps);
      }
    });
  }

 private:
  // Rows of the input under so many of the output.
  int64_t rows_under(int64_t rows) const { return (rows - 1) * g_.stride[1] + (g_.kernel[1] - 1) * g_.dilation[1] + 1; }

  struct Range {
    int64_t begin, end;
  };
  int64_t list_taps(Range planes, Range rows, DepthwiseTap* taps) const {
    int64_t count = 0;
    for (int64_t kz = planes.begin; kz < planes.end; ++kz) {
      for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
        for (int64_t kx = 0; kx < g_.kernel[2]; ++kx) {
          const int64_t row = kz * g_.dilation[0] * g_.in[1] + ky * g_.dilation[1];
          const int64_t offset = row * row_size_ + kx * g_.dilation[2] * kChannelBlock;
          taps[count++] = {offset, (kz * g_.kernel[1] + ky) * g_.kernel[2] + kx, kx * g_.dilation[2]};
        }
      }
    }
    return count;
  }

  void run_unit(int64_t plane, int64_t first, int64_t last, float* patch, DepthwiseTap* taps) const {
    const int64_t depth = plane % g_.out[0], block = plane / g_.out[0] % blocks_, image_block = plane / g_.out[0];
    DepthwiseArgs t;
    t.taps = taps;
    t.step = g_.stride[2] * kChannelBlock;
    t.row_step = g_.stride[1] * row_size_;
    t.columns = g_.in[2];
    t.stride = g_.stride[2];
    t.w = w_ + block * taps_ * kChannelBlock;
    t.bias = bias_ + block * kChannelBlock;
    t.y_row = g_.out[2] * kChannelBlock;
    t.end = tile_end(activation_);
    const int64_t z = depth * g_.stride[0] - g_.begin[0];
    const float* x = ctx_.input(0).data<float>() + (image_block * g_.in[0] + z) * g_.in[1] * g_.in[2] * kChannelBlock;
    const int64_t place = (image_block * g_.out[0] + depth) * g_.out[1];
    const int64_t step = patch_rows_ > 0 ? patch_rows_ : last - first;
    for (int64_t row = first; row < last; row += step) {
      const int64_t end = std::min(row + step, last), y = row * g_.stride[1] - g_.begin[1];
      if (patch_rows_ > 0) fill_patch(x, y, rows_under(end - row), patch);
      const float* from = patch_rows_ > 0 ? patch : x + y * row_size_ - g_.begin[2] * kChannelBlock;
      run_rows(t, depth, row, end, from, place * t.y_row, taps);
    }
    float* to = ctx_.output(0).data<float>() + (place + first) * t.y_row;
    const int64_t pixels = (last - first) * g_.out[2], lanes = channels_ - block * kChannelBlock;
    if (!ends_in_tile(activation_)) activation_.apply(to, static_cast<size_t>(pixels * kChannelBlock));
    if (lanes < kChannelBlock) clear_lanes(to, lanes, pixels);
  }

  void fill_patch(const float* x, int64_t y, int64_t rows, float* patch) const {
    const int64_t begin = std::clamp<int64_t>(g_.begin[2], 0, patch_columns_);
    const int64_t end = std::clamp(g_.in[2] + g_.begin[2], begin, patch_columns_);
    for (int64_t row = 0; row < rows; ++row, patch += row_size_) {
      const bool inside = y + row >= 0 && y + row < g_.in[1];
      const int64_t from = inside ? begin : patch_columns_, to = inside ? end : patch_columns_;
      std::fill_n(patch, from * kChannelBlock, 0.0f);
      if (to > from)
        std::memcpy(patch + from * kChannelBlock, x + ((y + row) * g_.in[2] + from - g_.begin[2]) * kChannelBlock,
                    static_cast<size_t>((to - from) * kChannelBlock) * sizeof(float));
      std::fill_n(patch + to * kChannelBlock, (patch_columns_ - to) * kChannelBlock, 0.0f);
    }
  }

  // x: under the first kernel element of the first row's first pixel. taps: of a kernel of one plane all elements.
  void run_rows(DepthwiseArgs& t, int64_t depth, int64_t first, int64_t last, const float* x, int64_t place,
                DepthwiseTap* taps) const {
    TapsInside listed;
    for (int64_t row = first, count = 1; row < last; row += count) {
      TapsInside inside(g_, depth, row);
      count = 1;
      if (pairs_ && row + 1 < last) {
        const TapsInside next(g_, depth, row + 1);
        if (patch_rows_ > 0) {  // which has zeros where the other row of the pair has none
          inside.rows[0] = std::min(inside.rows[0], next.rows[0]);
          inside.rows[1] = std::max(inside.rows[1], next.rows[1]);
        }
        if (patch_rows_ > 0 || inside == next) count = 2;
      }
      if (!(inside == listed)) {
        listed = inside;
        const Range planes{inside.planes[0], inside.planes[1]}, rows{inside.rows[0], inside.rows[1]};
        if (g_.kernel[0] == 1) {
          t.taps = taps + rows.begin * g_.kernel[2];
          t.tap_count = (planes.end - planes.begin) * (rows.end - rows.begin) * g_.kernel[2];
        } else {
          t.tap_count = list_taps(planes, rows, taps);
        }
      }
      run_row(t, count, x + (row - first) * t.row_step, place + row * t.y_row);
    }
  }

  void run_row(DepthwiseArgs& t, int64_t rows, const float* x, int64_t place) const {
    const DepthwiseTile* inner = rows == 2 ? tiles_.pair : g_.stride[2] == 1 ? tiles_.inner : tiles_.inner_by_two;
    for (int64_t row = 0; row < rows; ++row) {
      run_tiles(t, tiles_.edge, tiles_.max_pixels, 0, inner_begin_, x + row * t.row_step, place + row * t.y_row);
      run_tiles(t, tiles_.edge, tiles_.max_pixels, inner_end_, g_.out[2], x + row * t.row_step, place + row * t.y_row);
    }
    run_tiles(t, inner, rows == 2 ? tiles_.max_pair_pixels : tiles_.max_pixels, inner_begin_, inner_end_, x, place);
  }

  // Of the columns [begin, end), tiles of nearly equal width.
  void run_tiles(DepthwiseArgs& t, const DepthwiseTile* tile, int64_t most, int64_t begin, int64_t end, const float* x,
                 int64_t place) const {
    if (begin >= end) return;
    const int64_t tiles = ceil_div(end - begin, most), width = (end - begin) / tiles, wider = (end - begin) % tiles;
    for (int64_t i = 0, column = begin; i < tiles; ++i) {
      const int64_t pixels = i < wider ? width + 1 : width;
      t.column = column * g_.stride[2] - g_.begin[2];
      t.x = x + column * t.step;
      t.y = ctx_.output(0).data<float>() + place + column * kChannelBlock;
      t.z = ctx_.has_input(3) ? ctx_.input(3).data<float>() + place + column * kChannelBlock : nullptr;
      tile[pixels - 1](t);
      column += pixels;
    }
  }

  KernelContext& ctx_;
  Im2col g_;
  const DepthwiseTiles& tiles_;
  int64_t channels_, blocks_, taps_;
  const float* w_;
  const float* bias_;
  FusedActivation activation_;
  int64_t row_size_;                         // floats between rows of the input, or of the patch
  int64_t inner_begin_ = 0, inner_end_ = 0;  // columns of y whose windows lie inside
  int64_t patch_columns_ = 0;
  int64_t patch_rows_ = 0;  // of y, whose windows the patch has at once; 0: none, x is read where it lies
  bool pairs_ = false;      // two rows in a tile
};

}  // namespace

Verdict can_run_depthwise(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  if (s.groups == 1 || s.depth != 1 || s.outputs != 1) return no("not depthwise");
  if (has_plain_input(facts.attributes())) return no("depthwise on channels that are not blocked");
  if (s.taps > kMaxDepthwiseTaps) return no("more kernel elements than a list holds");
  return yes();
}

int64_t depthwise_bytes(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  return channel_blocks(s.groups) * kChannelBlock * s.taps * static_cast<int64_t>(sizeof(float));
}

Result<std::unique_ptr<KernelState>> prepare_depthwise(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  auto state = std::make_unique<DepthwiseWeights>();
  state->tiles = &depthwise_tiles();
  SDX_ASSIGN(state->packed, Tensor::allocate(DType::f32, Shape{channel_blocks(s.groups) * kChannelBlock * s.taps}));
  const float* w = facts.constant(1)->data<float>();
  float* to = state->packed.data<float>();
  for (int64_t channel = 0; channel < channel_blocks(s.groups) * kChannelBlock; ++channel)
    for (int64_t tap = 0; tap < s.taps; ++tap)
      to[(channel / kChannelBlock * s.taps + tap) * kChannelBlock + channel % kChannelBlock] =
          channel < s.groups ? w[channel * s.taps + tap] : 0.0f;
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim depthwise_scratch(const ScratchFacts& facts) {
  const int64_t lanes = channel_blocks(filter_sizes(facts.node).groups) * kChannelBlock;
  return ScratchSize(facts).part(Dim(lanes), sizeof(float)).slots(Dim(kSlotBytes)).bytes();
}

Status run_depthwise(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  ScratchSlots slots = scratch.slots(kSlotBytes);
  return DepthwiseConv(ctx, sizes, ctx.state<DepthwiseWeights>(), bias, activation).run(sizes.batch, slots);
}

}  // namespace sdx::ops
