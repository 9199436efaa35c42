#include "ops/conv/row_conv.h"

#include <algorithm>

#include "ops/conv/blocked_direct.h"
#include "ops/conv/row_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kSlotBytes =
    (kMaxPatch + kRowSlack) * static_cast<int64_t>(sizeof(float)) + kMaxTaps * static_cast<int64_t>(sizeof(ConvTap));
constexpr int64_t kLongestRow = 1024;
constexpr int64_t kPatch = 9 << 10;  // floats
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kLeastOperations = 500'000;  // that another thread is asked for
constexpr int64_t kLeastColumns = 16;

const RowTiles::Choice& choice_for(int64_t filters) {
  for (const RowTiles::Choice& choice : row_tiles().choices)
    if (choice.filters >= filters) return choice;
  return row_tiles().choices[std::size(row_tiles().choices) - 1];
}

class RowConv {
 public:
  RowConv(KernelContext& ctx, const ConvSizes& sizes, const Tensor& weights, const ConvEnd& end)
      : ctx_(ctx),
        sizes_(sizes),
        tiles_(choice_for(sizes.group_outputs())),
        g_(make_im2col(sizes.windows)),
        depth_(sizes.group_channels()),
        taps_(sizes.kernel_count()),
        copy_(blocked_tiles().copy_floats),
        w_(weights.data<float>()),
        end_(end) {
    columns_ = even_part(g_.out[2], kLongestRow, kLeastColumns);
    const auto patch = [&](int64_t rows) { return PatchLayout(g_, 1, rows, columns_).block_size; };
    while (columns_ > 1 && patch(1) > kMaxPatch) columns_ = ceil_div(columns_, 2);
    column_parts_ = ceil_div(g_.out[2], columns_);
    // Rows enough for their number to outweigh those that the next region copies again; of the channels, those whose
    // copy stays next to the processor: sums go on from y.
    const int64_t planes = sizes.batch * sizes.groups * g_.out[0] * column_parts_;
    const int64_t units = std::clamp<int64_t>(operations() / kLeastOperations / planes, 1, kEnoughUnits);
    rows_ = std::max(ceil_div(g_.out[1], units), 2 * (g_.kernel[1] - 1) * g_.dilation[1]);
    rows_ = std::clamp<int64_t>(rows_, 1, g_.out[1]);
    while (rows_ > 1 && patch(rows_) > kPatch / 2) --rows_;
    row_parts_ = ceil_div(g_.out[1], rows_);
    rows_ = ceil_div(g_.out[1], row_parts_);
    const int64_t channels = std::clamp<int64_t>(std::min(kPatch / patch(rows_), kMaxTaps / taps_), 1, depth_);
    channels_ = ceil_div(depth_, ceil_div(depth_, channels));
  }

  Status run(ScratchSlots& slots) const {
    const int64_t units = sizes_.batch * sizes_.groups * g_.out[0] * row_parts_ * column_parts_;
    const int64_t grain = std::max<int64_t>(1, kLeastOperations / std::max<int64_t>(1, operations() / units));
    return parallel_ranges(ctx_, units, grain, [&](int64_t begin, int64_t end) {
      const ScratchSlots::Lease lease(slots);
      auto* patch = reinterpret_cast<float*>(lease.memory());
      auto* taps = reinterpret_cast<ConvTap*>(lease.memory() + (kMaxPatch + kRowSlack) * 4);
      for (int64_t unit = begin; unit < end; ++unit) run_unit(unit, patch, taps);
    });
  }

 private:
  int64_t operations() const { return 2 * sizes_.batch * sizes_.outputs * sizes_.out_count() * depth_ * taps_; }

  struct Region {
    int64_t image, group, plane, row, rows, column, columns;
  };

  void run_unit(int64_t unit, float* patch, ConvTap* taps) const {
    Region r{};
    r.column = unit % column_parts_ * columns_;
    unit /= column_parts_;
    r.row = unit % row_parts_ * rows_;
    unit /= row_parts_;
    r.plane = unit % g_.out[0];
    unit /= g_.out[0];
    r.group = unit % sizes_.groups;
    r.image = unit / sizes_.groups;
    r.rows = std::min(rows_, g_.out[1] - r.row);
    r.columns = std::min(columns_, g_.out[2] - r.column);
    const PatchLayout layout(g_, 1, r.rows, r.columns);
    for (int64_t channel = 0; channel < depth_; channel += channels_) {
      const int64_t count = std::min(channels_, depth_ - channel);
      fill(layout, r, channel, count, patch);
      run_rows(layout, r, channel, count, patch, taps);
    }
  }

  void fill(const PatchLayout& layout, const Region& r, int64_t channel, int64_t count, float* patch) const {
    const int64_t in = g_.in[0] * g_.in[1] * g_.in[2];
    const float* x = ctx_.input(0).data<float>() + (r.image * sizes_.channels + r.group * depth_ + channel) * in;
    const int64_t y0 = r.row * g_.stride[1] - g_.begin[1], x0 = r.column * g_.stride[2] - g_.begin[2];
    for (int64_t c = 0; c < count; ++c, x += in) {
      for (int64_t kz = 0; kz < g_.kernel[0]; ++kz) {
        const int64_t z = r.plane * g_.stride[0] - g_.begin[0] + kz * g_.dilation[0];
        if (z < 0 || z >= g_.in[0]) continue;
        float* to = patch + c * layout.block_size + kz * layout.plane_size;
        const int64_t first = std::max<int64_t>(0, -y0), last = std::min(layout.rows, g_.in[1] - y0);
        for (int64_t row = first; row < last; ++row)
          fill_patch_row(g_, layout, 1, x + (z * g_.in[1] + y0 + row) * g_.in[2], x0, copy_,
                         to + row * layout.row_size);
      }
    }
  }

