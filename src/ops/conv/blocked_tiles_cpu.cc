// Register tiles of convolutions over blocked channels.
#include "base/simd_targets.h"  // first

#include <array>
#include <utility>

#include "ops/conv/blocked_tiles.h"
#include "ops/conv/tile_end-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::ConvTileArgs;

constexpr int kLanes = HWY_MAX_BYTES / static_cast<int>(sizeof(float));
constexpr int kBlock = static_cast<int>(ops::kChannelBlock);
constexpr int kBlockVectors = kBlock / kLanes;
// Sums, the weights' vectors and one element fit the registers.
constexpr int kPanelVectors = kBlockVectors < 2 ? 2 : kBlockVectors;
constexpr int kMaxPixels = HWY_MAX_BYTES == 64 ? 14 : HWY_MAX_BYTES == 32 ? 6 : HWY_ARCH_ARM ? 6 : 3;
constexpr int kMaxWidePixels = kMaxPixels / 2;

constexpr int kLine = 16;  // floats in a line of a cache
// Into the second cache: the first is full of what is used now.
HWY_INLINE void fetch(const void* p) { __builtin_prefetch(p, 0, 2); }

// The compiler keeps nothing that is behind the pointer in registers, and so moves none of it to vectors' registers,
// where addresses would wait for the products before them.
HWY_INLINE const ConvTileArgs* read_again(const ConvTileArgs* args) {
  asm("" : "+r"(args));
  return args;
}

// Loads under a mask take the time of two.
template <class V>
HWY_INLINE void keep_in_register([[maybe_unused]] V& v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
}

enum class From { blocks, plain, list, two_lists };
enum class Weights { floats, halves };  // halves: of float16, for From::blocks
// Elsewhere a conversion takes many instructions.
constexpr bool kTakesHalves = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2;

template <Weights kWeights, class D>
HWY_INLINE hn::VFromD<D> load_weights(D d, const float* row, int vector) {
  if constexpr (kWeights == Weights::halves) {
    const hn::Rebind<hwy::float16_t, D> d16;
    return hn::PromoteTo(d, hn::LoadU(d16, reinterpret_cast<const hwy::float16_t*>(row) + vector * kLanes));
  } else {
    return hn::LoadU(d, row + vector * kLanes);
  }
}

// And nothing else, at most.
HWY_INLINE bool bounds_below(const ops::TileEnd& end) {
  return !end.hard_swish && !end.scaled && !(end.high < std::numeric_limits<float>::infinity());
}

