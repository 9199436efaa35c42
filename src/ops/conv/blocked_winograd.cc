#include "ops/conv/blocked_winograd.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/knobs.h"
#include "kernel/scratch_parts.h"
#include "ops/conv/blocked_direct.h"
#include "ops/conv/winograd_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMaxTiles = 64;               // of a region
constexpr int64_t kMaxTileChannels = 16 << 10;  // tiles * channels of a region
constexpr int64_t kChunkChannels = 256;         // of the input, whose weights are transformed at once
constexpr int64_t kFusedChannels = 64;          // the same, where the transform stays in registers
constexpr int64_t kMostFusedTiles = 8;
constexpr int64_t kFusedLines = 3;        // of points at a time, where several threads share a panel
constexpr int64_t kTilesOfThread = 64;    // times blocks of channels, whose transforms another thread is asked for
constexpr int64_t kLine = 16;             // floats in a line of a cache
constexpr int64_t kMaxWidth = 32;         // of a panel
constexpr int64_t kMostSums = 128 << 10;  // floats that wait for all lines of points
constexpr int64_t kLeastChannels = 16;

// What a region with room for so many tiles takes, in floats; steps are odd numbers of lines, so that the 36 do not
// meet in a cache.
struct RegionSizes {
  RegionSizes(int64_t channels, int64_t tiles)
      : room(tiles <= kMostFusedTiles ? ceil_div(tiles, kFusedTiles) * kFusedTiles : tiles),
        v_step(channel_blocks(channels) * room * kChannelBlock + kLine),
        m_step(kMaxWidth * room + kLine),
        u_step(std::min(channels, kChunkChannels) * kMaxWidth + kLine) {}
  bool is_fused() const { return room <= kMostFusedTiles; }
  int64_t room, v_step, m_step, u_step;
  int64_t inputs() const { return kWinogradPoints * v_step; }
  int64_t sums() const { return kWinogradPoints * m_step; }
  int64_t weights() const { return is_fused() ? 0 : kWinogradLine * u_step; }
  int64_t products() const { return sums() + weights(); }
};

// How the tiles of an image are cut.
struct Regions {
  Regions(int64_t channels, int64_t all) {
    const int64_t most = std::clamp<int64_t>(kMaxTileChannels / channels, 4, kMaxTiles);
    tiles = ceil_div(all, ceil_div(all, most));
    count = ceil_div(all, tiles);
  }
  // One region: its transformed input serves all threads, which share the panels. Several: a thread has its own.
  bool shares_input() const { return count == 1; }
  int64_t tiles = 0, count = 0;
};

// Panels that two threads cannot share evenly are cut into lines of points, whose sums wait for the last transform.
bool cuts_lines(const PanelLayout& layout, const RegionSizes& region) {
  const bool even = layout.panels % 2 == 0 && !layout.has_narrow;
  return !even && layout.panel_count() * region.sums() <= kMostSums;
}

int64_t tiles_of(int64_t height, int64_t width) {
  return ceil_div(height, kWinogradOut) * ceil_div(width, kWinogradOut);
}

// Cycles that a channel and 16 filters take, as measured: by the sizes of one image alone.
double transformed_cycles(int64_t channels, int64_t outputs, int64_t height, int64_t width) {
  const Regions regions(channels, std::max<int64_t>(1, tiles_of(height, width)));
  const RegionSizes region(channels, regions.tiles);
  const double ends = 143.0 / static_cast<double>(outputs) + 100.0 / static_cast<double>(channels);
  const auto tiles = static_cast<double>(region.room);
  const double one = region.is_fused() ? 40 + tiles * (32 + ends) : 240 + tiles * (21.5 + ends);
  return static_cast<double>(regions.count) * one;
}
double direct_cycles(int64_t height, int64_t width) { return 5.0 * static_cast<double>(height * width); }

bool pays(int64_t channels, int64_t outputs, int64_t height, int64_t width) {
  return transformed_cycles(channels, outputs, height, width) < direct_cycles(height, width);
}

