// Elementwise operators over integers of every width, booleans and float64: loops in plain C++, compiled once per SIMD
// level.
#pragma once

#include "ops/elementwise.h"

namespace sdx::ops {

enum class Native : uint8_t {
  add,  // integers wrap
  subtract,
  multiply,
  divide,           // toward zero; float64: the quotient
  floor_modulo,     // the sign of the divisor
  truncate_modulo,  // the sign of the dividend
  maximum,          // NaN where either is NaN
  minimum,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,  // of unsigned types
  shift_right,
};
using NativeLoop = void (*)(const void* a, const void* b, void* y, size_t count);
// For [u]int8 to [u]int64 and float64 (no bits there); what divides for the types of takes_divided_numbers. y may be an
// operand.
NativeLoop native_loop(Native op, DType type);

Verdict takes_native_numbers(const NodeFacts& facts);   // input 0 is of such a type
Verdict takes_divided_numbers(const NodeFacts& facts);  // [u]int8, int32, int64 and float64
Verdict takes_wide_floats(const NodeFacts& facts);      // of 16, 32 or 64 bits
// y = op(a, b) with broadcasting.
Status run_native(KernelContext& ctx, Native op, const Tensor& a, const Tensor& b, Tensor& y);
template <Native op>
Status run_native(KernelContext& ctx) {
  return run_native(ctx, op, ctx.input(0), ctx.input(1), ctx.output(0));
}

enum class NativeMap : uint8_t {
  negate,
  absolute,
  sign,
  relu,
  complement,
  logical_not,  // of booleans
  square_root,
  reciprocal,
  ceil,
  floor,
  round,
};
using NativeMapLoop = void (*)(const void* x, void* y, size_t count);
// `negate` to `logical_not` for integers; all but `complement` and `logical_not` for float64.
NativeMapLoop native_map(NativeMap map, DType type);
Status run_native_map(KernelContext& ctx, NativeMap map);
template <NativeMap map>
Status run_native_map(KernelContext& ctx) {
  return run_native_map(ctx, map);
}

// y = x, but `low` where it is less, then `high` where it is more. NaN stays, and bounds nothing.
using NativeClip = void (*)(const void* x, const void* low, const void* high, void* y, size_t count);
NativeClip native_clip(DType type);

// out = condition ? x : y, for elements of 1, 2, 4 and 8 bytes.
using NativeSelect = void (*)(const uint8_t* condition, const void* x, const void* y, void* out, size_t count);
NativeSelect native_select(size_t bytes);

// Whether numbers are NaN, or infinities of the signs asked for. For f16, bf16, f32, f64.
using NativeTest = void (*)(const void* x, bool* y, size_t count);
NativeTest native_is_nan(DType type);
NativeTest native_is_infinite(DType type, bool negative, bool positive);
Status run_native_test(KernelContext& ctx, NativeTest test);

// sum += x, and y = sum / operands, as float64 numbers that are rounded once.
void add_wide(const float* x, double* sum, size_t count);
void divide_wide(const double* sum, double operands, float* y, size_t count);

bool any_zero(const Tensor& integers);  // of whole bytes, aligned

}  // namespace sdx::ops