template <int kPixels, int kVectors, From kFrom, int kKnownStep, Weights kWeights>
HWY_INLINE void convolve_pixels(const ConvTileArgs& t, const float* x, const float*& next, float* y, const float* z) {
  const hn::CappedTag<float, kLanes> d;
  using V = hn::VFromD<decltype(d)>;
  // Between pixels. A step that is not known here goes with few registers: four pixels from each of some addresses.
  constexpr bool kAnyStep = kFrom == From::plain && kKnownStep == 0;
  const int64_t step = kAnyStep ? t.pixel_step : kFrom == From::plain ? kKnownStep : kBlock;
  constexpr int kFours = kAnyStep ? 4 : kPixels;
  V sum[kPixels][kVectors];
  HWY_UNROLL(16)
  for (int v = 0; v < kVectors; ++v) {
    V start = hn::Zero(d);
    if (kWeights == Weights::floats && t.bias != nullptr) start = hn::LoadU(d, t.bias + v * kLanes);
    HWY_UNROLL(32)
    for (int p = 0; p < kPixels; ++p) sum[p][v] = start;
  }

  const auto add = [&](const float* a, const float* w, int64_t panel_size) HWY_ATTR {
    const hn::CappedTag<float, kLanes> tag;
    V row[kVectors];
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v)
      row[v] = load_weights<kWeights>(tag, w + v / kPanelVectors * panel_size, v % kPanelVectors);
    HWY_UNROLL(32)
    for (int p = 0; p < kPixels; ++p) {
      const V element = hn::Set(tag, (a + p / kFours * (kFours * step))[p % kFours * step]);
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::MulAdd(element, row[v], sum[p][v]);
    }
  };
  if constexpr (kFrom == From::list) {
    const float* w = t.w;
    for (int64_t i = 0; i < t.listed_count; ++i, w += t.width) add(x + t.listed[i], w, 0);
  } else if constexpr (kFrom == From::two_lists) {
    const auto first = hn::FirstN(d, static_cast<size_t>(t.lanes_before));
    const float* w = t.w;
    for (int64_t i = 0; i < t.listed_count; ++i, w += t.width) {
      const float *a = x + t.listed[i], *before = x + t.listed_before[i];
      V row[kVectors];
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, w + v * kLanes);
      HWY_UNROLL(32)
      for (int p = 0; p < kPixels; ++p) {
        const V element = hn::Set(d, a[p * kBlock]);
        V other = hn::Set(d, before[p * kBlock]);
        keep_in_register(other);
        sum[p][0] = hn::MulAdd(hn::IfThenElse(first, other, element), row[0], sum[p][0]);
        HWY_UNROLL(16)
        for (int v = 1; v < kVectors; ++v) sum[p][v] = hn::MulAdd(element, row[v], sum[p][v]);
      }
    }
  } else if constexpr (kFrom == From::plain) {
    for (int64_t tap = 0; tap < t.tap_count; ++tap) add(x + t.taps[tap].offset, t.w + t.taps[tap].index * t.width, 0);
  } else {
    const ConvTileArgs* args = &t;
    const float* panel = t.w;
    for (int64_t left = t.blocks; left > 0; --left) {
      const int64_t depth = left > 1 ? t.depth : t.last_depth;
      const int64_t tap_step = t.tap_step != 0 ? t.tap_step : depth * t.width;
      for (int64_t tap = 0; tap < args->tap_count; ++tap) {
        args = read_again(args);
        for (int64_t line = 0; line < args->next_lines; ++line, next += kLine) {
          fetch(next);
          if constexpr (kVectors > kPanelVectors) fetch(next + args->panel_size);
        }
        const int64_t channel_step = args->channel_step, panel_size = args->panel_size;
        const float* a = x + args->taps[tap].offset;
        const float* w = panel + args->taps[tap].index * tap_step;
        for (const float* const end = a + depth; a != end; ++a, w += channel_step) add(a, w, panel_size);
      }
      args = read_again(args);
      x += args->block_step;
      panel += args->block_size;
    }
  }

  const int64_t y_block = t.y_block;
  const auto place = [y_block](int p, int v)
                         HWY_ATTR { return v / kBlockVectors * y_block + p * kBlock + v % kBlockVectors * kLanes; };
  if constexpr (kWeights == Weights::halves) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) {
      const V factor = hn::LoadU(d, t.factor + v * kLanes);
      const V bias = t.bias != nullptr ? hn::LoadU(d, t.bias + v * kLanes) : hn::Zero(d);
      HWY_UNROLL(32)
      for (int p = 0; p < kPixels; ++p) sum[p][v] = hn::MulAdd(sum[p][v], factor, bias);
    }
  }
  const float* const added = t.bias == nullptr ? y : z;
  if constexpr (kFrom == From::blocks && kPixels >= kMaxPixels - 2) {
    // One pixel after the other: the first ones are stored while others are added.
    if (added != nullptr && t.finishes && bounds_below(t.end)) {
      const V low = hn::Set(d, t.end.low);
      HWY_UNROLL(32)
      for (int p = 0; p < kPixels; ++p) {
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v) {
          const V made = hn::Add(sum[p][v], hn::LoadU(d, added + place(p, v)));
          hn::StoreU(at_least(low, made), d, y + place(p, v));
        }
      }
      return;
    }
  }
  if (added != nullptr) {
    HWY_UNROLL(32)
    for (int p = 0; p < kPixels; ++p) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[p][v] = hn::Add(sum[p][v], hn::LoadU(d, added + place(p, v)));
    }
  }
  if (t.finishes) end_sums(d, sum, t.end);
  if constexpr (kFrom == From::list) {
    if (t.lanes_before > 0 || t.lanes_behind > 0) {  // z may lie in the other lanes of y
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) {
        const auto lanes = [&](int64_t count) HWY_ATTR {
          return hn::FirstN(d, static_cast<size_t>(HWY_MAX(count - v * kLanes, int64_t{0})));
        };
        const auto own = hn::AndNot(lanes(t.lanes_before), lanes(kVectors * kLanes - t.lanes_behind));
        HWY_UNROLL(32)
        for (int p = 0; p < kPixels; ++p) hn::BlendedStore(sum[p][v], own, d, y + place(p, v));
      }
      return;
    }
  }
  HWY_UNROLL(32)
  for (int p = 0; p < kPixels; ++p) {
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[p][v], d, y + place(p, v));
  }
}

