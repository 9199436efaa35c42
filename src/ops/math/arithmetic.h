// Float32 kernels of two operands that several operators share, for the SIMD level in force, and integer arithmetic.
#pragma once

#include "ops/elementwise.h"

namespace sdx::ops {

BinaryKernel<float> add_f32();
BinaryKernel<float> subtract_f32();
BinaryKernel<float> multiply_f32();
BinaryKernel<float> divide_f32();
BinaryKernel<float> maximum_f32();  // NaN where either is NaN
BinaryKernel<float> minimum_f32();
BinaryKernel<float> prelu_f32();               // a < 0 ? a * b : a
BinaryKernel<float> modulo_f32(int64_t fmod);  // Mod's attribute

struct WrappingAdd {
  template <typename T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  }
};
struct WrappingSubtract {
  template <typename T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  }
};
struct WrappingMultiply {
  template <typename T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  }
};
// Toward zero; the lowest integer over -1 wraps to itself. The divisor is not zero.
struct TruncatingDivide {
  template <typename T>
  constexpr T operator()(T a, T b) const {
    if constexpr (std::is_signed_v<T>)
      if (b == T{-1}) return WrappingSubtract()(T{0}, a);
    return static_cast<T>(a / b);
  }
};

// Fails when an integer operand that divides has a zero; `count` is that of the result.
Status check_divisor(const Tensor& divisor, int64_t count);

}  // namespace sdx::ops
