// The inner loops of matrix products: a tile of c lives in registers while a panel of b streams by.
#include "base/simd_targets.h"  // first

#include <array>
#include <utility>

#include "kernel/clamp-inl.h"
#include "ops/linalg/gemm_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::TileArgs;

// Two vectors a panel; rows so that all sums, the panel's vectors and an element of a fit the registers.
constexpr int kMaxRows = HWY_MAX_BYTES == 64 ? 13 : HWY_MAX_BYTES == 32 ? 6 : HWY_ARCH_ARM ? 12 : 4;
constexpr int kPanelVectors = 2;

// Elements of b as floats.
struct WeightF32 {
  using Element = float;
  template <typename D>
  static HWY_INLINE hn::VFromD<D> load(D d, const float* from) {
    return hn::LoadU(d, from);
  }
};
struct WeightF16 {
  using Element = hwy::float16_t;
  template <typename D>
  static HWY_INLINE hn::VFromD<D> load(D d, const hwy::float16_t* from) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<hwy::float16_t, D>(), from));
  }
};
struct WeightBF16 {
  using Element = uint16_t;
  template <typename D>
  static HWY_INLINE hn::VFromD<D> load(D d, const uint16_t* from) {
    const hn::Rebind<uint32_t, D> d32;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(hn::Rebind<uint16_t, D>(), from))));
  }
};

constexpr int64_t kLastSteps = 64;  // of a tile: in them, the lines of c come near

