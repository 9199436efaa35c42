// Single elements of a tensor, read and written by type at run time. Any alignment, packed types included.
// This is what references are made of; kernels use typed pointers.
#pragma once

#include <complex>
#include <cstdint>

#include "base/float_format.h"
#include "base/tensor.h"

namespace sdx {

// Floating types, and integers and booleans converted to double.
double load_double(DType type, const void* data, int64_t index);
// Integers and booleans, sign-extended; u64 keeps its bits. Floating types truncate toward zero (see double_to_i64).
int64_t load_i64(DType type, const void* data, int64_t index);
std::complex<double> load_complex(DType type, const void* data, int64_t index);

// Rounds to the type as the standard's Cast does; integers: through double_to_i64, then wrapped to the width.
void store_double(DType type, void* data, int64_t index, double value);
// Wraps to the width of an integer type; booleans: != 0; floating types: rounded.
void store_i64(DType type, void* data, int64_t index, int64_t value);
void store_complex(DType type, void* data, int64_t index, std::complex<double> value);

// Toward zero. NaN gives 0; beyond the range of int64 gives its nearest end.
int64_t double_to_i64(double value);

// The bits of one packed element (types of 2, 4 and 6 bits), low bits first over the whole tensor.
uint32_t load_packed(int bits, const void* data, int64_t index);
void store_packed(int bits, void* data, int64_t index, uint32_t code);

inline double load_double(const Tensor& t, int64_t i) { return load_double(t.dtype(), t.raw(), i); }
inline int64_t load_i64(const Tensor& t, int64_t i) { return load_i64(t.dtype(), t.raw(), i); }
inline void store_double(Tensor& t, int64_t i, double v) { store_double(t.dtype(), t.raw(), i, v); }
inline void store_i64(Tensor& t, int64_t i, int64_t v) { store_i64(t.dtype(), t.raw(), i, v); }

// Calls f with a value-initialised object of the C++ type of `type`: float, double, f16, bf16, [u]int8..64, bool.
// Returns false, without a call, for strings, complex and packed or 8-bit floating types.
template <typename F>
bool visit_native(DType type, F&& f) {
  switch (type) {
    case DType::f32: f(float{}); return true;
    case DType::f64: f(double{}); return true;
    case DType::f16: f(f16{}); return true;
    case DType::bf16: f(bf16{}); return true;
    case DType::i8: f(int8_t{}); return true;
    case DType::i16: f(int16_t{}); return true;
    case DType::i32: f(int32_t{}); return true;
    case DType::i64: f(int64_t{}); return true;
    case DType::u8: f(uint8_t{}); return true;
    case DType::u16: f(uint16_t{}); return true;
    case DType::u32: f(uint32_t{}); return true;
    case DType::u64: f(uint64_t{}); return true;
    case DType::boolean: f(bool{}); return true;
    default: return false;
  }
}

}  // namespace sdx
