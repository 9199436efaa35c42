#include "ops/conv/blocked_grouped.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "ops/conv/blocked_direct.h"
#include "ops/conv/tile_row.h"

namespace sdx::ops {
namespace {

constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kLeastTiles = 2, kMostTiles = 32;  // of a part
constexpr int64_t kLeastOperations = 500'000;        // that another thread is asked for

// The blocks of y that a group's tiles write. Groups that share a block each write their lanes of it or, merged, the
// last of them writes it all.
struct GroupBlocks {
  int64_t first, count;
  int64_t before, behind;  // lanes of the first and of the last block that others write
  GroupBlocks(int64_t group, const FilterSizes& s, bool merged)
      : first(group * s.outputs / kChannelBlock), before(group * s.outputs % kChannelBlock) {
    const int64_t end = (group + 1) * s.outputs;
    count = (merged && group + 1 < s.groups ? end / kChannelBlock : channel_blocks(end)) - first;
    behind = merged ? 0 : (first + count) * kChannelBlock - end;
  }
};

// Panels [input channel][lanes] of each group, lanes as they lie in y, zero where they are of no group that writes
// them.
struct GroupedWeights : KernelState {
  const BlockedTiles* tiles = nullptr;
  Tensor packed;
};

// No block is of three groups.
bool merges(const FilterSizes& s, const BlockedTiles& tiles) {
  return tiles.shared[0] != nullptr && s.outputs >= kChannelBlock;
}

int64_t blocks_of_groups(const FilterSizes& s, int64_t groups, bool merged) {
  int64_t blocks = 0;
  for (int64_t group = 0; group < groups; ++group) blocks += GroupBlocks(group, s, merged).count;
  return blocks;
}

// Groups after which outputs are whole blocks.
int64_t groups_in_set(int64_t outputs) { return kChannelBlock / std::gcd(outputs, kChannelBlock); }

class GroupedConv {
 public:
  GroupedConv(KernelContext& ctx, const ConvSizes& sizes, const GroupedWeights& weights, const float* bias,
              std::span<int64_t> places, const FusedActivation& activation)
      : ctx_(ctx),
        tiles_(*weights.tiles),
        s_{sizes.group_outputs(), sizes.group_channels(), 1, sizes.groups},
        batch_(sizes.batch),
        channels_(sizes.channels),
        outputs_(sizes.outputs),
        positions_(sizes.out_count()),
        set_(groups_in_set(s_.outputs)),
        merged_(merges(s_, tiles_)),
        w_(weights.packed.data<float>()),
        bias_(bias),
        places_(places),
        activation_(activation) {
    const auto order = ctx.attr_ints("input_order");
    for (int64_t i = 0; i < channels_; ++i) {
      const int64_t channel = order.empty() ? i : order[static_cast<size_t>(i)];
      places[static_cast<size_t>(i)] = channel / kChannelBlock * positions_ * kChannelBlock + channel % kChannelBlock;
    }
  }

  // Groups that share blocks are one thread's.
  Status run() const {
    const int64_t sets = ceil_div(s_.groups, set_), tile = tiles_.max_pixels;
    const int64_t wanted = std::max<int64_t>(1, kEnoughUnits / (batch_ * sets));
    const int64_t columns = std::clamp(ceil_div(ceil_div(positions_, wanted), tile), kLeastTiles, kMostTiles) * tile;
    const int64_t parts = ceil_div(positions_, columns), units = batch_ * sets * parts;
    const int64_t operations = 2 * set_ * s_.outputs * s_.depth * std::min(columns, positions_);
    const int64_t grain = std::max<int64_t>(1, kLeastOperations / operations);
    return parallel_ranges(ctx_, units, grain, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t column = unit % parts * columns, set = unit / parts % sets, image = unit / parts / sets;
        run_part(image, set * set_, column, std::min(columns, positions_ - column));
      }
    });
  }

 private:
  void run_part(int64_t image, int64_t first_group, int64_t column, int64_t columns) const {
    const int64_t last_group = std::min(first_group + set_, s_.groups);
    const float* w = w_ + blocks_of_groups(s_, first_group, merged_) * s_.depth * kChannelBlock;
    for (int64_t group = first_group; group < last_group; ++group) {
      const GroupBlocks blocks(group, s_, merged_);
      run_group(image, group, blocks, column, columns, w);
      w += blocks.count * s_.depth * kChannelBlock;
    }
    const int64_t first = first_group * s_.outputs / kChannelBlock;
    for (int64_t block = first; block < channel_blocks(last_group * s_.outputs); ++block)
      finish(image, block, column, columns);
  }

  void run_group(int64_t image, int64_t group, const GroupBlocks& blocks, int64_t column, int64_t columns,
                 const float* w) const {
    const int64_t in_blocks = channel_blocks(channels_), out_blocks = channel_blocks(outputs_);
    const float* x = ctx_.input(0).data<float>() + (image * in_blocks * positions_ + column) * kChannelBlock;
    float* y = ctx_.output(0).data<float>();
    const float* z = ctx_.has_input(3) ? ctx_.input(3).data<float>() : nullptr;
    ConvTileArgs t;
    t.listed = places_.data() + group * s_.depth;
    t.listed_before = group > 0 ? t.listed - s_.depth : nullptr;
    t.listed_count = s_.depth;
    t.y_block = positions_ * kChannelBlock;
    t.finishes = true;
    t.end = tile_end(activation_);
    for (int64_t block = 0; block < blocks.count;) {
      const bool narrow = blocks.count - block < tiles_.panel_blocks;
      const int64_t width = narrow ? 1 : tiles_.panel_blocks;
      t.width = width * kChannelBlock;
      t.lanes_before = block == 0 ? blocks.before : 0;
      t.lanes_behind = block + width == blocks.count ? blocks.behind : 0;
      t.w = w + block * s_.depth * kChannelBlock;
      t.bias = bias_ + (blocks.first + block) * kChannelBlock;
      const int64_t place = ((image * out_blocks + blocks.first + block) * positions_ + column) * kChannelBlock;
      tile_row(narrow, merged_ && t.lanes_before > 0)
          .run(t, columns, x, kChannelBlock, y + place, z != nullptr ? z + place : nullptr);
      block += width;
    }
  }