// The root of the sum of squares of what rounding may add, over that of the direct convolution, for inputs without
// correlation: g^T (K x K) g over 9 times the mean of g^2, where K = G^T diag(|row of B^T|^2 |column of A^T|^2 / 4) G.
class Amplification {
 public:
  void add(const float* g) {
    constexpr double kCorner = 5.96875, kMiddle = 3.125;
    double h[9];  // K g
    for (int j = 0; j < 3; ++j) {
      h[j] = kCorner * g[j] + kMiddle * g[6 + j];
      h[3 + j] = kMiddle * g[3 + j];
      h[6 + j] = kMiddle * g[j] + kCorner * g[6 + j];
    }
    double errors = 0, squares = 0;  // the sums of one window do not wait for the last one's
    for (int r = 0; r < 9; r += 3) {
      errors += g[r] * (kCorner * h[r] + kMiddle * h[r + 2]) + g[r + 1] * kMiddle * h[r + 1] +
                g[r + 2] * (kMiddle * h[r] + kCorner * h[r + 2]);
    }
    for (int j = 0; j < 9; ++j) squares += static_cast<double>(g[j]) * static_cast<double>(g[j]);
    errors_ += errors;
    squares_ += squares;
  }
  double value() const { return squares_ > 0 ? std::sqrt(errors_ / squares_) : 0; }

 private:
  double squares_ = 0, errors_ = 0;
};
constexpr int64_t kSamples = 4096;          // windows that it is estimated from
constexpr double kMostAmplification = 7.2;  // 5.1 for weights without correlation, 7.1 for filters of equal elements

struct WinogradWeights : BlockedWeights {
  bool is_exact_enough = true;
};

class WinogradConv {
 public:
  WinogradConv(KernelContext& ctx, const ConvSizes& sizes, const BlockedWeights& weights, const float* bias,
               const float* factor, const FusedActivation& activation)
      : ctx_(ctx),
        sizes_(sizes),
        tiles_(*weights.tiles),
        transforms_(winograd_tiles()),
        layout_({sizes.outputs, sizes.channels, 9, 1}, tiles_),
        blocks_(channel_blocks(sizes.channels)),
        columns_(ceil_div(sizes.windows.out[1], kWinogradOut)),
        all_(tiles_of(sizes.windows.out[0], sizes.windows.out[1])),
        regions_(sizes.channels, all_),
        w_(weights.data()),
        per_float_(weights.has_halves() ? 2 : 1),
        bias_(bias),
        factor_(factor),
        activation_(activation) {}

  Status run(ScratchParts& scratch) const {
    const RegionSizes sizes(sizes_.channels, regions_.tiles);
    if (!regions_.shares_input()) {
      ScratchSlots slots = scratch.slots(static_cast<size_t>(sizes.inputs() + sizes.products()) * sizeof(float));
      return parallel_ranges(ctx_, sizes_.batch * regions_.count, 1, [&](int64_t begin, int64_t end) {
        const ScratchSlots::Lease lease(slots);
        auto* v = reinterpret_cast<float*>(lease.memory());
        for (int64_t i = begin; i < end; ++i) {
          const Region r = region(i / regions_.count, i % regions_.count);
          transform_inputs(r, 0, blocks_, v);
          run_panels(r, 0, layout_.panel_count(), v, v + r.sizes.inputs());
        }
      });
    }
    float* v = scratch.take<float>(sizes.inputs()).data();
    const bool by_lines = cuts_lines(layout_, sizes);
    float* sums = by_lines ? scratch.take<float>(layout_.panel_count() * sizes.sums()).data() : nullptr;
    const int64_t slot = by_lines ? sizes.weights() : sizes.products();
    ScratchSlots slots = scratch.slots(static_cast<size_t>(slot) * sizeof(float));
    for (int64_t image = 0; image < sizes_.batch; ++image) {
      const Region r = region(image, 0);
      const int64_t grain = std::max<int64_t>(1, kTilesOfThread / r.count);
      SDX_TRY(parallel_ranges(ctx_, blocks_, grain,
                              [&](int64_t begin, int64_t end) { transform_inputs(r, begin, end, v); }));
      if (by_lines) {
        SDX_TRY(run_lines(r, v, sums, slots));
        continue;
      }
      SDX_TRY(parallel_ranges(ctx_, layout_.panel_count(), 1, [&](int64_t begin, int64_t end) {
        const ScratchSlots::Lease lease(slots);
        run_panels(r, begin, end, v, reinterpret_cast<float*>(lease.memory()));
      }));
    }
    return {};
  }

