// Winograd's transforms, one vector of channels at a time.
#include "base/simd_targets.h"  // first

#include <array>
#include <utility>

#include "kernel/clamp-inl.h"
#include "ops/conv/blocked_conv.h"
#include "ops/conv/winograd_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr int kLanes = HWY_MAX_BYTES / static_cast<int>(sizeof(float));
constexpr int kBlock = static_cast<int>(ops::kChannelBlock);
using Tag = hn::CappedTag<float, kLanes>;
using V = hn::VFromD<Tag>;
constexpr float kA = 0.70710678118654752f, kB = 1.41421356237309505f;

HWY_INLINE V times(V v, float factor) { return hn::Mul(v, hn::Set(Tag(), factor)); }
HWY_INLINE V plus_times(V sum, V v, float factor) { return hn::MulAdd(v, hn::Set(Tag(), factor), sum); }

HWY_INLINE void input_line(const V (&d)[6], V (&o)[6]) {
  const V even_a = plus_times(times(d[4], -2.0f / 3), d[2], 4.0f / 3);
  const V odd_a = times(plus_times(d[3], d[1], -2.0f), -2.0f / 3 * kA);
  const V even_b = plus_times(times(d[4], 1.0f / 6), d[2], -1.0f / 12);
  const V odd_b = times(plus_times(d[3], d[1], -0.5f), 1.0f / 6 * kB);
  o[0] = hn::Add(plus_times(d[4], d[2], -2.5f), d[0]);
  o[1] = hn::Add(even_a, odd_a);
  o[2] = hn::Sub(even_a, odd_a);
  o[3] = hn::Add(even_b, odd_b);
  o[4] = hn::Sub(even_b, odd_b);
  o[5] = hn::Add(plus_times(d[5], d[3], -2.5f), d[1]);
}

// Element `kLine` of a line of the weights' transform.
template <int kLine>
HWY_INLINE V weights_point(V g0, V g1, V g2) {
  if constexpr (kLine == 0) return g0;
  if constexpr (kLine == 5) return g2;
  constexpr bool kIsA = kLine <= 2;
  constexpr float kPoint = kIsA ? kA : kB;
  return plus_times(plus_times(g0, g2, kIsA ? 0.5f : 2.0f), g1, kLine % 2 == 1 ? kPoint : -kPoint);
}

HWY_INLINE void weights_line(const V (&g)[3], V (&o)[6]) {
  o[0] = g[0];
  o[1] = weights_point<1>(g[0], g[1], g[2]);
  o[2] = weights_point<2>(g[0], g[1], g[2]);
  o[3] = weights_point<3>(g[0], g[1], g[2]);
  o[4] = weights_point<4>(g[0], g[1], g[2]);
  o[5] = g[2];
}

HWY_INLINE void output_line(const V (&m)[6], V (&o)[4]) {
  const V sum_a = hn::Add(m[1], m[2]), difference_a = times(hn::Sub(m[1], m[2]), kA);
  const V sum_b = hn::Add(m[3], m[4]), difference_b = times(hn::Sub(m[3], m[4]), kB);
  o[0] = hn::Add(m[0], hn::Add(sum_a, sum_b));
  o[1] = hn::Add(difference_a, difference_b);
  o[2] = plus_times(times(sum_a, 0.5f), sum_b, 2.0f);
  o[3] = hn::Add(plus_times(times(difference_a, 0.5f), difference_b, 2.0f), m[5]);
}

void transform_input(const float* x, int64_t row, float* v, int64_t step) {
  const Tag d;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    V half[6][6];  // [column of the result][row of the input]
    HWY_UNROLL(6)
    for (int i = 0; i < 6; ++i) {
      V line[6], o[6];
      HWY_UNROLL(6)
      for (int j = 0; j < 6; ++j) line[j] = hn::LoadU(d, x + i * row + j * kBlock + lane);
      input_line(line, o);
      HWY_UNROLL(6)
      for (int j = 0; j < 6; ++j) half[j][i] = o[j];
    }
    HWY_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      V o[6];
      input_line(half[j], o);
      HWY_UNROLL(6)
      for (int i = 0; i < 6; ++i) hn::StoreU(o[i], d, v + (j * 6 + i) * step + lane);
    }
  }
}

// As blocked_tiles_cpu.cc takes them.
constexpr bool kTakesHalves = HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2;
HWY_INLINE V load_weights(const float* w) { return hn::LoadU(Tag(), w); }
[[maybe_unused]] HWY_INLINE V load_weights(const hwy::float16_t* w) {
  return hn::PromoteTo(Tag(), hn::LoadU(hn::Rebind<hwy::float16_t, Tag>(), w));
}
template <int kLine, typename T>
HWY_INLINE V weights_column(const T* g, int64_t width) {
  return weights_point<kLine>(load_weights(g), load_weights(g + width), load_weights(g + 2 * width));
}

