#include "ops/conv/blocked_weights.h"

#include <algorithm>

#include "kernel/weight_parts.h"

namespace sdx::ops {

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

int64_t blocked_weights_bytes(const NodeFacts& facts) {
  const FilterSizes sizes = filter_sizes(facts);
  return sizes.groups * PanelLayout(sizes, blocked_tiles()).group_size * static_cast<int64_t>(sizeof(float));
}

Status pack_blocked_weights(const NodeFacts& facts, int64_t block, BlockedWeights& weights) {
  return pack_blocked_weights(facts, block, weights, [](const float*, int64_t, int64_t) {});
}

Status pack_blocked_weights(const NodeFacts& facts, int64_t block, BlockedWeights& weights, SeeFilters see) {
  const FilterSizes s = filter_sizes(facts);
  const BlockedTiles& tiles = blocked_tiles();
  weights.tiles = &tiles;
  const PanelLayout layout(s, tiles);
  const int64_t size = s.groups * layout.group_size;
  SDX_ASSIGN(weights.packed, Tensor::allocate(DType::f32, Shape{size}));
  const float* w = facts.constant(1)->data<float>();
  const int64_t filter_step = s.depth * s.taps;
  const auto part = static_cast<int64_t>(WeightParts::kPart / sizeof(float));
  const int64_t together = std::max<int64_t>(part / (filter_step * kChannelBlock), 1) * kChannelBlock;  // filters
  WeightParts parts;
  for (int64_t group = 0; group < s.groups; ++group) {
    const float* read = nullptr;
    for (int64_t out = 0; out < layout.blocks; ++out) {
      const int64_t filter = out * kChannelBlock, first = filter / together * together;
      if (filter == first) {
        const int64_t count = std::min(together, s.outputs - first), of_all = group * s.outputs + first;
        read = parts.floats(w + of_all * filter_step, count * filter_step);
        see(read, of_all, count);
      }
      const int64_t panel = out / tiles.panel_blocks;
      const int64_t width = panel < layout.panels ? layout.width : layout.narrow_width;
      float* to = weights.packed.data<float>() + group * layout.group_size + panel * layout.panel_size +
                  out % tiles.panel_blocks * kChannelBlock;
      const float* from = read + (filter - first) * filter_step;
      const int64_t filters = std::min(kChannelBlock, s.outputs - filter);
      if (layout.by_channel) {
        tiles.pack_filters(from, filter_step, filters, s.depth * s.taps, 1, to, width);
        continue;
      }
      for (int64_t c = 0; c < s.depth; c += block)
        tiles.pack_filters(from + c * s.taps, filter_step, filters, std::min(block, s.depth - c), s.taps,
                           to + c * s.taps * width, width);
    }
  }
  return {};
}

}  // namespace sdx::ops