 private:
  struct Region {
    int64_t image, first, count;  // tiles
    RegionSizes sizes;
  };
  Region region(int64_t image, int64_t index) const {
    const int64_t first = index * regions_.tiles, count = std::min(regions_.tiles, all_ - first);
    return {image, first, count, RegionSizes(sizes_.channels, count)};
  }

  void run_panels(const Region& r, int64_t begin, int64_t end, const float* v, float* memory) const {
    float *m = memory, *u = m + kWinogradPoints * r.sizes.m_step;
    for (int64_t panel = begin; panel < end; ++panel) {
      multiply(panel, r, {0, kWinogradLine}, v, u, m);
      const int64_t block = panel * tiles_.panel_blocks;
      const int64_t last = std::min(layout_.blocks, block + tiles_.panel_blocks);
      for (int64_t i = block; i < last; ++i)
        transform_outputs(r, i, 0, r.count, m + (i - block) * r.sizes.room * kChannelBlock);
    }
  }

  // All panels, some lines at a time; m has room for each panel.
  Status run_lines(const Region& r, const float* v, float* m, ScratchSlots& slots) const {
    const int64_t together = r.sizes.is_fused() ? kFusedLines : 1, parts = kWinogradLine / together;
    SDX_TRY(parallel_ranges(ctx_, layout_.panel_count() * parts, 1, [&](int64_t begin, int64_t end) {
      const ScratchSlots::Lease lease(slots);
      auto* u = reinterpret_cast<float*>(lease.memory());
      for (int64_t i = begin; i < end; ++i) {
        const int64_t panel = i / parts, line = i % parts * together;
        multiply(panel, r, {line, line + together}, v, u, m + panel * r.sizes.sums());
      }
    }));
    return parallel_ranges(ctx_, layout_.blocks * r.count, kTilesOfThread, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin; at < end;) {
        const int64_t block = at / r.count, first = at % r.count, last = std::min(r.count, first + end - at);
        const int64_t panel = block / tiles_.panel_blocks, in_panel = block - panel * tiles_.panel_blocks;
        transform_outputs(r, block, first, last, m + panel * r.sizes.sums() + in_panel * r.sizes.room * kChannelBlock);
        at += last - first;
      }
    });
  }

  void transform_inputs(const Region& r, int64_t first_block, int64_t last_block, float* v) const {
    const auto &in = sizes_.windows.in, &begin = sizes_.windows.begin;
    const int64_t row = in[1] * kChannelBlock;
    alignas(64) float edge[kWinogradIn * kWinogradIn * kChannelBlock];
    const int64_t step = r.sizes.v_step;
    for (int64_t block = first_block; block < last_block; ++block) {
      const float* x = ctx_.input(0).data<float>() + (r.image * blocks_ + block) * in[0] * row;
      for (int64_t i = 0; i < r.sizes.room; ++i) {
        const int64_t top = (r.first + i) / columns_ * kWinogradOut - begin[0];
        const int64_t left = (r.first + i) % columns_ * kWinogradOut - begin[1];
        float* to = v + (block * r.sizes.room + i) * kChannelBlock;
        const bool inside = top >= 0 && left >= 0 && top + kWinogradIn <= in[0] && left + kWinogradIn <= in[1];
        if (inside) {
          transforms_.transform_input(x + top * row + left * kChannelBlock, row, to, step);
        } else {
          copy_edge(x, top, left, edge);
          transforms_.transform_input(edge, kWinogradIn * kChannelBlock, to, step);
        }
      }
    }
  }

  void copy_edge(const float* x, int64_t top, int64_t left, float* edge) const {
    const auto& in = sizes_.windows.in;
    const int64_t begin = std::max<int64_t>(0, -left), end = std::min(kWinogradIn, in[1] - left);
    std::memset(edge, 0, kWinogradIn * kWinogradIn * kChannelBlock * sizeof(float));
    for (int64_t i = 0; i < kWinogradIn && begin < end; ++i)
      if (top + i >= 0 && top + i < in[0])
        std::memcpy(edge + (i * kWinogradIn + begin) * kChannelBlock,
                    x + ((top + i) * in[1] + left + begin) * kChannelBlock,
                    static_cast<size_t>((end - begin) * kChannelBlock) * sizeof(float));
  }

  WinogradProducts products_of(int64_t panel, const Region& r) const {
    WinogradProducts t;
    t.v_step = r.sizes.v_step;
    t.u_step = r.sizes.u_step;
    t.m_step = r.sizes.m_step;
    t.tiles = r.sizes.room;
    t.width = panel == layout_.panels ? layout_.narrow_width : layout_.width;
    return t;
  }

  struct Lines {
    int64_t begin, end;
  };
  // Of a panel, from input channel `first` on.
  const float* weights(int64_t panel, int64_t first, int64_t width) const {
    return w_ + (panel * layout_.panel_size + first * 9 * width) / per_float_;
  }

  // m[point][block of the panel][tile] = v[point][block][tile] times the panel's weights, for the points of these
  // lines.
  void multiply(int64_t panel, const Region& r, Lines lines, const float* v, float* u, float* m) const {
    if (r.sizes.is_fused()) {
      multiply_fused(panel, r, lines, v, m);
    } else {
      multiply_lines(panel, r, lines, v, u, m);
    }
  }

  // Line by line: the sums stay in the first cache, the panel's weights in the second.
  void multiply_lines(int64_t panel, const Region& r, Lines lines, const float* v, float* u, float* m) const {
    WinogradProducts t = products_of(panel, r);
    t.u = u;
    const auto& transform = per_float_ == 2 ? transforms_.transform_halves : transforms_.transform_weights;
    for (int64_t line = lines.begin; line < lines.end; ++line) {
      for (int64_t first = 0; first < sizes_.channels; first += kChunkChannels) {
        t.depth = std::min(sizes_.channels - first, kChunkChannels);
        t.adds = first != 0;
        const float* w = weights(panel, first, t.width);
        transform[line](w, t.depth, t.width, u, r.sizes.u_step);
        t.next = nullptr;
        t.next_lines = 0;
        // The next panel's weights come with all lines but the first, which waits for its own.
        const int64_t part = t.depth * 9 * t.width / (kWinogradLine - 1) / per_float_;
        if (line > 0) fetch(t, w + layout_.panel_size / per_float_ + (line - 1) * part, part);
        t.v = v + line * kWinogradLine * r.sizes.v_step + first * t.tiles;
        t.m = m + line * kWinogradLine * r.sizes.m_step;
        transforms_.multiply(t);
      }
    }
  }

  // The same for few tiles: all lines of a chunk of the weights while it is near; the next one comes meanwhile.
  void multiply_fused(int64_t panel, const Region& r, Lines lines, const float* v, float* m) const {
    WinogradProducts t = products_of(panel, r);
    const auto& multiply = per_float_ == 2 ? transforms_.multiply_fused_halves : transforms_.multiply_fused;
    for (int64_t first = 0; first < sizes_.channels; first += kFusedChannels) {
      t.depth = std::min(sizes_.channels - first, kFusedChannels);
      t.adds = first != 0;
      t.w = weights(panel, first, t.width);
      const int64_t size = t.depth * 9 * t.width / per_float_, part = size / (lines.end - lines.begin);
      for (int64_t line = lines.begin; line < lines.end; ++line) {
        fetch(t, t.w + size + (line - lines.begin) * part, part);
        t.v = v + line * kWinogradLine * r.sizes.v_step + first * t.tiles;
        t.m = m + line * kWinogradLine * r.sizes.m_step;
        multiply[line](t);
      }
    }
  }

  // So many floats, where there are weights.
  void fetch(WinogradProducts& t, const float* next, int64_t size) const {
    t.next = next;
    t.next_lines = next + size <= w_ + layout_.group_size / per_float_ ? size / kLine : 0;
  }

  void transform_outputs(const Region& r, int64_t block, int64_t first, int64_t last, const float* m) const {
    const auto& out = sizes_.windows.out;
    const int64_t row = out[1] * kChannelBlock, place = (r.image * layout_.blocks + block) * out[0] * row;
    float* y = ctx_.output(0).data<float>() + place;
    const float* z = ctx_.has_input(3) ? ctx_.input(3).data<float>() + place : nullptr;
    const int64_t lanes = sizes_.outputs - block * kChannelBlock;
    const bool clears = lanes < kChannelBlock && (z != nullptr || activation_(0) != 0);
    WinogradEnd end{.bias = bias_ + block * kChannelBlock,
                    .factor = factor_ != nullptr ? factor_ + block * kChannelBlock : nullptr,
                    .low = activation_.low(),
                    .high = activation_.high()};
    constexpr int64_t kPitch = kWinogradOut * kChannelBlock;
    alignas(64) float edge[kWinogradOut * kPitch], edge_z[kWinogradOut * kPitch];
    for (int64_t i = first; i < last; ++i) {
      const int64_t top = (r.first + i) / columns_ * kWinogradOut, left = (r.first + i) % columns_ * kWinogradOut;
      const int64_t rows = std::min(kWinogradOut, out[0] - top), columns = std::min(kWinogradOut, out[1] - left);
      const int64_t at = top * row + left * kChannelBlock;
      const bool whole = rows == kWinogradOut && columns == kWinogradOut;
      const size_t bytes = static_cast<size_t>(columns * kChannelBlock) * sizeof(float);
      for (int64_t i_row = 0; z != nullptr && !whole && i_row < rows; ++i_row)
        std::memcpy(edge_z + i_row * kPitch, z + at + i_row * row, bytes);
      end.z = z == nullptr ? nullptr : whole ? z + at : edge_z;
      float* to = whole ? y + at : edge;
      const int64_t to_row = whole ? row : kPitch;
      transforms_.transform_output(m + i * kChannelBlock, r.sizes.m_step, end, to, to_row);
      for (int64_t i_row = 0; i_row < rows; ++i_row) {
        float* line = to + i_row * to_row;
        if (!activation_.is_clip()) activation_.apply(line, static_cast<size_t>(columns * kChannelBlock));
        if (clears) clear_lanes(line, lanes, columns);
        if (!whole) std::memcpy(y + at + i_row * row, line, bytes);
      }
    }
  }

  KernelContext& ctx_;
  const ConvSizes& sizes_;
  const BlockedTiles& tiles_;
  const WinogradTiles& transforms_;
  PanelLayout layout_;
  int64_t blocks_, columns_, all_;  // of input channels; of tiles
  Regions regions_;
  const float* w_;
  int64_t per_float_;  // weights
  const float* bias_;
  const float* factor_;  // null: 1
  FusedActivation activation_;
};

