#include "ops/conv/blocked_direct.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/conv/tile_row.h"

namespace sdx::ops {
namespace {

constexpr int64_t kSlotBytes = kMaxPatch * 4 + kMaxTaps * static_cast<int64_t>(sizeof(ConvTap));
static_assert(kSlotBytes % kTensorAlignment == 0);
constexpr int64_t kChunkFloats =
    16 << 10;                           // weights that a tile takes at once: they come from the second cache in time
constexpr int64_t kRegionPixels = 224;  // of a region with a copy
constexpr int64_t kInPlaceFloats = 64 << 10;  // input of a region without one
constexpr int64_t kInPlacePixels = 448;
constexpr int64_t kEnoughUnits = 16;
constexpr int64_t kLeastOperations = 500'000;  // that another thread is asked for

// Kernels of one element, which lies inside for every output.
bool reads_pixels(const Im2col& g) {
  for (int i = 0; i < 3; ++i)
    if (g.kernel[i] != 1 || g.begin[i] != 0 || (g.out[i] - 1) * g.stride[i] >= g.in[i]) return false;
  return true;
}
bool reads_in_place(const Im2col& g) {
  for (int i = 0; i < 3; ++i)
    if (g.stride[i] != 1 || g.in[i] != g.out[i]) return false;
  return reads_pixels(g);
}

class DirectConv {
 public:
  DirectConv(KernelContext& ctx, const ConvSizes& sizes, const BlockedWeights& weights, const float* bias,
             const float* factor)
      : ctx_(ctx),
        sizes_(sizes),
        tiles_(*weights.tiles),
        filters_{sizes.group_outputs(), sizes.group_channels(), sizes.kernel_count(), sizes.groups},
        layout_(weights.layout(filters_)),
        plain_(has_plain_input(ctx.attributes())),
        lanes_(plain_ ? 1 : kChannelBlock),
        g_(long_rows(make_im2col(sizes.windows))),
        step_(plain_ && PatchLayout(g_, 1, 1, 1).has_all_phases(g_) ? g_.stride[2] : 1),
        blocks_(plain_ ? 1 : channel_blocks(filters_.depth)),
        w_(weights.data()),
        bias_(bias),
        factor_(factor) {
    make_plan();
  }

  Status run(ScratchSlots* slots, const FusedActivation& activation) {
    activation_ = activation;
    const int64_t regions = sizes_.batch * sizes_.groups * g_.out[0] * plan_.row_parts * plan_.column_parts;
    const int64_t units = regions * plan_.panel_parts;
    const int64_t operations = 2 * sizes_.batch * sizes_.outputs * sizes_.out_count() * filters_.depth * filters_.taps;
    const int64_t grain = std::max<int64_t>(1, kLeastOperations / std::max<int64_t>(1, operations / units));
    std::array<int64_t, ScratchSlots::kMaxSlots> regions_in;  // of each slot
    regions_in.fill(-1);
    const std::byte* first = slots != nullptr ? ScratchSlots::Lease(*slots).memory() : nullptr;
    return parallel_ranges(ctx_, units, grain, [&](int64_t begin, int64_t end) {
      if (slots == nullptr) {
        ConvTap tap{0, 0};
        int64_t region = -1;
        for (int64_t unit = begin; unit < end; ++unit) run_unit(unit, nullptr, region, &tap);
        return;
      }
      const ScratchSlots::Lease lease(*slots);
      auto* patch = reinterpret_cast<float*>(lease.memory());
      auto* taps = reinterpret_cast<ConvTap*>(lease.memory() + kMaxPatch * 4);
      int64_t& region = regions_in[(lease.memory() - first) / kSlotBytes];
      for (int64_t unit = begin; unit < end; ++unit) run_unit(unit, patch, region, taps);
    });
  }

  bool in_place() const { return plan_.in_place; }

 private:
  struct Region {
    int64_t image, group, plane, row, rows, column, columns;
  };

