// Fourier transforms of any length in n log n steps: radix 2 for powers of two, Bluestein's convolution otherwise.
#pragma once

#include <complex>
#include <vector>

namespace sdx::ops {

enum class FftDirection { forward, inverse };  // the inverse divides by the length

class Fft {
 public:
  Fft(size_t length, FftDirection direction);
  size_t length() const { return length_; }
  void run(std::complex<double>* x);  // in place

 private:
  void radix2(std::complex<double>* x, const std::vector<std::complex<double>>& roots) const;
  void bluestein(std::complex<double>* x);

  size_t length_;
  FftDirection direction_;
  size_t padded_ = 0;                         // Bluestein: the power of two of its convolution
  std::vector<std::complex<double>> roots_;   // e^(-2 pi i k / n) of the power of two in use
  std::vector<std::complex<double>> chirp_;   // e^(-pi i k^2 / length)
  std::vector<std::complex<double>> filter_;  // transform of the conjugate chirp
  std::vector<std::complex<double>> scratch_;
};

}  // namespace sdx::ops
