#include "ops/conv/blocked_weights.h"

#include <algorithm>
#include <span>
#include <vector>

#include "kernel/weight_parts.h"
#include "ops/half.h"

namespace sdx::ops {
namespace {

bool has_halves(const NodeFacts& facts) { return facts.dtype(1) == DType::f16; }
bool keeps_halves(const NodeFacts& facts, const BlockedTiles& tiles) {
  return has_halves(facts) && tiles.half_panel[0] != nullptr;
}

// Filters as floats, and as halves where they are kept so; until others are read.
class FilterReader {
 public:
  FilterReader(const NodeFacts& facts, int64_t filter_size)
      : w_(*facts.constant(1)),
        factor_(facts.has_input(4) ? facts.constant(4)->data<float>() : nullptr),
        size_(filter_size) {}

  const float* floats(int64_t first, int64_t count) {
    if (w_.dtype() == DType::f32) return parts_.floats(w_.data<float>() + first * size_, count * size_);
    const uint16_t* from = halves(first, count);
    wide_.resize(std::max(wide_.size(), static_cast<size_t>(count * size_)));
    for (int64_t i = 0; i < count; ++i)
      widen(from + i * size_, first + i, {wide_.data() + i * size_, static_cast<size_t>(size_)});
    return wide_.data();
  }
  const uint16_t* halves(int64_t first, int64_t count) {
    return parts_.halves(reinterpret_cast<const uint16_t*>(w_.raw()) + first * size_, count * size_);
  }
  // Elements of a filter.
  void widen(const uint16_t* from, int64_t filter, std::span<float> to) const {
    half_to_f32(w_.dtype(), from, to.data(), to.size());
    if (factor_ == nullptr) return;
    for (float& v : to) v *= factor_[filter];
  }

 private:
  const Tensor& w_;
  const float* factor_;
  int64_t size_;
  WeightParts parts_;
  BlockVector<float> wide_;
};

// 16 filters, as a column of a panel's rows.
template <typename T, typename Pack>
void pack_column(const FilterSizes& s, int64_t block, const PanelLayout& layout, Pack pack, const T* from,
                 int64_t filters, T* to, int64_t width) {
  const int64_t filter_step = s.depth * s.taps;
  if (layout.by_channel) return pack(from, filter_step, filters, filter_step, 1, to, width);
  for (int64_t c = 0; c < s.depth; c += block)
    pack(from + c * s.taps, filter_step, filters, std::min(block, s.depth - c), s.taps, to + c * s.taps * width, width);
}

}  // namespace

FilterSizes filter_sizes(const NodeFacts& facts) {
  const Shape w = *facts.input(1).known_shape();
  FilterSizes sizes{.groups = facts.attr_int("group", 1)};
  sizes.outputs = w[0] / sizes.groups;
  sizes.depth = w[1];
  sizes.taps = count_range(w, 2, w.size());
  return sizes;
}

PanelLayout::PanelLayout(const FilterSizes& sizes, const BlockedTiles& tiles)
    : blocks(channel_blocks(sizes.outputs)),
      panels(blocks / tiles.panel_blocks),
      has_narrow(blocks % tiles.panel_blocks != 0),
      width(tiles.panel_blocks * kChannelBlock),
      narrow_width(kChannelBlock),
      panel_size(sizes.depth * sizes.taps * width),
      group_size(sizes.depth * sizes.taps * blocks * kChannelBlock),
      by_channel(sizes.taps <= kTapsByChannel) {}

PanelLayout PanelLayout::of_halves() const {
  PanelLayout made = *this;
  for (int64_t* size : {&made.width, &made.narrow_width, &made.panel_size, &made.group_size}) *size /= 2;
  return made;
}

PanelLayout BlockedWeights::layout(const FilterSizes& sizes) const {
  const PanelLayout layout(sizes, *tiles);
  return has_halves() ? layout.of_halves() : layout;
}

int64_t blocked_weights_bytes(const NodeFacts& facts) {
  const FilterSizes sizes = filter_sizes(facts);
  const BlockedTiles& tiles = blocked_tiles();
  const PanelLayout layout(sizes, tiles);
  return sizes.groups * layout.group_size * (keeps_halves(facts, tiles) ? 2 : 4);
}

Status pack_blocked_weights(const NodeFacts& facts, int64_t block, BlockedWeights& weights,
                            const WindowSample* sample) {
  const FilterSizes s = filter_sizes(facts);
  const BlockedTiles& tiles = blocked_tiles();
  weights.tiles = &tiles;
  const PanelLayout layout(s, tiles);
  const int64_t size = s.groups * layout.group_size;
  const bool halves = keeps_halves(facts, tiles);
  SDX_ASSIGN(weights.packed, Tensor::allocate(halves ? DType::f16 : DType::f32, Shape{size}));
  const int64_t filter_step = s.depth * s.taps;
  const auto part = static_cast<int64_t>(WeightParts::kPart / sizeof(float));
  const int64_t together = std::max<int64_t>(part / (filter_step * kChannelBlock), 1) * kChannelBlock;  // filters
  FilterReader reader(facts, filter_step);
  std::vector<float> window(static_cast<size_t>(s.taps));
  for (int64_t group = 0; group < s.groups; ++group) {
    const float* floats = nullptr;
    const uint16_t* codes = nullptr;
    for (int64_t out = 0; out < layout.blocks; ++out) {
      const int64_t filter = out * kChannelBlock, first = filter / together * together;
      if (filter == first) {
        const int64_t count = std::min(together, s.outputs - first), of_all = group * s.outputs + first;
        if (halves) {
          codes = reader.halves(of_all, count);
        } else {
          floats = reader.floats(of_all, count);
        }
        const int64_t begin = of_all * s.depth, end = begin + count * s.depth;
        for (int64_t i = sample != nullptr ? begin + (sample->step - begin % sample->step) % sample->step : end;
             i < end; i += sample->step) {
          const int64_t at = (i - begin) * s.taps;
          if (halves) reader.widen(codes + at, i / s.depth, window);
          sample->see(halves ? window.data() : floats + at);
        }
      }
      const int64_t panel = out / tiles.panel_blocks;
      const int64_t width = panel < layout.panels ? layout.width : layout.narrow_width;
      const int64_t to =
          group * layout.group_size + panel * layout.panel_size + out % tiles.panel_blocks * kChannelBlock;
      const int64_t from = (filter - first) * filter_step, filters = std::min(kChannelBlock, s.outputs - filter);
      if (halves) {
        auto* packed = reinterpret_cast<uint16_t*>(weights.packed.raw());
        pack_column(s, block, layout, tiles.pack_halves, codes + from, filters, packed + to, width);
      } else {
        auto* packed = weights.packed.data<float>();
        pack_column(s, block, layout, tiles.pack_filters, floats + from, filters, packed + to, width);
      }
    }
  }
  return {};
}

}  // namespace sdx::ops