  void make_plan() {
    DirectPlan& p = plan_;
    p.in_place = !plain_ && reads_in_place(g_);
    const int64_t gathered = kMaxPatch / (blocks_ * kChannelBlock);
    p.one_row = p.in_place || (!plain_ && reads_pixels(g_) && gathered >= tiles_.max_pixels);
    if (p.one_row) {
      source_ = g_;
      g_.out[2] = g_.out[0] * g_.out[1] * g_.out[2];
      g_.out[0] = g_.out[1] = 1;
      int64_t fit = std::clamp<int64_t>(kInPlaceFloats / filters_.depth, 4 * tiles_.max_pixels, kInPlacePixels);
      if (!p.in_place) fit = std::min(std::max(fit, g_.out[2]), gathered);
      p.columns = g_.out[2];
      if (p.columns > fit)
        p.columns = even_part(p.columns, fit / tiles_.max_pixels * tiles_.max_pixels, tiles_.max_pixels);
      p.rows = 1;
      p.copied_blocks = blocks_;
    } else {
      const auto block_size = [&](int64_t rows) {
        return patch_layout(rows, p.columns).block_size * planes_in_block();
      };
      const auto longest = kRegionPixels / tiles_.max_pixels * tiles_.max_pixels;
      p.columns = even_part(g_.out[2], longest, tiles_.max_pixels);
      while (p.columns > 1 && block_size(1) > kMaxPatch) p.columns = ceil_div(p.columns, 2);
      p.rows = std::clamp<int64_t>(kRegionPixels / p.columns, 1, g_.out[1]);
      int64_t whole = p.rows;  // rows whose copy holds all channels
      while (whole > 0 && block_size(whole) * blocks_ > kMaxPatch) --whole;
      if (whole * p.columns >= kRegionPixels / 4) p.rows = whole;
      while (p.rows > 1 && block_size(p.rows) > kMaxPatch) --p.rows;
      p.rows = even_part(g_.out[1], p.rows, 1);
      p.copied_blocks = std::min(blocks_, kMaxPatch / block_size(p.rows));
    }
    p.row_parts = ceil_div(g_.out[1], p.rows);
    p.column_parts = ceil_div(g_.out[2], p.columns);
    p.chunk_blocks = std::max<int64_t>(1, kChunkFloats / (filters_.taps * lanes_ * layout_.width));
    const int64_t regions = sizes_.batch * sizes_.groups * g_.out[0] * p.row_parts * p.column_parts;
    const int64_t most_parts = ceil_div(layout_.panel_count(), 2);
    p.panel_parts = std::clamp<int64_t>(kEnoughUnits / regions, 1, most_parts);
  }

  // Tiles lie along rows: a last axis of one element is left out, and the one before it is the row.
  Im2col long_rows(const Im2col& g) const {
    const auto is_one = [&](int i) { return g.in[i] == 1 && g.out[i] == 1 && g.kernel[i] == 1 && g.begin[i] == 0; };
    if (!is_one(2) || g.stride[1] > kMaxPatchStride) return g;
    Im2col made = g;
    for (auto* list : {made.in, made.out, made.kernel, made.stride, made.dilation, made.begin}) {
      list[2] = list[1];
      list[1] = list[0];
      list[0] = 1;
    }
    made.begin[0] = 0;
    return PatchLayout(made, lanes_, 1, 1).block_size * planes_in_block() > kMaxPatch ? g : made;
  }
  // Columns of a plain x stay in order where all are read: tiles step over them.
  Im2col patch_sizes() const {
    Im2col made = g_;
    made.stride[2] /= step_;
    return made;
  }
  PatchLayout patch_layout(int64_t rows, int64_t columns) const {
    return {patch_sizes(), lanes_, rows, (columns - 1) * step_ + 1};
  }
  // Planes of x that a block of its channels takes: all of a plain x are one block.
  int64_t planes_in_block() const { return plain_ ? filters_.depth : 1; }

