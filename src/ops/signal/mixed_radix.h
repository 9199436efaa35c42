// Fourier transforms in single precision of several complex lines at once, for lengths whose prime factors are small:
// decimation in frequency, radix 4, then 2, then the odd primes, every pass from one buffer to the other.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/signal/fft.h"

namespace sdx::ops {

class MixedRadix {
 public:
  static constexpr size_t kManyLines = 16;     // that are transformed together
  static constexpr size_t kLargestPrime = 31;  // a direct transform of this many points in the middle
  static bool takes(size_t length);

  MixedRadix(size_t length, FftDirection direction);
  size_t length() const { return length_; }
  // Of kLines (1 or kManyLines) lines: element k of line i is at [k * kLines + i]. In place; re, im, other_re,
  // other_im: length() * kLines numbers each; the last two hold nothing of use.
  template <size_t kLines>
  void run(float* re, float* im, float* other_re, float* other_im) const;

 private:
  struct Complex {
    float re, im;
  };
  struct Pass {
    size_t radix, groups, stride;   // groups * radix * stride == length
    std::vector<Complex> twiddles;  // e^(i angle p k) for [p][k - 1]
    std::vector<Complex> roots;     // e^(i angle k), k below the radix
  };
  struct Lines {
    const float *re, *im;
  };
  struct Out {
    float *re, *im;
  };
  template <size_t kLines>
  static void pass_2(const Pass& pass, Lines from, Out to);
  template <size_t kLines>
  static void pass_4(const Pass& pass, Lines from, Out to, float sign);
  template <size_t kLines>
  static void pass_odd(const Pass& pass, Lines from, Out to);

  size_t length_;
  FftDirection direction_;
  std::vector<Pass> passes_;
};

}  // namespace sdx::ops