template <int kPixels, int kVectors, From kFrom, int kKnownStep = 0, Weights kWeights = Weights::floats>
void convolve_tile(const ConvTileArgs& t) {
  const float *x = t.x, *z = t.z, *next = t.next;
  float* y = t.y;
  for (int64_t left = t.tiles; left > 0; --left) {
    convolve_pixels<kPixels, kVectors, kFrom, kKnownStep, kWeights>(t, x, next, y, z);
    x += t.tile_step;
    y += kPixels * kBlock;
    if (z != nullptr) z += kPixels * kBlock;
  }
}

void copy_blocks(const float* from, int64_t step, int64_t count, float* to) {
  const hn::CappedTag<float, kLanes> d;
  for (int64_t i = 0; i < count; ++i)
    for (int v = 0; v < kBlockVectors; ++v)
      hn::StoreU(hn::LoadU(d, from + i * step * kBlock + v * kLanes), d, to + i * kBlock + v * kLanes);
}

void copy_floats(const float* from, int64_t step, int64_t count, float* to) {
  const hn::CappedTag<float, kLanes> d;
  int64_t i = 0;
  if (step == 1) {
    for (; i < count; i += kLanes) {
      const auto left = static_cast<size_t>(count - i);
      store_n(load_n(d, from + i, left), d, to + i, left);
    }
  } else if (step == 2) {
    for (; i + kLanes < count; i += kLanes) {
      hn::VFromD<decltype(d)> even, odd;
      hn::LoadInterleaved2(d, from + 2 * i, even, odd);
      hn::StoreU(even, d, to + i);
    }
  }
  for (; i < count; ++i) to[i] = from[i * step];
}

// Transposed: `count` elements of some filters at a time, element j to rows + offsets[j].
void pack_elements(const uint16_t* w, int64_t filter_step, int64_t filters, int64_t count, const int64_t* offsets,
                   uint16_t* rows) {
  constexpr int64_t kSome = 8;
  const hn::Full128<uint16_t> d;
  for (int64_t lane = 0; lane < kBlock; lane += kSome) {
    const uint16_t* from = w + lane * filter_step;
    int64_t j = 0;
    for (; lane + kSome <= filters && j + kSome <= count; j += kSome) {
      hn::Vec128<uint16_t> rows_in[kSome], rows_out[kSome];
      HWY_UNROLL(8)
      for (int64_t i = 0; i < kSome; ++i) rows_out[i] = hn::LoadU(d, from + i * filter_step + j);
      // Each turns the bits of (row, column) by one.
      HWY_UNROLL(3)
      for (int turn = 0; turn < 3; ++turn) {
        HWY_UNROLL(8)
        for (int64_t i = 0; i < kSome; ++i) rows_in[i] = rows_out[i];
        HWY_UNROLL(4)
        for (int64_t i = 0; i < kSome / 2; ++i) {
          rows_out[2 * i] = hn::InterleaveLower(d, rows_in[i], rows_in[i + kSome / 2]);
          rows_out[2 * i + 1] = hn::InterleaveUpper(d, rows_in[i], rows_in[i + kSome / 2]);
        }
      }
      HWY_UNROLL(8)
      for (int64_t i = 0; i < kSome; ++i) hn::StoreU(rows_out[i], d, rows + offsets[j + i] + lane);
    }
    for (; j < count; ++j)
      for (int64_t i = 0; i < kSome; ++i)
        rows[offsets[j] + lane + i] = lane + i < filters ? from[i * filter_step + j] : uint16_t{0};
  }
}
void pack_elements(const float* w, int64_t filter_step, int64_t filters, int64_t count, const int64_t* offsets,
                   float* rows) {
  const hn::Full128<float> d;
  for (int64_t lane = 0; lane < kBlock; lane += 4) {
    const float* from = w + lane * filter_step;
    int64_t j = 0;
    if (lane + 4 <= filters) {
      for (; j + 4 <= count; j += 4) {
        const auto r0 = hn::LoadU(d, from + j), r1 = hn::LoadU(d, from + filter_step + j);
        const auto r2 = hn::LoadU(d, from + 2 * filter_step + j), r3 = hn::LoadU(d, from + 3 * filter_step + j);
        const auto a = hn::InterleaveLower(d, r0, r2), e = hn::InterleaveLower(d, r1, r3);
        const auto g = hn::InterleaveUpper(d, r0, r2), h = hn::InterleaveUpper(d, r1, r3);
        hn::StoreU(hn::InterleaveLower(d, a, e), d, rows + offsets[j] + lane);
        hn::StoreU(hn::InterleaveUpper(d, a, e), d, rows + offsets[j + 1] + lane);
        hn::StoreU(hn::InterleaveLower(d, g, h), d, rows + offsets[j + 2] + lane);
        hn::StoreU(hn::InterleaveUpper(d, g, h), d, rows + offsets[j + 3] + lane);
      }
    }
    for (; j < count; ++j)
      for (int64_t i = 0; i < 4; ++i)
        rows[offsets[j] + lane + i] = lane + i < filters ? from[i * filter_step + j] : 0.0f;
  }
}