template <int kRows, int kPanels, typename Weight>
HWY_INLINE void multiply_tile(const TileArgs& t, int64_t row) {
  const hn::ScalableTag<float> d;
  using V = hn::VFromD<decltype(d)>;
  constexpr int kVectors = kPanels * kPanelVectors;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  float* c = t.c + row * t.c_row;
  const bool whole = t.columns == kVectors * lanes;
  const auto left = [&](int v) HWY_ATTR { return static_cast<size_t>(HWY_MAX(t.columns - v * lanes, int64_t{0})); };

  V sum[kRows][kVectors];
  const auto start = [&](auto at) HWY_ATTR {
    HWY_UNROLL(16)
    for (int r = 0; r < kRows; ++r) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[r][v] = at(r, v);
    }
  };
  if (t.from != nullptr) {
    const float* from = t.from + row * t.from_row;
    const int64_t from_row = t.from_row;
    if (whole) {
      start([&](int r, int v) HWY_ATTR { return hn::LoadU(d, from + r * from_row + v * lanes); });
    } else {
      start([&](int r, int v) HWY_ATTR { return load_n(d, from + r * from_row + v * lanes, left(v)); });
    }
  } else if (t.row_bias != nullptr) {
    start([&](int r, int) HWY_ATTR { return hn::Set(d, t.row_bias[row + r]); });
  } else {
    V bias[kVectors];
    HWY_UNROLL(16)
    for (int v = 0; v < kVectors; ++v)
      bias[v] = t.column_bias != nullptr ? load_n(d, t.column_bias + v * lanes, left(v)) : hn::Zero(d);
    start([&](int, int v) HWY_ATTR { return bias[v]; });
  }

  const auto* b = static_cast<const typename Weight::Element*>(t.b);
  // A pointer to each four rows of a, in bytes: with two strides, all rows' addresses stay in registers.
  constexpr int kFours = (kRows + 3) / 4;
  constexpr auto kFloat = static_cast<int64_t>(sizeof(float));
  const int64_t a_row = t.a_row * kFloat, three_rows = 3 * a_row;
  const int64_t a_column = t.a_column * kFloat, b_row = t.b_row, panel_stride = t.panel_stride;
  const char* fours[kFours];
  HWY_UNROLL(4)
  for (int i = 0; i < kFours; ++i) fours[i] = reinterpret_cast<const char*>(t.a) + (row + 4 * i) * a_row;
  // A tile that reads b alone fetches what it needs soon, from a matrix that is no panel what the next tiles need;
  // several of them, each its share of what comes after.
  constexpr auto kElement = static_cast<int64_t>(sizeof(typename Weight::Element));
  constexpr int64_t kRowBytes = kPanelVectors * HWY_MAX_BYTES / 4 * kElement, kSoonRows = 48, kSoonPanels = 4;
  const bool alone = t.rows == kRows, fetches = t.ahead != nullptr && !alone;
  const int64_t width = kPanelVectors * lanes, soon = b_row == width ? kSoonRows * b_row : kSoonPanels * width;
  const auto* ahead = reinterpret_cast<const char*>(fetches ? t.ahead : b + (alone ? soon : 0));
  if (fetches) ahead += t.ahead_row * t.k * row / t.rows;
  const int64_t ahead_step = alone ? b_row * kElement : fetches ? t.ahead_row * kRows / t.rows : 0;
  for (int64_t rest = t.k, steps = t.k >= 2 * kLastSteps ? t.k - kLastSteps : t.k;;) {
    rest -= steps;
    for (; steps > 0; --steps) {
      if constexpr (kPanels == 1) {
        if (alone) {
          __builtin_prefetch(ahead, 0, 3);
          if constexpr (kRowBytes > 64) __builtin_prefetch(ahead + 64, 0, 3);
        } else {
          __builtin_prefetch(ahead, 0, 2);
        }
        ahead += ahead_step;
      }
      V column[kVectors];
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v)
        column[v] = Weight::load(d, b + v / kPanelVectors * panel_stride + v % kPanelVectors * lanes);
      HWY_UNROLL(16)
      for (int r = 0; r < kRows; ++r) {
        const auto* at = reinterpret_cast<const float*>(fours[r / 4] + (r % 4 == 3 ? three_rows : r % 4 * a_row));
        const V element = hn::Set(d, *at);
        HWY_UNROLL(16)
        for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(element, column[v], sum[r][v]);
      }
      HWY_UNROLL(4)
      for (int i = 0; i < kFours; ++i) fours[i] += a_column;
      b += b_row;
    }
    if (rest == 0) break;
    steps = rest;
    for (int r = 0; r < kRows; ++r) {
      __builtin_prefetch(c + r * t.c_row, 1, 3);
      __builtin_prefetch(c + r * t.c_row + t.columns - 1, 1, 3);
    }
  }

  if (t.clips) {
    const V low = hn::Set(d, t.low), high = hn::Set(d, t.high);
    HWY_UNROLL(16)
    for (int r = 0; r < kRows; ++r) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) sum[r][v] = clamped(low, high, sum[r][v]);
    }
  }
  const int64_t c_row = t.c_row;
  const auto store = [&](auto one) HWY_ATTR {
    HWY_UNROLL(16)
    for (int r = 0; r < kRows; ++r) {
      HWY_UNROLL(16)
      for (int v = 0; v < kVectors; ++v) one(sum[r][v], c + r * c_row + v * lanes, v);
    }
  };
  if (whole) {
    store([&](V x, float* to, int) HWY_ATTR { hn::StoreU(x, d, to); });
  } else {
    store([&](V x, float* to, int v) HWY_ATTR { store_n(x, d, to, left(v)); });
  }
}

// Few rows leave registers for several panels, and need them: one sum alone waits for itself.
constexpr int kPanelsOf[] = {1, 4, 2, HWY_MAX_BYTES == 16 ? 1 : 2};
// Two tiles of four rows of 256 bits have too few sums as well: three lower ones over several panels do not.
constexpr bool kEightInThree = HWY_MAX_BYTES == 32;
int panels_at_once(int64_t rows, ops::WeightType type) {
  if (kEightInThree && rows == 8 && type == ops::WeightType::f32) return kPanelsOf[3];
  return rows <= 3 && rows > 0 ? kPanelsOf[rows] : 1;
}

template <int kRows, typename Weight>
void multiply_rows(const TileArgs& t, int64_t rows, int64_t first) {
  const bool several = t.columns > kPanelVectors * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  for (int64_t row = first; row < first + rows; row += kRows) {
    if constexpr (kRows <= 3) {
      if (several) {
        multiply_tile<kRows, kPanelsOf[kRows], Weight>(t, row);
        continue;
      }
    }
    multiply_tile<kRows, 1, Weight>(t, row);
  }
}

using MultiplyRows = void (*)(const TileArgs&, int64_t, int64_t);
template <typename Weight, int... kIndex>
constexpr std::array<MultiplyRows, sizeof...(kIndex)> multiply_table(std::integer_sequence<int, kIndex...>) {
  return {multiply_rows<kIndex + 1, Weight>...};
}
template <typename Weight>
constexpr auto kMultiply = multiply_table<Weight>(std::make_integer_sequence<int, kMaxRows>());

