#include "ops/signal/fft.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/stop_point.h"

namespace sdx::ops {
namespace {

using Complex = std::complex<double>;

// The product without the standard's treatment of infinities, which costs a call.
Complex product(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::vector<Complex> unit_roots(size_t n) {
  std::vector<Complex> roots(n / 2);
  for (size_t k = 0; k < roots.size(); ++k) {
    stop_point();
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    roots[k] = {std::cos(angle), std::sin(angle)};
  }
  return roots;
}

}  // namespace

Fft::Fft(size_t length, FftDirection direction) : length_(length), direction_(direction) {
  if (std::has_single_bit(length)) {
    roots_ = unit_roots(length);
    return;
  }
  padded_ = std::bit_ceil(2 * length - 1);
  roots_ = unit_roots(padded_);
  chirp_.resize(length);
  filter_.assign(padded_, Complex());
  scratch_.resize(padded_);
  for (size_t k = 0; k < length; ++k) {
    stop_point();
    const auto square = static_cast<size_t>(static_cast<unsigned __int128>(k) * k % (2 * length));
    const double angle = -std::numbers::pi * static_cast<double>(square) / static_cast<double>(length);
    chirp_[k] = {std::cos(angle), std::sin(angle)};
    filter_[k] = std::conj(chirp_[k]);
    if (k > 0) filter_[padded_ - k] = filter_[k];
  }
  radix2(filter_.data(), roots_);
}

void Fft::radix2(Complex* x, const std::vector<Complex>& roots) const {
  const size_t n = roots.size() * 2;
  if (n < 2) return;
  for (size_t i = 1, j = 0; i < n; ++i) {
    stop_point();
    size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (size_t size = 2; size <= n; size *= 2) {
    const size_t half = size / 2, step = n / size;
    for (size_t block = 0; block < n; block += size) {
      for (size_t k = 0; k < half; ++k) {
        stop_point();
        const Complex odd = product(x[block + half + k], roots[k * step]), even = x[block + k];
        x[block + k] = even + odd;
        x[block + half + k] = even - odd;
      }
    }
  }
}

void Fft::bluestein(Complex* x) {
  scratch_.assign(padded_, Complex());
  for (size_t k = 0; k < length_; ++k, stop_point()) scratch_[k] = product(x[k], chirp_[k]);
  radix2(scratch_.data(), roots_);
  for (size_t k = 0; k < padded_; ++k, stop_point()) scratch_[k] = std::conj(product(scratch_[k], filter_[k]));
  radix2(scratch_.data(), roots_);
  const double scale = 1 / static_cast<double>(padded_);
  for (size_t k = 0; k < length_; ++k, stop_point()) x[k] = product(std::conj(scratch_[k]) * scale, chirp_[k]);
}

void Fft::run(Complex* x) {
  const bool inverse = direction_ == FftDirection::inverse;
  if (inverse)
    for (size_t k = 0; k < length_; ++k) x[k] = std::conj(x[k]);
  if (padded_ == 0) {
    radix2(x, roots_);
  } else {
    bluestein(x);
  }
  if (!inverse) return;
  const double scale = 1 / static_cast<double>(length_);
  for (size_t k = 0; k < length_; ++k) x[k] = std::conj(x[k]) * scale;
}

}  // namespace sdx::ops