  // Panels are counted in pairs, so that tiles of two panels stay together.
  // `copied`: the region that the patch is of; units of one region follow each other.
  void run_unit(int64_t unit, float* patch, int64_t& copied, ConvTap* taps) const {
    const int64_t pairs = ceil_div(layout_.panel_count(), 2);
    const int64_t part = unit % plan_.panel_parts;
    const int64_t first = 2 * (pairs * part / plan_.panel_parts);
    const int64_t last = std::min(layout_.panel_count(), 2 * (pairs * (part + 1) / plan_.panel_parts));
    Region r{};
    unit /= plan_.panel_parts;
    const bool has_copy = copied == unit && plan_.copied_blocks >= blocks_;
    copied = unit;
    r.column = unit % plan_.column_parts * plan_.columns;
    unit /= plan_.column_parts;
    r.row = unit % plan_.row_parts * plan_.rows;
    unit /= plan_.row_parts;
    r.plane = unit % g_.out[0];
    unit /= g_.out[0];
    r.group = unit % sizes_.groups;
    r.image = unit / sizes_.groups;
    r.rows = std::min(plan_.rows, g_.out[1] - r.row);
    r.columns = std::min(plan_.columns, g_.out[2] - r.column);
    const PatchLayout layout = patch_layout(r.rows, r.columns);
    const int64_t in = g_.in[0] * g_.in[1] * g_.in[2];
    const float* x =
        ctx_.input(0).data<float>() + (r.image * ceil_div(sizes_.channels, lanes_) + r.group * blocks_) * in * lanes_;
    for (int64_t block = 0; block < blocks_; block += plan_.copied_blocks) {
      const int64_t count = std::min(plan_.copied_blocks, blocks_ - block);
      const float* from = x + block * in * lanes_;
      if (plan_.in_place) {
        run_panels(layout, r, from + r.column * lanes_, in * lanes_, block, count, first, last, taps);
        continue;
      }
      if (has_copy) {
      } else if (plan_.one_row) {
        gather_pixels(r, from, count, patch);
      } else {
        fill_patch(layout, r, from, count * planes_in_block(), patch);
      }
      const int64_t block_size = plan_.one_row ? r.columns * kChannelBlock : layout.block_size;
      run_panels(layout, r, patch, block_size, block, count, first, last, taps);
    }
  }

  void fill_patch(const PatchLayout& layout, const Region& r, const float* x, int64_t blocks, float* patch) const {
    const int64_t y0 = r.row * g_.stride[1] - g_.begin[1], x0 = r.column * g_.stride[2] - g_.begin[2];
    const auto copy = plain_ ? tiles_.copy_floats : tiles_.copy_blocks;
    for (int64_t block = 0; block < blocks; ++block, x += g_.in[0] * g_.in[1] * g_.in[2] * lanes_) {
      for (int64_t kz = 0; kz < g_.kernel[0]; ++kz) {
        const int64_t z = r.plane * g_.stride[0] - g_.begin[0] + kz * g_.dilation[0];
        if (z < 0 || z >= g_.in[0]) continue;
        float* to = patch + block * layout.block_size + kz * layout.plane_size;
        for (int64_t row = 0; row < layout.rows; ++row) {
          if (y0 + row < 0 || y0 + row >= g_.in[1]) continue;
          fill_patch_row(patch_sizes(), layout, lanes_, x + (z * g_.in[1] + y0 + row) * g_.in[2] * lanes_, x0, copy,
                         to + row * layout.row_size);
        }
      }
    }
  }

  // patch[block][pixel][lane] of the region's pixels.
  void gather_pixels(const Region& r, const float* x, int64_t blocks, float* patch) const {
    const Im2col& g = source_;
    const int64_t in = g.in[0] * g.in[1] * g.in[2], row_out = g.out[2];
    for (int64_t at = 0, count = 0; at < r.columns; at += count) {
      const int64_t pixel = r.column + at, row = pixel / row_out, column = pixel % row_out;
      count = std::min(row_out - column, r.columns - at);
      const int64_t place = (row / g.out[1] * g.stride[0] * g.in[1] + row % g.out[1] * g.stride[1]) * g.in[2];
      const float* from = x + (place + column * g.stride[2]) * kChannelBlock;
      for (int64_t block = 0; block < blocks; ++block)
        tiles_.copy_blocks(from + block * in * kChannelBlock, g.stride[2], count,
                           patch + (block * r.columns + at) * kChannelBlock);
    }
  }

  int64_t list_taps(const PatchLayout& layout, const TapsInside& inside, ConvTap* taps) const {
    int64_t count = 0;
    const int64_t stride = g_.stride[2] / step_;
    for (int64_t channel = 0; channel < planes_in_block(); ++channel) {
      for (int64_t kz = inside.planes[0]; kz < inside.planes[1]; ++kz) {
        for (int64_t ky = inside.rows[0]; ky < inside.rows[1]; ++ky) {
          for (int64_t kx = 0; kx < g_.kernel[2]; ++kx) {
            const int64_t column = kx * g_.dilation[2], phase = column % stride;
            const int64_t place = layout.phase_place(phase) * layout.phase_columns + column / stride;
            const int64_t offset = kz * layout.plane_size + ky * g_.dilation[1] * layout.row_size + place * lanes_;
            const int64_t index = (kz * g_.kernel[1] + ky) * g_.kernel[2] + kx;
            taps[count++] = {static_cast<int32_t>(channel * layout.block_size + offset),
                             static_cast<int32_t>(channel * filters_.taps + index)};
          }
        }
      }
    }
    return count;
  }