// The results of one line at a time stay in the first cache, however many channels there are.
template <int kLine, typename T>
void transform_weights(const float* weights, int64_t depth, int64_t width, float* u, int64_t step) {
  const auto* w = reinterpret_cast<const T*>(weights);
  const Tag d;
  for (int64_t c = 0; c < depth; ++c, w += 9 * width, u += width) {
    for (int64_t lane = 0; lane < width; lane += kLanes) {
      V line[3], o[6];
      HWY_UNROLL(3)
      for (int i = 0; i < 3; ++i) line[i] = weights_column<kLine>(w + i * 3 * width + lane, width);
      weights_line(line, o);
      HWY_UNROLL(6)
      for (int i = 0; i < 6; ++i) hn::StoreU(o[i], d, u + i * step + lane);
    }
  }
}

void transform_output(const float* m, int64_t step, const ops::WinogradEnd& end, float* y, int64_t row) {
  const Tag d;
  const V low = hn::Set(d, end.low), high = hn::Set(d, end.high);
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    V half[4][6];  // [row of the result][column of the products]
    HWY_UNROLL(6)
    for (int j = 0; j < 6; ++j) {
      V line[6], o[4];
      HWY_UNROLL(6)
      for (int i = 0; i < 6; ++i) line[i] = hn::LoadU(d, m + (j * 6 + i) * step + lane);
      output_line(line, o);
      HWY_UNROLL(4)
      for (int i = 0; i < 4; ++i) half[i][j] = o[i];
    }
    const V bias = hn::LoadU(d, end.bias + lane);
    const V factor = end.factor != nullptr ? hn::LoadU(d, end.factor + lane) : hn::Set(d, 1.0f);
    HWY_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
      V o[4];
      output_line(half[i], o);
      HWY_UNROLL(4)
      for (int j = 0; j < 4; ++j) {
        const int64_t at = i * row + j * kBlock + lane;
        V sum = hn::MulAdd(o[j], factor, bias);
        if (end.z != nullptr) sum = hn::Add(sum, hn::LoadU(d, end.z + at));
        hn::StoreU(clamped(low, high, sum), d, y + at);
      }
    }
  }
}

// As blocked_tiles_cpu.cc has them: sums, the weights' vectors and one element fit the registers.
constexpr int kBlockVectors = kBlock / kLanes;
constexpr int kPanelVectors = kBlockVectors < 2 ? 2 : kBlockVectors;
constexpr int kMostTiles = HWY_MAX_BYTES == 64 ? 14 : HWY_MAX_BYTES == 32 ? 6 : HWY_ARCH_ARM ? 6 : 3;
constexpr int kTogether = HWY_MAX_BYTES == 64 || HWY_ARCH_ARM ? 4 : 2;  // tiles of fused products

// Fetches weights into the second cache, some with every 16 channels of `passes` passes.
class Fetcher {
 public:
  Fetcher(const ops::WinogradProducts& t, int64_t passes) : next_(t.next) {
    const int64_t steps = passes * ((t.depth + kBlock - 1) / kBlock);
    lines_ = (t.next_lines + steps - 1) / steps;
  }
  HWY_INLINE void step() {
    for (int64_t line = 0; line < lines_; ++line, next_ += 16) __builtin_prefetch(next_, 0, 2);
  }

 private:
  const float* next_;
  int64_t lines_;
};

// Sums of some channels are added when they are whole: rounding grows with the length of a chain.
HWY_INLINE void store_sum(V sum, bool adds, float* m) {
  const Tag d;
  hn::StoreU(adds ? hn::Add(sum, hn::LoadU(d, m)) : sum, d, m);
}

template <int kTiles, int kVectors>
void multiply_tiles(const ops::WinogradProducts& t, const float* v, const float* u, float* m, Fetcher& fetcher) {
  const Tag d;
  const int64_t block_step = t.tiles * kBlock;
  const auto place = [block_step](int i, int j)
                         HWY_ATTR { return j / kBlockVectors * block_step + i * kBlock + j % kBlockVectors * kLanes; };
  V sum[kTiles][kVectors];
  HWY_UNROLL(16)
  for (int i = 0; i < kTiles; ++i) {
    HWY_UNROLL(16)
    for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::Zero(d);
  }
  for (int64_t first = 0; first < t.depth; first += kBlock, v += block_step) {
    fetcher.step();
    const float* end = v + HWY_MIN(t.depth - first, int64_t{kBlock});
    for (const float* a = v; a < end; ++a, u += kVectors * kLanes) {
      V row[kVectors];
      HWY_UNROLL(16)
      for (int j = 0; j < kVectors; ++j) row[j] = hn::LoadU(d, u + j * kLanes);
      HWY_UNROLL(16)
      for (int i = 0; i < kTiles; ++i) {
        const V element = hn::Set(d, a[i * kBlock]);
        HWY_UNROLL(16)
        for (int j = 0; j < kVectors; ++j) sum[i][j] = hn::MulAdd(element, row[j], sum[i][j]);
      }
    }
  }
  HWY_UNROLL(16)
  for (int i = 0; i < kTiles; ++i) {
    HWY_UNROLL(16)
    for (int j = 0; j < kVectors; ++j) store_sum(sum[i][j], t.adds, m + place(i, j));
  }
}

