// Winograd's transforms, one vector of channels at a time.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
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
  const V even_a = plus_times(d[4], d[2], -2.0f), odd_a = times(plus_times(d[3], d[1], -2.0f), kA);
  const V even_b = plus_times(d[4], d[2], -0.5f), odd_b = times(plus_times(d[3], d[1], -0.5f), kB);
  o[0] = hn::Add(plus_times(d[4], d[2], -2.5f), d[0]);
  o[1] = hn::Add(even_a, odd_a);
  o[2] = hn::Sub(even_a, odd_a);
  o[3] = hn::Add(even_b, odd_b);
  o[4] = hn::Sub(even_b, odd_b);
  o[5] = hn::Add(plus_times(d[5], d[3], -2.5f), d[1]);
}

HWY_INLINE void weights_line(const V (&g)[3], V (&o)[6]) {
  const V even_a = plus_times(times(g[0], -2.0f / 3), g[2], -1.0f / 3), odd_a = times(g[1], 2.0f / 3 * kA);
  const V even_b = plus_times(times(g[0], 1.0f / 6), g[2], 1.0f / 3), odd_b = times(g[1], 1.0f / 6 * kB);
  o[0] = g[0];
  o[1] = hn::Sub(even_a, odd_a);
  o[2] = hn::Add(even_a, odd_a);
  o[3] = hn::Add(even_b, odd_b);
  o[4] = hn::Sub(even_b, odd_b);
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

// Element `kLine` of weights_line.
template <int kLine>
HWY_INLINE V weights_point(V g0, V g1, V g2) {
  if constexpr (kLine == 0) return g0;
  if constexpr (kLine == 5) return g2;
  constexpr bool kIsA = kLine <= 2;
  const V even = plus_times(times(g0, kIsA ? -2.0f / 3 : 1.0f / 6), g2, kIsA ? -1.0f / 3 : 1.0f / 3);
  return plus_times(even, g1, (kLine == 1 || kLine == 4 ? -1.0f : 1.0f) * (kIsA ? 2.0f / 3 * kA : 1.0f / 6 * kB));
}

// The results of one line at a time stay in the first cache, however many channels there are.
template <int kLine>
void transform_weights(const float* w, int64_t depth, int64_t width, float* u, int64_t step) {
  const Tag d;
  for (int64_t c = 0; c < depth; ++c, w += 9 * width, u += width) {
    for (int64_t lane = 0; lane < width; lane += kLanes) {
      V line[3], o[6];
      HWY_UNROLL(3)
      for (int i = 0; i < 3; ++i) {
        const float* g = w + i * 3 * width + lane;
        line[i] = weights_point<kLine>(hn::LoadU(d, g), hn::LoadU(d, g + width), hn::LoadU(d, g + 2 * width));
      }
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
    HWY_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
      V o[4];
      output_line(half[i], o);
      HWY_UNROLL(4)
      for (int j = 0; j < 4; ++j) {
        const int64_t at = i * row + j * kBlock + lane;
        V sum = hn::Add(o[j], bias);
        if (end.z != nullptr) sum = hn::Add(sum, hn::LoadU(d, end.z + at));
        hn::StoreU(hn::Min(high, hn::Max(low, sum)), d, y + at);  // this order keeps NaN
      }
    }
  }
}

constexpr ops::WinogradTiles kTransforms = {transform_input,
                                            {transform_weights<0>, transform_weights<1>, transform_weights<2>,
                                             transform_weights<3>, transform_weights<4>, transform_weights<5>},
                                            transform_output};
const ops::WinogradTiles* transforms() { return &kTransforms; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const WinogradTiles& winograd_tiles() { return *SDX_DISPATCH(transforms)(); }

}  // namespace sdx::ops
#endif