  void run_panels(const PatchLayout& layout, const Region& r, const float* source, int64_t block_step, int64_t block,
                  int64_t count, int64_t first, int64_t last, ConvTap* taps) const {
    const int64_t out = g_.out[0] * g_.out[1] * g_.out[2];
    const int64_t out_blocks = channel_blocks(sizes_.outputs);
    const bool wide = r.columns <= tiles_.max_wide_pixels && !plain_;
    ConvTileArgs t;
    t.block_step = block_step;
    t.depth = kChannelBlock;
    t.taps = taps;
    t.pixel_step = step_;
    t.panel_size = layout_.panel_size;
    t.y_block = out * kChannelBlock;
    t.end = tile_end(activation_);
    TapsInside listed;
    if (plan_.one_row) {
      taps[0] = {0, 0};
      t.tap_count = 1;
    }
    float* y = ctx_.output(0).data<float>();
    const float* z = ctx_.has_input(3) ? ctx_.input(3).data<float>() : nullptr;
    for (int64_t panel = first; panel < last;) {
      const bool narrow = panel == layout_.panels, two = wide && panel + 2 <= std::min(last, layout_.panels);
      const TileRow tiles = tile_row(narrow, two);
      t.width = narrow ? layout_.narrow_width : layout_.width;
      t.block_size = lanes_ * filters_.taps * t.width;
      t.channel_step = layout_.by_channel ? filters_.taps * t.width : t.width;
      t.tap_step = layout_.by_channel ? t.width : 0;
      const int64_t out_block = panel * tiles_.panel_blocks;
      const int64_t wanted = narrow ? 1 : (two ? 2 : 1) * tiles_.panel_blocks;
      const int64_t place =
          (r.image * out_blocks + r.group * layout_.blocks + out_block) * out + r.plane * g_.out[1] * g_.out[2];
      for (int64_t chunk = 0; chunk < count; chunk += plan_.chunk_blocks) {
        t.blocks = std::min(plan_.chunk_blocks, count - chunk);
        const int64_t at = block + chunk;
        t.finishes = at + t.blocks == blocks_;
        t.last_depth = t.finishes ? filters_.depth - (blocks_ - 1) * kChannelBlock : kChannelBlock;
        t.bias = at == 0 ? bias_ + (r.group * layout_.blocks + out_block) * kChannelBlock : nullptr;
        if (factor_ != nullptr) t.factor = factor_ + (r.group * layout_.blocks + out_block) * kChannelBlock;
        t.w = w_ + r.group * layout_.group_size + panel * layout_.panel_size + at * t.block_size;
        fetch_next(t, r, two ? 2 : 1, tiles.most);
        for (int64_t row = 0; row < r.rows; ++row) {
          if (!plan_.one_row) {
            if (const TapsInside inside(g_, r.plane, r.row + row); !(inside == listed)) {
              listed = inside;
              t.tap_count = list_taps(layout, inside, taps);
            }
          }
          const int64_t pixel = (place + (r.row + row) * g_.out[2] + r.column) * kChannelBlock;
          tiles.run(t, r.columns, source + chunk * block_step + row * g_.stride[1] * layout.row_size, lanes_ * step_,
                    y + pixel, z != nullptr ? z + pixel : nullptr);
          if (t.finishes) finish_row(pixel, r.columns, wanted, t.y_block, r.group, out_block);
        }
      }
      panel += two ? 2 : 1;
    }
  }

  // The weights of the next chunk, or of the next panels, come while those of this one are used.
  void fetch_next(ConvTileArgs& t, const Region& r, int64_t panels, int64_t pixels) const {
    const float* end = w_ + layout_.group_size * sizes_.groups;
    const int64_t chunk = t.blocks * t.block_size;
    t.next = t.w + (t.finishes ? panels - 1 : 0) * layout_.panel_size + chunk;
    t.next_lines = 0;
    if (plain_ || t.next + (panels - 1) * layout_.panel_size + chunk > end) return;
    const int64_t steps = r.rows * ceil_div(r.columns, pixels) * t.blocks * std::max<int64_t>(1, filters_.taps);
    t.next_lines = ceil_div(ceil_div(chunk, 16), steps);
  }