using MultiplyTiles = void (*)(const ops::WinogradProducts&, const float*, const float*, float*, Fetcher&);
template <int kVectors, int... kIndex>
constexpr std::array<MultiplyTiles, sizeof...(kIndex)> multiply_table(std::integer_sequence<int, kIndex...>) {
  return {multiply_tiles<kIndex + 1, kVectors>...};
}

// Tiles are taken in groups of nearly equal size.
template <int kVectors>
void multiply_panel(const ops::WinogradProducts& t) {
  static constexpr auto kTable = multiply_table<kVectors>(std::make_integer_sequence<int, kMostTiles>());
  const int64_t groups = (t.tiles + kMostTiles - 1) / kMostTiles, size = t.tiles / groups, larger = t.tiles % groups;
  Fetcher fetcher(t, ops::kWinogradLine * groups);
  for (int64_t point = 0; point < ops::kWinogradLine; ++point) {
    for (int64_t i = 0, at = 0; i < groups; ++i) {
      const int64_t count = i < larger ? size + 1 : size;
      kTable[static_cast<size_t>(count - 1)](t, t.v + point * t.v_step + at * kBlock, t.u + point * t.u_step,
                                             t.m + point * t.m_step + at * kBlock, fetcher);
      at += count;
    }
  }
}

void multiply(const ops::WinogradProducts& t) {
  if (t.width == kBlock) {
    multiply_panel<kBlockVectors>(t);
  } else {
    multiply_panel<kPanelVectors>(t);
  }
}

// The width is a constant so that addresses need no registers.
template <int kLine, int kWidth, typename T>
void multiply_fused_tiles(const ops::WinogradProducts& t, const float* v, const T* w, float* m, Fetcher& fetcher) {
  const Tag d;
  const int64_t block_step = t.tiles * kBlock;
  V sum[6][kTogether];
  HWY_UNROLL(6)
  for (int i = 0; i < 6; ++i) {
    HWY_UNROLL(4)
    for (int j = 0; j < kTogether; ++j) sum[i][j] = hn::Zero(d);
  }
  const float* from[6];
  for (int i = 0; i < 6; ++i) from[i] = v + i * t.v_step;
  for (int64_t first = 0; first < t.depth; first += kBlock) {
    fetcher.step();
    const int64_t count = HWY_MIN(t.depth - first, int64_t{kBlock});
    for (int64_t c = 0; c < count; ++c, w += 9 * kWidth) {
      V line[3], o[6];
      HWY_UNROLL(3)
      for (int i = 0; i < 3; ++i) line[i] = weights_column<kLine>(w + i * 3 * kWidth, kWidth);
      weights_line(line, o);
      HWY_UNROLL(6)
      for (int i = 0; i < 6; ++i) {
        HWY_UNROLL(4)
        for (int j = 0; j < kTogether; ++j)
          sum[i][j] = hn::MulAdd(hn::Set(d, from[i][j * kBlock + c]), o[i], sum[i][j]);
      }
    }
    for (int i = 0; i < 6; ++i) from[i] += block_step;
  }
  HWY_UNROLL(6)
  for (int i = 0; i < 6; ++i) {
    HWY_UNROLL(4)
    for (int j = 0; j < kTogether; ++j) store_sum(sum[i][j], t.adds, m + i * t.m_step + j * kBlock);
  }
}

template <int kLine, typename T>
void multiply_fused(const ops::WinogradProducts& t) {
  const auto run = t.width == kBlock ? multiply_fused_tiles<kLine, kBlock, T>
                                     : multiply_fused_tiles<kLine, kPanelVectors * kLanes, T>;
  const auto* w = reinterpret_cast<const T*>(t.w);
  Fetcher fetcher(t, t.width / kLanes * (t.tiles / kTogether));
  for (int64_t lane = 0; lane < t.width; lane += kLanes) {
    float* m = t.m + lane / kBlock * t.tiles * kBlock + lane % kBlock;
    for (int64_t i = 0; i < t.tiles; i += kTogether) run(t, t.v + i * kBlock, w + lane, m + i * kBlock, fetcher);
  }
}

template <int... kLine>
constexpr ops::WinogradTiles make_transforms(std::integer_sequence<int, kLine...>) {
  ops::WinogradTiles made = {};
  made.transform_input = transform_input;
  ((made.transform_weights[kLine] = transform_weights<kLine, float>), ...);
  made.multiply = multiply;
  ((made.multiply_fused[kLine] = multiply_fused<kLine, float>), ...);
  if constexpr (kTakesHalves) {
    ((made.transform_halves[kLine] = transform_weights<kLine, hwy::float16_t>), ...);
    ((made.multiply_fused_halves[kLine] = multiply_fused<kLine, hwy::float16_t>), ...);
  }
  made.transform_output = transform_output;
  return made;
}

constexpr ops::WinogradTiles kTransforms = make_transforms(std::make_integer_sequence<int, 6>());
const ops::WinogradTiles* transforms() { return &kTransforms; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const WinogradTiles& winograd_tiles() { return *SDX_DISPATCH(transforms)(); }

}  // namespace sdx::ops
#endif