  int64_t list_taps(const PatchLayout& layout, const TapsInside& inside, int64_t channels, ConvTap* taps) const {
    int64_t count = 0;
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t kz = inside.planes[0]; kz < inside.planes[1]; ++kz) {
        for (int64_t ky = inside.rows[0]; ky < inside.rows[1]; ++ky) {
          const int64_t row = c * layout.block_size + kz * layout.plane_size + ky * g_.dilation[1] * layout.row_size;
          const int64_t index = c * taps_ + (kz * g_.kernel[1] + ky) * g_.kernel[2];
          for (int64_t kx = 0; kx < g_.kernel[2]; ++kx) {
            const int64_t column = kx * g_.dilation[2], phase = column % g_.stride[2];
            const int64_t place = layout.phase_place(phase) * layout.phase_columns + column / g_.stride[2];
            taps[count++] = {static_cast<int32_t>(row + place), static_cast<int32_t>(index + kx)};
          }
        }
      }
    }
    return count;
  }

  void run_rows(const PatchLayout& layout, const Region& r, int64_t channel, int64_t count, const float* patch,
                ConvTap* taps) const {
    const int64_t filters = sizes_.group_outputs(), out = g_.out[0] * g_.out[1] * g_.out[2];
    float start[kMostRowFilters] = {};
    if (ctx_.has_input(2)) std::copy_n(ctx_.input(2).data<float>() + r.group * filters, filters, start);
    const bool finishes = channel + count == depth_;
    RowTileArgs t;
    t.taps = taps;
    t.w = w_ + (r.group * depth_ + channel) * taps_ * tiles_.filters;
    t.start = channel == 0 ? start : nullptr;
    t.y_step = out;
    t.filters = filters;
    t.low = finishes ? end_.low : ConvEnd().low;
    t.high = finishes ? end_.high : ConvEnd().high;
    TapsInside listed;
    for (int64_t row = 0; row < r.rows; ++row) {
      if (const TapsInside inside(g_, r.plane, r.row + row); !(inside == listed)) {
        listed = inside;
        t.tap_count = list_taps(layout, inside, count, taps);
      }
      const int64_t place = ((r.plane * g_.out[1]) + r.row + row) * g_.out[2] + r.column;
      float* y = ctx_.output(0).data<float>() + (r.image * sizes_.outputs + r.group * filters) * out + place;
      const float* x = patch + row * g_.stride[1] * layout.row_size;
      int choice = 0;
      for (int64_t column = 0; column < r.columns; column += tiles_.columns[choice]) {
        t.columns = r.columns - column;
        // The widest that is filled but for its last vector.
        const int64_t narrowest = tiles_.columns[tiles_.count - 1];
        while (choice + 1 < tiles_.count && tiles_.columns[choice] >= t.columns + narrowest) ++choice;
        t.x = x + column;
        t.y = y + column;
        tiles_.tile[choice](t);
      }
    }
  }

  KernelContext& ctx_;
  const ConvSizes& sizes_;
  const RowTiles::Choice& tiles_;
  Im2col g_;
  int64_t depth_, taps_;
  void (*copy_)(const float* from, int64_t step, int64_t count, float* to);
  const float* w_;
  ConvEnd end_;
  int64_t columns_ = 0, rows_ = 0, column_parts_ = 0, row_parts_ = 0;  // of a region; regions of a plane
  int64_t channels_ = 0;                                               // in a patch at once
};

}  // namespace

bool suits_rows(const NodeFacts& facts) {
  const auto w = facts.input(1).known_shape();
  if (facts.dtype(0) != DType::f32 || !w || w->size() < 3 || w->size() > 5) return false;
  if (count_of(*w) == 0 || !facts.has_rank(0)) return false;
  const FilterSizes s = filter_sizes(facts);
  if (s.outputs < 1 || s.outputs > kMostRowFilters || s.taps < 2 || s.taps > kMaxTaps) return false;
  if (s.groups > 1 && s.depth == 1 && w->size() < 5) return false;  // depthwise
  const Dim& columns = facts.dim(0, facts.rank(0) - 1);
  if (columns.is_known() && columns.known() < kLeastColumns) return false;
  return fits_patch(facts, 1, 1).accepted();
}

int64_t row_weights_bytes(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  return s.groups * s.depth * s.taps * choice_for(s.outputs).filters * static_cast<int64_t>(sizeof(float));
}

Result<Tensor> pack_row_weights(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  const int64_t width = choice_for(s.outputs).filters, rows = s.depth * s.taps;
  SDX_ASSIGN(Tensor packed, Tensor::allocate(DType::f32, Shape{s.groups, rows, width}));
  const float* from = facts.constant(1)->data<float>();
  for (int64_t group = 0; group < s.groups; ++group)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t f = 0; f < width; ++f)
        packed.data<float>()[(group * rows + row) * width + f] =
            f < s.outputs ? from[(group * s.outputs + f) * rows + row] : 0.0f;
  return packed;
}

Dim row_conv_scratch(const ScratchFacts& facts) { return ScratchSize(facts).slots(Dim(kSlotBytes)).bytes(); }

Status run_row_conv(KernelContext& ctx, const ConvSizes& sizes, const Tensor& weights, const ConvEnd& end) {
  ScratchSlots slots = ScratchParts(ctx).slots(kSlotBytes);
  return RowConv(ctx, sizes, weights, end).run(slots);
}

}  // namespace sdx::ops