  TileRow tile_row(bool narrow, bool two) const {
    if (factor_ != nullptr) return half_row(narrow, two);
    TileRow row{.tiles = two      ? tiles_.wide
                         : narrow ? tiles_.narrow
                                  : tiles_.panel,
                .most = two ? tiles_.max_wide_pixels : tiles_.max_pixels};
    if (plain_) {
      row.tiles = narrow ? tiles_.plain_narrow : tiles_.plain;
      if (step_ <= 2) row.full = (narrow ? tiles_.plain_full_narrow : tiles_.plain_full)[step_ - 1];
      row.full_pixels = narrow ? tiles_.full_narrow_pixels : tiles_.full_pixels;
    } else if (narrow) {
      row.full = tiles_.full_narrow;
      row.full_pixels = tiles_.full_narrow_pixels;
    }
    return row;
  }

  TileRow half_row(bool narrow, bool two) const {
    if (two) return {.tiles = tiles_.half_wide, .most = tiles_.max_wide_pixels};
    if (!narrow) return {.tiles = tiles_.half_panel, .most = tiles_.max_pixels};
    return {tiles_.half_narrow, tiles_.max_pixels, tiles_.half_full_narrow, tiles_.full_narrow_pixels};
  }

  // What tiles cannot do, and zeros in lanes that are no channel.
  void finish_row(int64_t place, int64_t columns, int64_t blocks, int64_t y_block, int64_t group,
                  int64_t out_block) const {
    const bool fills_lanes = ctx_.has_input(3) || activation_(0) != 0;
    for (int64_t i = 0; i < blocks; ++i) {
      float* y = ctx_.output(0).data<float>() + place + i * y_block;
      if (!ends_in_tile(activation_)) activation_.apply(y, static_cast<size_t>(columns * kChannelBlock));
      const int64_t channels = sizes_.outputs - (group * layout_.blocks + out_block + i) * kChannelBlock;
      if (fills_lanes && channels < kChannelBlock) clear_lanes(y, channels, columns);
    }
  }

