#include "ops/conv/blocked_depthwise.h"

#include <algorithm>

#include "kernel/scratch_parts.h"
#include "ops/conv/depthwise_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxDepthwiseTaps = 512;
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kNearColumns = 28;           // of planes that the second cache holds
constexpr int64_t kLeastOperations = 200'000;  // that another thread is asked for

struct DepthwiseWeights : KernelState {
  const DepthwiseTiles* tiles = nullptr;
  Tensor packed;  // [block][kernel element][16]
};

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
        activation_(activation) {
    cut_rows();
    const int64_t last = g_.in[1] + g_.begin[1] - (g_.kernel[1] - 1) * g_.dilation[1] - 1;
    inner_rows_[0] = g_.begin[1] > 0 ? ceil_div(g_.begin[1], g_.stride[1]) : 0;
    inner_rows_[1] = last < 0 ? 0 : last / g_.stride[1] + 1;
  }

  Status run(int64_t batch) const {
    const int64_t planes = batch * blocks_ * g_.out[0];
    const int64_t wanted_parts = std::clamp<int64_t>(kEnoughUnits / planes, 1, g_.out[1]);
    const int64_t rows = ceil_div(g_.out[1], wanted_parts), parts = ceil_div(g_.out[1], rows);
    const int64_t operations = 2 * kChannelBlock * rows * g_.out[2] * taps_;
    const int64_t grain = std::max<int64_t>(1, kLeastOperations / operations);
    return parallel_ranges(ctx_, planes * parts, grain, [&](int64_t begin, int64_t end) {
      DepthwiseTap taps[kMaxDepthwiseTaps];
      if (g_.kernel[0] == 1) list_taps({0, 1}, {0, g_.kernel[1]}, taps);
      for (int64_t unit = begin, plane = begin / parts, part = begin % parts; unit < end; ++unit) {
        run_rows(plane, part * rows, std::min((part + 1) * rows, g_.out[1]), taps);
        part = part + 1 == parts ? 0 : part + 1;
        if (part == 0) ++plane;
      }
    });
  }

 private:
  struct Range {
    int64_t begin, end;
  };
  // Columns of y, in tiles of nearly equal width.
  struct Columns {
    int64_t begin, tiles, width, wider;
    DepthwiseTile tile[kMaxTilePixels];
    int64_t missing_left, missing_right;
  };

  Columns columns(Range range, const DepthwiseTile* tile) const { return columns(range, tile, tiles_.max_pixels); }
  Columns columns(Range range, const DepthwiseTile* tile, int64_t most) const {
    const int64_t count = range.end - range.begin, tiles = std::max<int64_t>(1, ceil_div(count, most));
    Columns made{range.begin, count > 0 ? tiles : 0, count / tiles, count % tiles, {}, 0, 0};
    std::copy_n(tile, kMaxTilePixels, made.tile);
    return made;
  }

  // Where tiles can leave out what is outside, they have whole rows; else the pixels at both ends are tiles of their
  // own.
  void cut_rows() {
    const int64_t stride = g_.stride[2], columns_out = g_.out[2];
    const int64_t span = (g_.kernel[2] - 1) * g_.dilation[2] + 1;
    const int64_t left = std::max<int64_t>(0, g_.begin[2]);
    const int64_t right = std::max<int64_t>(0, (columns_out - 1) * stride - g_.begin[2] + span - g_.in[2]);
    if (takes_strips() && std::max(left, right) <= 1) {
      const Columns whole = columns({0, columns_out}, tiles_.edge, strip_width(columns_out));
      strips_ = tiles_.strip[stride - 1];
      if (strips_[whole.width - 1] != nullptr) {
        columns_[columns_count_++] = whole;
        columns_[0].missing_left = left;
        columns_[0].missing_right = right;
        return;
      }
      strips_ = nullptr;
    }
    for (const DepthwiseRows& rows : tiles_.rows) {
      if (rows.width != g_.kernel[2] || rows.stride != stride || g_.dilation[2] != 1) continue;
      Columns whole = columns({0, columns_out}, rows.tile);
      if (whole.tile[whole.width - 1] == nullptr || std::max(left, right) > rows.width / 2) continue;
      whole.missing_left = left;
      whole.missing_right = right;
      columns_[columns_count_++] = whole;
      return;
    }
    const int64_t last = g_.in[2] + g_.begin[2] - span;
    int64_t begin = std::min(ceil_div(left, stride), columns_out);
    int64_t end = last < 0 ? 0 : std::min(last / stride + 1, columns_out);
    if (end <= begin || stride > 2) begin = end = columns_out;
    columns_[columns_count_++] = columns({0, begin}, tiles_.edge);
    columns_[columns_count_++] = columns({begin, end}, stride == 1 ? tiles_.inner : tiles_.inner_by_two);
    columns_[columns_count_++] = columns({end, columns_out}, tiles_.edge);
  }

  // Kernels of 3x3 whose middle row is always inside.
  bool takes_strips() const {
    const int64_t first = g_.dilation[1] - g_.begin[1];
    return g_.kernel[0] == 1 && g_.kernel[1] == 3 && g_.kernel[2] == 3 && g_.dilation[2] == 1 && g_.stride[2] <= 2 &&
           first >= 0 && (g_.out[1] - 1) * g_.stride[1] + first < g_.in[1];
  }

  // Wide planes come from the last cache, steadily where tiles are narrow, if these cut rows evenly.
  int64_t strip_width(int64_t columns_out) const {
    const bool halves = g_.stride[2] == 2;
    for (const int64_t width : {halves ? 7 : 8, halves ? 8 : 7})
      if ((halves || columns_out > kNearColumns) && columns_out % width == 0) return width;
    return tiles_.max_pixels;
  }

  int64_t list_taps(Range planes, Range rows, DepthwiseTap* taps) const {
    int64_t count = 0;
    for (int64_t kz = planes.begin; kz < planes.end; ++kz) {
      for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
        for (int64_t kx = 0; kx < g_.kernel[2]; ++kx) {
          const int64_t row = kz * g_.dilation[0] * g_.in[1] + ky * g_.dilation[1];
          const int64_t offset = (row * g_.in[2] + kx * g_.dilation[2]) * kChannelBlock;
          taps[count++] = {offset, (kz * g_.kernel[1] + ky) * g_.kernel[2] + kx, kx * g_.dilation[2]};
        }
      }
    }
    return count;
  }

  // taps: of a kernel of one plane all elements, else room for them.
  void choose_taps(int64_t depth, int64_t row, DepthwiseTap* taps, DepthwiseArgs& t) const {
    const TapsInside inside(g_, depth, row);
    const Range planes{inside.planes[0], inside.planes[1]}, rows{inside.rows[0], inside.rows[1]};
    t.taps = taps;
    if (g_.kernel[0] != 1) {
      t.tap_count = list_taps(planes, rows, taps);
      return;
    }
    t.taps += rows.begin * g_.kernel[2];
    t.tap_count = (planes.end - planes.begin) * (rows.end - rows.begin) * g_.kernel[2];
  }

  void run_rows(int64_t plane, int64_t first, int64_t last, DepthwiseTap* taps) const {
    const int64_t image_block = g_.out[0] == 1 ? plane : plane / g_.out[0];
    const int64_t depth = plane - image_block * g_.out[0], block = image_block % blocks_;
    DepthwiseArgs t;
    t.step = g_.stride[2] * kChannelBlock;
    t.columns = g_.in[2];
    t.stride = g_.stride[2];
    t.w = w_ + block * taps_ * kChannelBlock;
    t.bias = bias_ + block * kChannelBlock;
    t.end = tile_end(activation_);
    const int64_t row_size = g_.out[2] * kChannelBlock, x_step = g_.stride[1] * g_.in[2] * kChannelBlock;
    const int64_t z = depth * g_.stride[0] - g_.begin[0], y = first * g_.stride[1] - g_.begin[1];
    const int64_t from = ((image_block * g_.in[0] + z) * g_.in[1] + y) * g_.in[2] - g_.begin[2];
    const int64_t place = ((image_block * g_.out[0] + depth) * g_.out[1] + first) * row_size;
    const float* x = ctx_.input(0).data<float>() + from * kChannelBlock;
    const float* added = ctx_.has_input(3) ? ctx_.input(3).data<float>() + place : nullptr;
    float* const start = ctx_.output(0).data<float>() + place;
    float* to = start;
    bool has_all = false;
    if (strips_ != nullptr) run_strips(t, y, last - first, x, added, start);
    for (int64_t row = first; row < last && strips_ == nullptr; ++row) {
      const bool wants_all = row >= inner_rows_[0] && row < inner_rows_[1];
      if (!wants_all || !has_all) choose_taps(depth, row, taps, t);
      has_all = wants_all;
      for (int i = 0; i < columns_count_; ++i) run_tiles(t, columns_[i], x, added, to);
      x += x_step;
      to += row_size;
      if (added != nullptr) added += row_size;
    }
    const int64_t pixels = (last - first) * g_.out[2], lanes = channels_ - block * kChannelBlock;
    if (!ends_in_tile(activation_)) activation_.apply(start, static_cast<size_t>(pixels * kChannelBlock));
    if (lanes < kChannelBlock) clear_lanes(start, lanes, pixels);
  }

  // `top`: the row of the input under x.
  void run_strips(const DepthwiseArgs& t, int64_t top, int64_t rows, const float* x, const float* z, float* y) const {
    const Columns& c = columns_[0];
    DepthwiseStrip s;
    s.kernel_row = g_.dilation[1] * g_.in[2] * kChannelBlock;
    s.x_row = g_.stride[1] * g_.in[2] * kChannelBlock;
    s.y_row = g_.out[2] * kChannelBlock;
    s.dilation = g_.dilation[1];
    s.step = g_.stride[1];
    s.all = g_.in[1];
    s.w = t.w;
    s.bias = t.bias;
    s.end = t.end;
    const int64_t at_once = c.wider == 0 ? rows : 1, wide = c.wider * (c.width + 1);  // rows are read in order
    for (int64_t row = 0; row < rows; row += at_once) {
      s.rows = at_once;
      s.top = top + row * s.step;
      for (const bool wider : {true, false}) {
        s.tiles = wider ? c.wider : c.tiles - c.wider;
        if (s.tiles == 0) continue;
        const int64_t column = wider ? 0 : wide, place = row * s.y_row + column * kChannelBlock;
        s.misses_left = column == 0 && c.missing_left > 0;
        s.misses_right = !wider && c.missing_right > 0;
        s.x = x + row * s.x_row + column * t.step;
        s.y = y + place;
        s.z = z != nullptr ? z + place : nullptr;
        strips_[wider ? c.width : c.width - 1](s);
      }
    }
  }

  void run_tiles(DepthwiseArgs& t, const Columns& columns, const float* x, const float* z, float* y) const {
    for (int64_t i = 0, column = columns.begin; i < columns.tiles; ++i) {
      const int64_t pixels = i < columns.wider ? columns.width + 1 : columns.width;
      t.missing_left = i == 0 ? columns.missing_left : 0;
      t.missing_right = i + 1 == columns.tiles ? columns.missing_right : 0;
      t.column = column * g_.stride[2] - g_.begin[2];
      t.x = x + column * t.step;
      t.y = y + column * kChannelBlock;
      t.z = z != nullptr ? z + column * kChannelBlock : nullptr;
      columns.tile[pixels - 1](t);
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
  int64_t inner_rows_[2];                       // of y, whose windows lie inside
  const DepthwiseStripTile* strips_ = nullptr;  // instead of other tiles: for all columns
  Columns columns_[3];
  int columns_count_ = 0;
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
  return ScratchSize(facts).part(Dim(lanes), sizeof(float)).bytes();
}

Status run_depthwise(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  return DepthwiseConv(ctx, sizes, ctx.state<DepthwiseWeights>(), bias, activation).run(sizes.batch);
}

}  // namespace sdx::ops