  TileRow tile_row(bool narrow, bool shared) const {
    TileRow row{.tiles = narrow ? tiles_.listed_narrow : tiles_.listed, .most = tiles_.max_pixels};
    if (shared) {
      row.tiles = narrow ? tiles_.shared_narrow : tiles_.shared;
    } else if (narrow) {
      row.full = tiles_.listed_full_narrow;
      row.full_pixels = tiles_.full_narrow_pixels;
    }
    return row;
  }

  // What tiles cannot do, and zeros in lanes that are no channel.
  void finish(int64_t image, int64_t block, int64_t column, int64_t columns) const {
    float* y = ctx_.output(0).data<float>() +
               ((image * channel_blocks(outputs_) + block) * positions_ + column) * kChannelBlock;
    if (!ends_in_tile(activation_)) activation_.apply(y, static_cast<size_t>(columns * kChannelBlock));
    const int64_t channels = outputs_ - block * kChannelBlock;
    if (channels < kChannelBlock) clear_lanes(y, channels, columns);
  }

  KernelContext& ctx_;
  const BlockedTiles& tiles_;
  FilterSizes s_;
  int64_t batch_, channels_, outputs_, positions_;
  int64_t set_;
  bool merged_;
  const float* w_;
  const float* bias_;
  std::span<const int64_t> places_;  // of the input's channels in the order in which they are taken
  FusedActivation activation_;
};

}  // namespace

Verdict can_run_grouped(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  if (has_plain_input(facts.attributes())) return no("groups of channels that are not blocked");
  const bool aligned = s.depth % kChannelBlock == 0 && s.outputs % kChannelBlock == 0;
  if ((s.groups == 1 || aligned) && !facts.attributes().has("input_order"))
    return no("channels in whole blocks, in their order");
  const auto all = [&](std::string_view name, int64_t value) {
    return std::ranges::all_of(facts.attr_ints(name), [&](int64_t own) { return own == value; });
  };
  if (s.taps != 1 || !all("strides", 1) || !all("pads", 0)) return no("groups that are no whole blocks of channels");
  if (s.outputs < kChannelBlock / 2 && s.groups > 1) return no("groups of few filters");
  return yes();
}

int64_t grouped_bytes(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  return blocks_of_groups(s, s.groups, merges(s, blocked_tiles())) * s.depth * kChannelBlock *
         static_cast<int64_t>(sizeof(float));
}

Result<std::unique_ptr<KernelState>> prepare_grouped(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  auto state = std::make_unique<GroupedWeights>();
  state->tiles = &blocked_tiles();
  const int64_t panel_blocks = state->tiles->panel_blocks;
  SDX_ASSIGN(state->packed, Tensor::allocate(DType::f32, Shape{grouped_bytes(facts) / 4}));
  std::memset(state->packed.bytes(), 0, state->packed.byte_size());
  const float* from = facts.constant(1)->data<float>();
  float* to = state->packed.data<float>();
  const bool merged = merges(s, *state->tiles);
  for (int64_t group = 0; group < s.groups; ++group) {
    GroupBlocks blocks(group, s, merged);
    float* const next = to + blocks.count * s.depth * kChannelBlock;
    for (int64_t filter = group * s.outputs; filter < (group + 1) * s.outputs; ++filter, from += s.depth) {
      if (filter / kChannelBlock == blocks.first + blocks.count) {  // the next group writes it
        blocks = GroupBlocks(group + 1, s, merged);
        to = next;
      }
      const int64_t lane = filter - blocks.first * kChannelBlock, block = lane / kChannelBlock;
      const int64_t panel = block / panel_blocks * panel_blocks;
      const bool narrow = blocks.count - panel < panel_blocks;
      const int64_t width = narrow ? kChannelBlock : panel_blocks * kChannelBlock;
      const int64_t first = narrow ? block : panel;
      float* column = to + first * s.depth * kChannelBlock + lane - first * kChannelBlock;
      for (int64_t i = 0; i < s.depth; ++i) column[i * width] = from[i];
    }
    to = next;
  }
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim grouped_scratch(const ScratchFacts& facts) {
  const FilterSizes s = filter_sizes(facts.node);
  return ScratchSize(facts)
      .part(Dim(channel_blocks(s.outputs * s.groups) * kChannelBlock), sizeof(float))
      .part(Dim(s.depth * s.groups), sizeof(int64_t))
      .bytes();
}

Status run_grouped(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  const std::span<int64_t> places = scratch.take<int64_t>(sizes.channels);
  return GroupedConv(ctx, sizes, ctx.state<GroupedWeights>(), bias, places, activation).run();
}

}  // namespace sdx::ops