// Tiles of nearly equal height: 16 rows are 8 and 8, not 14 and 2. Rows whole pages apart share a set of the nearest
// cache, which has room for so many lines. Five rows of 256 bits have as much too few sums as four: two tiles of them
// are one of six and one of four.
template <typename Weight>
void multiply_all(const TileArgs& t) {
  constexpr int kWays = 12;
  const bool several = t.columns > kPanelVectors * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  const int64_t crowded = t.a_column == 1 && t.a_row % 1024 == 0 ? HWY_MIN(kMaxRows, kWays - 1) : kMaxRows;
  const int64_t most = several ? 3 : crowded;
  const int64_t tiles = (t.rows + most - 1) / most;
  if (tiles == 0) return;
  const int64_t height = t.rows / tiles;
  int64_t taller = t.rows % tiles, lower = 0;
  if (kMaxRows == 6 && height == 5) lower = (tiles - taller) / 2;
  taller += lower;
  const int64_t equal = tiles - taller - lower, high = taller * (height + 1), middle = equal * height;
  if (taller > 0) kMultiply<Weight>[static_cast<size_t>(height)](t, high, 0);
  if (equal > 0) kMultiply<Weight>[static_cast<size_t>(height - 1)](t, middle, high);
  if (lower > 0) kMultiply<Weight>[static_cast<size_t>(height - 2)](t, lower * (height - 1), high + middle);
}

constexpr bool kTakesHalf = HWY_MAX_BYTES > 16;  // below, float16 is widened bit by bit

void multiply(const TileArgs& t) {
  if constexpr (kTakesHalf) {
    if (t.b_type == ops::WeightType::f16) return multiply_all<WeightF16>(t);
    if (t.b_type == ops::WeightType::bf16) return multiply_all<WeightBF16>(t);
  }
  multiply_all<WeightF32>(t);
}

bool narrow(ops::WeightType type, const float* from, int64_t count, void* to) {
  if constexpr (kTakesHalf) {
    const hn::ScalableTag<float> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    auto lost = hn::Zero(du);
    for (int64_t i = 0; i < count; i += lanes) {
      const auto v = hn::LoadU(d, from + i);
      if (type == ops::WeightType::bf16) {
        const auto high = hn::ShiftRight<16>(hn::BitCast(du, v));
        hn::StoreU(hn::TruncateTo(hn::Rebind<uint16_t, decltype(d)>(), high), hn::Rebind<uint16_t, decltype(d)>(),
                   static_cast<uint16_t*>(to) + i);
        lost = hn::Or(lost, hn::Xor(hn::ShiftLeft<16>(high), hn::BitCast(du, v)));
      } else {
        const hn::Rebind<hwy::float16_t, decltype(d)> d16;
        const auto half = hn::DemoteTo(d16, v);
        hn::StoreU(half, d16, static_cast<hwy::float16_t*>(to) + i);
        lost = hn::Or(lost, hn::Xor(hn::BitCast(du, hn::PromoteTo(d, half)), hn::BitCast(du, v)));
      }
    }
    return hn::AllTrue(du, hn::Eq(lost, hn::Zero(du)));
  }
  return false;
}

// Columns lie together: whole vectors.
void copy_rows(const float* b, int64_t row, int64_t count, int64_t columns, float* panel) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), width = kPanelVectors * lanes;
  if (columns == width) {
    for (int64_t p = 0; p < count; ++p) {
      for (int v = 0; v < kPanelVectors; ++v) hn::StoreU(hn::LoadU(d, b + p * row + v * lanes), d, panel + v * lanes);
      panel += width;
    }
    return;
  }
  for (int64_t p = 0; p < count; ++p) {
    for (int v = 0; v < kPanelVectors; ++v) {
      const auto left = static_cast<size_t>(HWY_MAX(columns - v * lanes, int64_t{0}));
      hn::StoreU(load_n(d, b + p * row + v * lanes, left), d, panel + v * lanes);
    }
    panel += width;
  }
}

