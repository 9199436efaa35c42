// Parts of overlapping windows added to a plane, the parts of as many kernel elements as the stride together.
#include "base/simd_targets.h"  // first

#include <algorithm>

#include "kernel/simd.h"
#include "ops/conv/add_parts.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::Im2col;

// Positions of a row whose part of kernel element kx lies inside.
struct Inside {
  Inside(const Im2col& s, int64_t kx) : shift(kx * s.dilation[2] - s.begin[2]) {
    first = shift >= 0 ? 0 : (-shift + s.stride[2] - 1) / s.stride[2];
    last = s.in[2] <= shift ? 0 : std::min(s.out[2], (s.in[2] - shift + s.stride[2] - 1) / s.stride[2]);
  }
  int64_t shift, first, last;
};

void add_some(const float* part, int64_t begin, int64_t end, int64_t stride, float* to) {
  for (int64_t i = begin; i < end; ++i) to[i * stride] += part[i];
}

void add_row(const float* part, int64_t begin, int64_t end, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes) hn::StoreU(hn::Add(hn::LoadU(d, to + i), hn::LoadU(d, part + i)), d, to + i);
  if (i >= end) return;
  const auto count = static_cast<size_t>(end - i);
  store_n(hn::Add(load_n(d, to + i, count), load_n(d, part + i, count)), d, to + i, count);
}

// The rows of kStride kernel elements one after another, each `step` behind the one before. Returns where it ends.
template <int kStride>
int64_t add_together(const float* part, int64_t step, int64_t begin, int64_t end, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    const auto own = [&](int k) HWY_ATTR { return hn::LoadU(d, part + k * step + i); };
    float* at = to + i * kStride;
    auto a = hn::Zero(d), b = a, c = a, e = a;
    if constexpr (kStride == 2) {
      hn::LoadInterleaved2(d, at, a, b);
      hn::StoreInterleaved2(hn::Add(a, own(0)), hn::Add(b, own(1)), d, at);
    } else if constexpr (kStride == 3) {
      hn::LoadInterleaved3(d, at, a, b, c);
      hn::StoreInterleaved3(hn::Add(a, own(0)), hn::Add(b, own(1)), hn::Add(c, own(2)), d, at);
    } else {
      hn::LoadInterleaved4(d, at, a, b, c, e);
      hn::StoreInterleaved4(hn::Add(a, own(0)), hn::Add(b, own(1)), hn::Add(c, own(2)), hn::Add(e, own(3)), d, at);
    }
  }
  return i;
}

int64_t add_together(int64_t stride, const float* part, int64_t step, int64_t begin, int64_t end, float* to) {
  switch (stride) {
    case 2: return add_together<2>(part, step, begin, end, to);
    case 3: return add_together<3>(part, step, begin, end, to);
    default: return add_together<4>(part, step, begin, end, to);
  }
}

// The parts of kernel elements [kx, kx + count) of one row, `step` apart, to a row of the plane.
void add_elements(const Im2col& s, int64_t kx, int64_t count, const float* part, int64_t step, float* row) {
  const int64_t stride = s.stride[2];
  if (stride == 1) {
    const Inside own(s, kx);
    return add_row(part, own.first, own.last, row + own.shift);
  }
  int64_t begin = 0, end = 0;
  if (count == stride) {
    begin = Inside(s, kx).first;
    const Inside last(s, kx + count - 1);
    begin = std::max(begin, last.first);
    const int64_t limit = std::min(Inside(s, kx).last, last.last);
    end = limit <= begin ? begin : add_together(stride, part, step, begin, limit, row + Inside(s, kx).shift);
  }
  for (int64_t k = 0; k < count; ++k) {
    const Inside own(s, kx + k);
    add_some(part + k * step, own.first, std::max(own.first, std::min(begin, own.last)), stride, row + own.shift);
    add_some(part + k * step, std::max(own.first, end), own.last, stride, row + own.shift);
  }
}

void add_parts(const Im2col& s, const float* parts, float* y) {
  const int64_t positions = s.out[0] * s.out[1] * s.out[2], stride = s.stride[2];
  const bool together = stride >= 2 && stride <= 4 && s.dilation[2] == 1;
  for (int64_t kz = 0; kz < s.kernel[0]; ++kz) {
    for (int64_t ky = 0; ky < s.kernel[1]; ++ky) {
      for (int64_t kx = 0; kx < s.kernel[2];) {
        const int64_t count = together && kx + stride <= s.kernel[2] ? stride : 1;
        const float* part = parts;
        for (int64_t z = 0; z < s.out[0]; ++z) {
          const int64_t to_z = z * s.stride[0] - s.begin[0] + kz * s.dilation[0];
          for (int64_t line = 0; line < s.out[1]; ++line, part += s.out[2]) {
            const int64_t to_y = line * s.stride[1] - s.begin[1] + ky * s.dilation[1];
            if (to_z < 0 || to_z >= s.in[0] || to_y < 0 || to_y >= s.in[1]) continue;
            add_elements(s, kx, count, part, positions, y + (to_z * s.in[1] + to_y) * s.in[2]);
          }
        }
        kx += count;
        parts += count * positions;
      }
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

AddParts add_parts() { return SDX_DISPATCH(add_parts); }

}  // namespace sdx::ops
#endif