#if HWY_MAX_BYTES == 64
// Of a whole block: four elements of every fourth filter in each vector, `count` a multiple of four.
void pack_block(const float* w, int64_t filter_step, int64_t count, const int64_t* offsets, float* rows) {
  const hn::Full512<float> d;
  const hn::Full256<float> half;
  const hn::Full128<float> quarter;
  for (int64_t j = 0; j < count; j += 4) {
    const auto every_fourth = [&](int64_t first) HWY_ATTR {
      const auto at = [&](int64_t filter) HWY_ATTR { return hn::LoadU(quarter, w + filter * filter_step + j); };
      return hn::Combine(d, hn::Combine(half, at(first + 12), at(first + 8)),
                         hn::Combine(half, at(first + 4), at(first)));
    };
    const auto r0 = every_fourth(0), r1 = every_fourth(1), r2 = every_fourth(2), r3 = every_fourth(3);
    const auto a = hn::InterleaveLower(d, r0, r2), e = hn::InterleaveLower(d, r1, r3);
    const auto g = hn::InterleaveUpper(d, r0, r2), h = hn::InterleaveUpper(d, r1, r3);
    hn::StoreU(hn::InterleaveLower(d, a, e), d, rows + offsets[j]);
    hn::StoreU(hn::InterleaveUpper(d, a, e), d, rows + offsets[j + 1]);
    hn::StoreU(hn::InterleaveLower(d, g, h), d, rows + offsets[j + 2]);
    hn::StoreU(hn::InterleaveUpper(d, g, h), d, rows + offsets[j + 3]);
  }
}
#endif

template <typename T>
void pack_filters(const T* w, int64_t filter_step, int64_t filters, int64_t depth, int64_t taps, T* rows,
                  int64_t width) {
  constexpr int64_t kAtOnce = 16;  // a cache line of each filter, and its rows stay near meanwhile
  constexpr int64_t kAhead = 64;
  const int64_t count = depth * taps;
  int64_t offsets[kAtOnce];
  int64_t tap = 0, offset = 0;
  for (int64_t begin = 0; begin < count; begin += kAtOnce) {
    const int64_t some = HWY_MIN(kAtOnce, count - begin);
    if (begin + kAhead < count)
      for (int64_t i = 0; i < filters; ++i) fetch(w + i * filter_step + begin + kAhead);
    for (int64_t j = 0; j < some; ++j) {
      offsets[j] = offset;
      offset += depth * width;
      if (++tap < taps) continue;
      tap = 0;
      offset -= (count - 1) * width;  // the next channel's first element
    }
#if HWY_MAX_BYTES == 64
    if constexpr (sizeof(T) == sizeof(float)) {
      if (filters == kBlock && some == kAtOnce) {
        pack_block(w + begin, filter_step, some, offsets, rows);
        continue;
      }
    }
#endif
    pack_elements(w + begin, filter_step, filters, some, offsets, rows);
  }
}