// Height and width of the output, where they are known.
std::optional<Shape> output_sizes(const NodeFacts& facts) {
  if (!facts.has_rank(0)) return std::nullopt;
  const auto windows = read_windows(facts.attributes(), 2, Shape{3, 3});
  if (!windows.ok()) return std::nullopt;
  Shape out;
  for (int axis = 0; axis < 2; ++axis) {
    const Dim& in = facts.dim(0, axis + 2);
    if (!in.is_known()) return std::nullopt;
    const auto i = static_cast<size_t>(axis);
    const bool same =
        windows->pad == WindowAttributes::Pad::same_upper || windows->pad == WindowAttributes::Pad::same_lower;
    out.push_back(same ? in.known() : std::max<int64_t>(0, in.known() + windows->begin[i] + windows->end[i] - 2));
  }
  return out;
}

}  // namespace

Verdict can_transform(const NodeFacts& facts) {
  const auto w = facts.input(1).known_shape();
  if (w->size() != 4 || (*w)[2] != 3 || (*w)[3] != 3) return no("no window of 3x3");
  if (facts.attr_int("winograd", 1) == 0 || knob::winograd() == "off") return no("switched off (sardonyx.winograd)");
  if (facts.attr_int("group", 1) != 1) return no("groups");
  if (has_plain_input(facts.attributes())) return no("channels that are not blocked");
  for (const auto name : {"strides", "dilations"})
    for (const int64_t size : facts.attr_ints(name))
      if (size != 1) return no("strides or dilations");
  if ((*w)[0] < kLeastChannels || (*w)[1] < kLeastChannels) return no("too few channels");
  return yes();
}