// Four elements of each fourth column from `from` on, as many as a vector holds.
template <class D>
HWY_INLINE hn::VFromD<D> load_fours(D d, const float* from, int64_t column) {
  if constexpr (hn::MaxLanes(d) == 4) {
    return hn::LoadU(d, from);
  } else {
    constexpr hn::Half<D> half;
    constexpr auto kColumns = static_cast<int64_t>(hn::MaxLanes(half));
    return hn::Combine(d, load_fours(half, from + kColumns * column, column), load_fours(half, from, column));
  }
}

// Four rows of panel from as many columns as a vector has lanes.
template <class D>
HWY_INLINE void copy_four_rows(D d, const float* from, int64_t column, int64_t width, float* to) {
  const auto r0 = load_fours(d, from, column), r1 = load_fours(d, from + column, column);
  const auto r2 = load_fours(d, from + 2 * column, column), r3 = load_fours(d, from + 3 * column, column);
  const auto a = hn::InterleaveLower(d, r0, r2), e = hn::InterleaveLower(d, r1, r3);
  const auto g = hn::InterleaveUpper(d, r0, r2), h = hn::InterleaveUpper(d, r1, r3);
  hn::StoreU(hn::InterleaveLower(d, a, e), d, to);
  hn::StoreU(hn::InterleaveUpper(d, a, e), d, to + width);
  hn::StoreU(hn::InterleaveLower(d, g, h), d, to + 2 * width);
  hn::StoreU(hn::InterleaveUpper(d, g, h), d, to + 3 * width);
}

// The i-th share of what is read of the next columns.
HWY_INLINE void fetch_columns(const float* from, int64_t column, int64_t i, int64_t columns) {
  const float* at = from + i % columns * column + i / columns * 4 * columns;
  for (int64_t line = 0; line < 4 * columns; line += 16) __builtin_prefetch(at + line, 0, 3);
}

struct Columns {
  int64_t first, end;
};

// Returns how many columns are copied: all up to there that fill a vector.
template <class D>
int64_t copy_whole_vectors(D d, const float* b, int64_t column, int64_t count, Columns columns, float* panel) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t width = kPanelVectors * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  int64_t j = columns.first;
  for (; j + lanes <= columns.end; j += lanes) {
    const float* from = b + j * column;
    int64_t p = 0;
    for (; p + 4 <= count; p += 4) {
      fetch_columns(from + lanes * column, column, p / 4, lanes);
      copy_four_rows(d, from + p, column, width, panel + p * width + j);
    }
    for (; p < count; ++p)
      for (int64_t i = 0; i < lanes; ++i) panel[p * width + j + i] = from[i * column + p];
  }
  return j;
}

// A column's elements lie together: four rows of whole vectors, then of four columns, at a time.
void copy_columns(const float* b, int64_t column, int64_t count, int64_t columns, float* panel) {
  const int64_t width = kPanelVectors * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  int64_t j = copy_whole_vectors(hn::ScalableTag<float>(), b, column, count, {0, columns}, panel);
  if (j < columns) j = copy_whole_vectors(hn::Full128<float>(), b, column, count, {j, columns}, panel);
  for (; j < width; ++j)
    for (int64_t p = 0; p < count; ++p) panel[p * width + j] = j < columns ? b[j * column + p] : 0.0f;
}

void copy_panel(const float* b, int64_t row, int64_t column, int64_t count, int64_t columns, float* panel) {
  if (column == 1) return copy_rows(b, row, count, columns, panel);
  if (row == 1) return copy_columns(b, column, count, columns, panel);
  const int64_t width = kPanelVectors * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  for (int64_t p = 0; p < count; ++p)
    for (int64_t j = 0; j < width; ++j) panel[p * width + j] = j < columns ? b[p * row + j * column] : 0.0f;
}

constexpr ops::GemmTiles kTiles = {.panel_width = kPanelVectors * HWY_MAX_BYTES / static_cast<int>(sizeof(float)),
                                   .max_rows = kMaxRows,
                                   .panels_at_once = panels_at_once,
                                   .multiply = multiply,
                                   .copy_panel = copy_panel,
                                   .takes_half = kTakesHalf,
                                   .narrow = narrow};
const ops::GemmTiles* tiles() { return &kTiles; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const GemmTiles& gemm_tiles() { return *SDX_DISPATCH(tiles)(); }

}  // namespace sdx::ops
#endif