template <int kVectors, From kFrom, Weights kWeights = Weights::floats, int... kIndex>
constexpr void fill_table(ops::ConvTile* table, std::integer_sequence<int, kIndex...>) {
  ((table[kIndex] = convolve_tile<kIndex + 1, kVectors, kFrom, 0, kWeights>), ...);
}

constexpr ops::BlockedTiles make_tiles() {
  ops::BlockedTiles tiles = {};
  tiles.panel_blocks = kPanelVectors / kBlockVectors;
  tiles.max_pixels = kMaxPixels;
  tiles.max_wide_pixels = kMaxWidePixels;
  constexpr auto kAll = std::make_integer_sequence<int, kMaxPixels>();
  fill_table<kPanelVectors, From::blocks>(tiles.panel, kAll);
  fill_table<2 * kPanelVectors, From::blocks>(tiles.wide, std::make_integer_sequence<int, kMaxWidePixels>());
  fill_table<kPanelVectors, From::plain>(tiles.plain, kAll);
  tiles.full_pixels = kMaxPixels;
  tiles.plain_full[0] = convolve_tile<kMaxPixels, kPanelVectors, From::plain, 1>;
  tiles.plain_full[1] = convolve_tile<kMaxPixels, kPanelVectors, From::plain, 2>;
  fill_table<kPanelVectors, From::list>(tiles.listed, kAll);
  if constexpr (kPanelVectors > kBlockVectors) {
    fill_table<kBlockVectors, From::list>(tiles.listed_narrow, kAll);
    fill_table<kPanelVectors, From::two_lists>(tiles.shared, kAll);
    fill_table<kBlockVectors, From::two_lists>(tiles.shared_narrow, kAll);
    fill_table<kBlockVectors, From::blocks>(tiles.narrow, kAll);
    fill_table<kBlockVectors, From::plain>(tiles.plain_narrow, kAll);
    tiles.full_narrow_pixels = 2 * kMaxPixels;
    tiles.full_narrow = convolve_tile<2 * kMaxPixels, kBlockVectors, From::blocks>;
    tiles.listed_full_narrow = convolve_tile<2 * kMaxPixels, kBlockVectors, From::list>;
    tiles.plain_full_narrow[0] = convolve_tile<2 * kMaxPixels, kBlockVectors, From::plain, 1>;
    tiles.plain_full_narrow[1] = convolve_tile<2 * kMaxPixels, kBlockVectors, From::plain, 2>;
  }
  if constexpr (kTakesHalves) {
    constexpr auto kWide = std::make_integer_sequence<int, kMaxWidePixels>();
    fill_table<kPanelVectors, From::blocks, Weights::halves>(tiles.half_panel, kAll);
    fill_table<2 * kPanelVectors, From::blocks, Weights::halves>(tiles.half_wide, kWide);
    if constexpr (kPanelVectors > kBlockVectors) {
      fill_table<kBlockVectors, From::blocks, Weights::halves>(tiles.half_narrow, kAll);
      tiles.half_full_narrow = convolve_tile<2 * kMaxPixels, kBlockVectors, From::blocks, 0, Weights::halves>;
    }
  }
  tiles.copy_blocks = copy_blocks;
  tiles.copy_floats = copy_floats;
  tiles.pack_filters = pack_filters<float>;
  tiles.pack_halves = pack_filters<uint16_t>;
  return tiles;
}

constexpr ops::BlockedTiles kTiles = make_tiles();
const ops::BlockedTiles* tiles() { return &kTiles; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const BlockedTiles& blocked_tiles() { return *SDX_DISPATCH(tiles)(); }

}  // namespace sdx::ops
#endif