Verdict can_run_winograd(const NodeFacts& facts) {
  if (Verdict possible = can_transform(facts); !possible) return possible;
  const FilterSizes s = filter_sizes(facts);
  const auto out = output_sizes(facts);
  if (out && !pays(s.depth, s.outputs, (*out)[0], (*out)[1]))
    return no(formatted(
        "{}x{} outputs are too few: about {:.0f} cycles a channel and 16 filters, {:.0f} without transforms", (*out)[0],
        (*out)[1], transformed_cycles(s.depth, s.outputs, (*out)[0], (*out)[1]), direct_cycles((*out)[0], (*out)[1])));
  return yes();
}

Result<std::unique_ptr<KernelState>> prepare_winograd(const NodeFacts& facts) {
  auto state = std::make_unique<WinogradWeights>();
  const Tensor& w = *facts.constant(1);
  Amplification amplification;
  const auto add = [&](const float* window) { amplification.add(window); };
  const WindowSample sample{std::max<int64_t>(1, w.dim(0) * w.dim(1) / kSamples), add};
  SDX_TRY(pack_blocked_weights(facts, kChannelBlock, *state, &sample));
  state->is_exact_enough = amplification.value() <= kMostAmplification;
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim winograd_scratch(const ScratchFacts& facts) {
  const FilterSizes s = filter_sizes(facts.node);
  const auto out = output_sizes(facts.node);
  const int64_t lanes = channel_blocks(s.outputs) * kChannelBlock;
  const Regions regions(s.depth, out ? std::max<int64_t>(1, tiles_of((*out)[0], (*out)[1])) : kMaxTiles * 4096);
  const RegionSizes sizes(s.depth, regions.tiles);
  const bool own = !out || !regions.shares_input(), shared = !out || regions.shares_input();
  ScratchSize winograd(facts);
  winograd.part(Dim(2 * lanes), sizeof(float));  // bias and factor
  if (shared) winograd.part(Dim(sizes.inputs()), sizeof(float));
  const PanelLayout layout({s.outputs, s.depth, 9, 1}, blocked_tiles());
  if (shared && cuts_lines(layout, sizes)) winograd.part(Dim(layout.panel_count() * sizes.sums()), sizeof(float));
  const int64_t slot = (own ? sizes.inputs() : 0) + sizes.products();
  const Dim bytes = winograd.slots(Dim(slot * static_cast<int64_t>(sizeof(float)))).bytes();
  return facts.symbols.max(bytes, direct_scratch(facts));
}

Status run_transformed(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  ScratchParts scratch(ctx);
  const float* bias = bias_lanes(ctx, sizes, scratch);
  const auto& weights = ctx.state<WinogradWeights>();
  const float* factor = weights.has_halves() ? factor_lanes(ctx, sizes, scratch) : nullptr;
  return WinogradConv(ctx, sizes, weights, bias, factor, activation).run(scratch);
}

Status run_winograd(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes sizes, blocked_conv_sizes(ctx));
  const Shape& out = sizes.windows.out;
  const bool suits =
      ctx.state<WinogradWeights>().is_exact_enough && pays(sizes.channels, sizes.outputs, out[0], out[1]);
  return suits ? run_transformed(ctx) : run_direct(ctx);
}

}  // namespace sdx::ops
