#include "ops/signal/mixed_radix.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/stop_point.h"

namespace sdx::ops {
namespace {

std::vector<size_t> radices_of(size_t length) {
  std::vector<size_t> radices;
  for (; length % 4 == 0; length /= 4) radices.push_back(4);
  if (length % 2 == 0) {
    radices.push_back(2);
    length /= 2;
  }
  for (size_t prime = 3; prime <= MixedRadix::kLargestPrime; prime += 2)
    for (; length % prime == 0; length /= prime) radices.push_back(prime);
  if (length > 1) radices.clear();
  return radices;
}

// y = x * (c + i s) for each line.
template <size_t kLines>
inline void multiply(const float* re, const float* im, float c, float s, float* to_re, float* to_im) {
  for (size_t i = 0; i < kLines; ++i) {
    const float a = re[i], b = im[i];
    to_re[i] = a * c - b * s;
    to_im[i] = a * s + b * c;
  }
}

}  // namespace

bool MixedRadix::takes(size_t length) { return length == 1 || !radices_of(length).empty(); }

MixedRadix::MixedRadix(size_t length, FftDirection direction) : length_(length), direction_(direction) {
  const double turn = (direction == FftDirection::inverse ? 2 : -2) * std::numbers::pi;
  const auto root = [&](size_t k, size_t n) {
    const double angle = turn * static_cast<double>(k % n) / static_cast<double>(n);
    return Complex{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  };
  size_t stride = 1;
  for (const size_t radix : radices_of(length)) {
    const size_t span = length / stride;
    Pass pass{radix, span / radix, stride, {}, {}};
    pass.twiddles.reserve(pass.groups * (radix - 1));
    for (size_t p = 0; p < pass.groups; ++p, stop_point())
      for (size_t k = 1; k < radix; ++k) pass.twiddles.push_back(root(p * k, span));
    for (size_t k = 0; k < radix; ++k) pass.roots.push_back(root(k, radix));
    passes_.push_back(std::move(pass));
    stride *= radix;
  }
}

template <size_t kLines>
void MixedRadix::pass_2(const Pass& pass, Lines from, Out to) {
  const size_t half = pass.groups * pass.stride * kLines, step = pass.stride * kLines;
  for (size_t p = 0; p < pass.groups; ++p) {
    const auto [c, s] = pass.twiddles[p];
    for (size_t q = 0; q < pass.stride; ++q) {
      const size_t at = (q + pass.stride * p) * kLines, into = (q + pass.stride * 2 * p) * kLines;
      float re[kLines], im[kLines];
      for (size_t i = 0; i < kLines; ++i) {
        const float a = from.re[at + i], b = from.re[at + half + i];
        const float e = from.im[at + i], f = from.im[at + half + i];
        to.re[into + i] = a + b;
        to.im[into + i] = e + f;
        re[i] = a - b;
        im[i] = e - f;
      }
      multiply<kLines>(re, im, c, s, to.re + into + step, to.im + into + step);
    }
  }
}

template <size_t kLines>
void MixedRadix::pass_4(const Pass& pass, Lines from, Out to, float sign) {
  const size_t part = pass.groups * pass.stride * kLines, step = pass.stride * kLines;
  for (size_t p = 0; p < pass.groups; ++p) {
    const Complex* w = &pass.twiddles[p * 3];
    for (size_t q = 0; q < pass.stride; ++q) {
      const size_t at = (q + pass.stride * p) * kLines, into = (q + pass.stride * 4 * p) * kLines;
      float re[3][kLines], im[3][kLines];
      for (size_t i = 0; i < kLines; ++i) {
        const size_t k = at + i;
        const float sum_re = from.re[k] + from.re[k + 2 * part], sum_im = from.im[k] + from.im[k + 2 * part];
        const float difference_re = from.re[k] - from.re[k + 2 * part];
        const float difference_im = from.im[k] - from.im[k + 2 * part];
        const float odd_re = from.re[k + part] + from.re[k + 3 * part];
        const float odd_im = from.im[k + part] + from.im[k + 3 * part];
        const float turned_re = -sign * (from.im[k + part] - from.im[k + 3 * part]);
        const float turned_im = sign * (from.re[k + part] - from.re[k + 3 * part]);
        to.re[into + i] = sum_re + odd_re;
        to.im[into + i] = sum_im + odd_im;
        re[0][i] = difference_re + turned_re;
        im[0][i] = difference_im + turned_im;
        re[1][i] = sum_re - odd_re;
        im[1][i] = sum_im - odd_im;
        re[2][i] = difference_re - turned_re;
        im[2][i] = difference_im - turned_im;
      }
      for (size_t k = 0; k < 3; ++k)
        multiply<kLines>(re[k], im[k], w[k].re, w[k].im, to.re + into + (k + 1) * step, to.im + into + (k + 1) * step);
    }
  }
}

// The points 1 .. r - 1 in pairs j and r - j: sums meet cosines, differences sines, of outputs k and r - k at once.
template <size_t kLines>
void MixedRadix::pass_odd(const Pass& pass, Lines from, Out to) {
  constexpr size_t kPairs = kLargestPrime / 2;
  const size_t radix = pass.radix, pairs = radix / 2;
  const size_t part = pass.groups * pass.stride * kLines, step = pass.stride * kLines;
  float sum_re[kPairs][kLines], sum_im[kPairs][kLines], less_re[kPairs][kLines], less_im[kPairs][kLines];
  for (size_t p = 0; p < pass.groups; ++p) {
    const Complex* w = &pass.twiddles[p * (radix - 1)];
    for (size_t q = 0; q < pass.stride; ++q) {
      const float *re = from.re + (q + pass.stride * p) * kLines, *im = from.im + (q + pass.stride * p) * kLines;
      float *to_re = to.re + (q + pass.stride * radix * p) * kLines,
            *to_im = to.im + (q + pass.stride * radix * p) * kLines;
      for (size_t j = 0; j < pairs; ++j) {
        const size_t a = (j + 1) * part, b = (radix - 1 - j) * part;
        for (size_t i = 0; i < kLines; ++i) {
          sum_re[j][i] = re[a + i] + re[b + i];
          sum_im[j][i] = im[a + i] + im[b + i];
          less_re[j][i] = re[a + i] - re[b + i];
          less_im[j][i] = im[a + i] - im[b + i];
        }
      }
      for (size_t i = 0; i < kLines; ++i) {
        to_re[i] = re[i];
        to_im[i] = im[i];
        for (size_t j = 0; j < pairs; ++j) {
          to_re[i] += sum_re[j][i];
          to_im[i] += sum_im[j][i];
        }
      }
      for (size_t k = 1; k <= pairs; ++k) {
        float even_re[kLines], even_im[kLines], odd_re[kLines] = {}, odd_im[kLines] = {};
        std::copy_n(re, kLines, even_re);
        std::copy_n(im, kLines, even_im);
        for (size_t j = 0; j < pairs; ++j) {
          const auto [c, s] = pass.roots[(j + 1) * k % radix];
          for (size_t i = 0; i < kLines; ++i) {
            even_re[i] += c * sum_re[j][i];
            even_im[i] += c * sum_im[j][i];
            odd_re[i] -= s * less_im[j][i];
            odd_im[i] += s * less_re[j][i];
          }
        }
        float high_re[kLines], high_im[kLines];
        for (size_t i = 0; i < kLines; ++i) {
          high_re[i] = even_re[i] - odd_re[i];
          high_im[i] = even_im[i] - odd_im[i];
          even_re[i] += odd_re[i];
          even_im[i] += odd_im[i];
        }
        const size_t other = radix - k;
        multiply<kLines>(even_re, even_im, w[k - 1].re, w[k - 1].im, to_re + k * step, to_im + k * step);
        multiply<kLines>(high_re, high_im, w[other - 1].re, w[other - 1].im, to_re + other * step,
                         to_im + other * step);
      }
    }
  }
}

template <size_t kLines>
void MixedRadix::run(float* re, float* im, float* other_re, float* other_im) const {
  float *const first_re = re, *const first_im = im;
  const float sign = direction_ == FftDirection::inverse ? 1.0f : -1.0f;
  for (const Pass& pass : passes_) {
    stop_point();
    if (pass.radix == 2) {
      pass_2<kLines>(pass, {re, im}, {other_re, other_im});
    } else if (pass.radix == 4) {
      pass_4<kLines>(pass, {re, im}, {other_re, other_im}, sign);
    } else {
      pass_odd<kLines>(pass, {re, im}, {other_re, other_im});
    }
    std::swap(re, other_re);
    std::swap(im, other_im);
  }
  const size_t count = length_ * kLines;
  if (direction_ == FftDirection::inverse) {
    const float scale = 1 / static_cast<float>(length_);
    for (size_t i = 0; i < count; ++i) {
      first_re[i] = re[i] * scale;
      first_im[i] = im[i] * scale;
    }
  } else if (re != first_re) {
    std::copy_n(re, count, first_re);
    std::copy_n(im, count, first_im);
  }
}

template void MixedRadix::run<1>(float*, float*, float*, float*) const;
template void MixedRadix::run<MixedRadix::kManyLines>(float*, float*, float*, float*) const;

}  // namespace sdx::ops