  KernelContext& ctx_;
  const ConvSizes& sizes_;
  const BlockedTiles& tiles_;
  FilterSizes filters_;
  PanelLayout layout_;
  bool plain_;
  int64_t lanes_;
  Im2col g_;
  int64_t step_;    // between pixels of a plain x in the copy
  Im2col source_;   // as it was before its pixels were taken as one row
  int64_t blocks_;  // of a group's input channels
  const float* w_;
  const float* bias_;
  const float* factor_;  // null: the weights are floats
  FusedActivation activation_;
  DirectPlan plan_;
};

}  // namespace

TapsInside::TapsInside(const Im2col& g, int64_t plane, int64_t row) {
  const auto range = [&](int axis, int64_t at, int64_t* bounds) {
    const int64_t from = at * g.stride[axis] - g.begin[axis], step = g.dilation[axis];
    if (from >= 0 && from + (g.kernel[axis] - 1) * step < g.in[axis]) {
      bounds[0] = 0;
      bounds[1] = g.kernel[axis];
      return;
    }
    bounds[0] = std::min(g.kernel[axis], from >= 0 ? 0 : ceil_div(-from, step));
    bounds[1] = std::clamp(from >= g.in[axis] ? 0 : ceil_div(g.in[axis] - from, step), bounds[0], g.kernel[axis]);
  };
  range(0, plane, planes);
  range(1, row, rows);
}

void fill_patch_row(const Im2col& g, const PatchLayout& layout, int64_t lanes, const float* row, int64_t x0,
                    void (*copy)(const float* from, int64_t step, int64_t count, float* to), float* to) {
  const int64_t stride = g.stride[2], columns = layout.phase_columns;
  for (int64_t phase = 0; phase < stride; ++phase) {
    if ((layout.phases >> phase & 1) == 0) continue;
    const int64_t from = x0 + phase;
    const int64_t begin = std::min(columns, from >= 0 ? 0 : ceil_div(-from, stride));
    const int64_t end = std::clamp(from >= g.in[2] ? 0 : ceil_div(g.in[2] - from, stride), begin, columns);
    std::memset(to, 0, static_cast<size_t>(begin * lanes) * sizeof(float));
    if (begin < end) copy(row + (from + begin * stride) * lanes, stride, end - begin, to + begin * lanes);
    std::memset(to + end * lanes, 0, static_cast<size_t>((columns - end) * lanes) * sizeof(float));
    to += columns * lanes;
  }
}

int64_t even_part(int64_t size, int64_t longest, int64_t unit) {
  if (size <= longest) return size;
  const int64_t part = ceil_div(size, ceil_div(size, longest));
  return std::min(size, ceil_div(part, unit) * unit);
}

void clear_lanes(float* y, int64_t channels, int64_t pixels) {
  for (int64_t pixel = 0; pixel < pixels; ++pixel)
    std::memset(y + pixel * kChannelBlock + channels, 0, static_cast<size_t>(kChannelBlock - channels) * sizeof(float));
}

PatchLayout::PatchLayout(const Im2col& g, int64_t lanes, int64_t out_rows, int64_t out_columns)
    : rows((out_rows - 1) * g.stride[1] + (g.kernel[1] - 1) * g.dilation[1] + 1),
      columns((out_columns - 1) * g.stride[2] + (g.kernel[2] - 1) * g.dilation[2] + 1),
      phase_columns(ceil_div(columns, g.stride[2])),
      phases(0) {
  for (int64_t kx = 0; kx < g.kernel[2] && kx < kMaxPatchStride; ++kx)
    phases |= uint64_t{1} << (kx * g.dilation[2] % g.stride[2]);
  row_size = std::popcount(phases) * phase_columns * lanes;
  plane_size = rows * row_size;
  block_size = g.kernel[0] * plane_size;
}

int64_t PatchLayout::phase_place(int64_t phase) const { return std::popcount(phases & ((uint64_t{1} << phase) - 1)); }

Verdict fits_patch(const NodeFacts& facts, int64_t lanes, int64_t planes) {
  const auto w = facts.input(1).known_shape();
  const std::span<const int64_t> kernel(w->begin() + 2, w->end());
  const auto windows = read_windows(facts.attributes(), kernel.size(), kernel);
  if (!windows.ok()) return no(std::string(windows.status().message()));
  const Shape ones(kernel.size(), 1);
  const Im2col g = make_im2col(resolve_windows(*windows, ones, ones));
  if (g.stride[2] > kMaxPatchStride) return no("a stride over 64");
  constexpr int64_t kLongest = 1 << 20;
  if (g.dilation[1] > kLongest || g.dilation[2] > kLongest || g.kernel[1] > kLongest || g.kernel[2] > kLongest)
    return no("a kernel that spans too much");
  if (PatchLayout(g, lanes, 1, 1).block_size > kMaxPatch / planes) return no("a kernel that spans too much");
  return yes();
}

Verdict can_run_direct(const NodeFacts& facts) {
  const FilterSizes s = filter_sizes(facts);
  const bool plain = has_plain_input(facts.attributes());
  if (s.groups != 1 && plain) return no("groups of channels that are not blocked");
  if (s.groups != 1 && (s.depth % kChannelBlock != 0 || s.outputs % kChannelBlock != 0))
    return no("groups that are no whole blocks of channels");
  if (s.taps * (plain ? s.depth : 1) > kMaxTaps) return no("more kernel elements than a list holds");
  return fits_patch(facts, plain ? 1 : kChannelBlock, plain ? s.depth : 1);
}

Dim direct_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const int64_t outputs = filter_sizes(facts.node).outputs * facts.node.attr_int("group", 1);
  size.part(Dim(2 * channel_blocks(outputs) * kChannelBlock), sizeof(float));  // bias and factor
  return size.slots(Dim(kSlotBytes)).bytes();
}

Status run_direct(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  const auto& weights = ctx.state<BlockedWeights>();
  const float* factor = weights.has_halves() ? factor_lanes(ctx, sizes, scratch) : nullptr;
  DirectConv conv(ctx, sizes, weights, bias, factor);
  if (conv.in_place()) return conv.run(nullptr, activation);
  ScratchSlots slots = scratch.slots(kSlotBytes);
  return conv.run(&slots, activation);
}

}  // namespace sdx::ops
