// Pow for floats, the base's type deciding: 16-bit ones through float32; and for int32 and int64. A single exponent of
// 2, 3, 1/2, 1 or -1 needs no power function.
#include <algorithm>
#include <cmath>

#include "base/element.h"
#include "ops/elementwise_maps.h"
#include "ops/math/arithmetic.h"
#include "ops/native_loops.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

struct Power {
  template <typename T>
  T operator()(T x, T exponent) const {
    return std::pow(x, exponent);
  }
};

// Wraps. The base is not 0 where the exponent is negative.
struct IntegerPower {
  template <typename T>
  T operator()(T base, T exponent) const {
    if (exponent < 0) return base == 1 || (base == -1 && exponent % 2 == 0) ? T{1} : base == -1 ? T{-1} : T{0};
    uint64_t power = 1, square = static_cast<uint64_t>(base);
    for (auto bits = static_cast<uint64_t>(exponent); bits != 0; bits >>= 1, square *= square)
      if ((bits & 1) != 0) power *= square;
    return static_cast<T>(power);
  }
};

// One exponent, as a sum of two float32 numbers.
void power_f32(const float* x, float* y, size_t count, Parameters exponent) {
  if (exponent.beta != 0) {
    const double whole = static_cast<double>(exponent.alpha) + static_cast<double>(exponent.beta);
    for (size_t i = 0; i < count; ++i) y[i] = static_cast<float>(std::pow(static_cast<double>(x[i]), whole));
    return;
  }
  if (exponent.alpha == 2) return multiply_f32()(x, 1, x, 1, y, count);
  if (exponent.alpha == -1) return reciprocal_f32()(x, y, count);
  if (exponent.alpha == 3) {
    for (size_t i = 0; i < count; ++i) y[i] = x[i] * x[i] * x[i];
  } else if (exponent.alpha == 0.5f) {  // the power of -0 is 0 and that of -infinity infinity, unlike the roots
    for (size_t i = 0; i < count; ++i) y[i] = x[i] == -HUGE_VALF ? HUGE_VALF : std::sqrt(x[i]) + 0.0f;
  } else if (exponent.alpha == 1) {
    if (x != y) std::copy_n(x, count, y);
  } else {
    for (size_t i = 0; i < count; ++i) y[i] = std::pow(x[i], exponent.alpha);
  }
}

Verdict can_run_pow(const NodeFacts& facts) {
  const DType base = facts.dtype(0), exponent = facts.dtype(1);
  if (base == exponent && base == DType::f64) return yes();
  const Verdict floats = takes_floats(facts);
  if (!floats.accepted() || base == exponent) return floats;
  const auto shape = facts.input(1).known_shape();
  if (!shape || count_of(*shape) != 1) return no("only one exponent of another type");
  return yes();
}

Status run_pow(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &exponents = ctx.input(1);
  const DType type = x.dtype();
  const bool one = exponents.count() == 1 && ctx.output(0).count() == x.count();
  if (type == DType::f64) {
    if (one && load_double(exponents, 0) == 2) return run_native(ctx, Native::multiply, x, x, ctx.output(0));
    return run_binary<double, double>(ctx, plain_binary<double, double, Power>);
  }
  if (!one) return run_float_binary(ctx, plain_binary<float, float, Power>);
  const double exponent = load_double(exponents, 0);
  const auto high = static_cast<float>(exponent);
  const bool exact = static_cast<double>(high) == exponent || std::isnan(exponent) || std::isinf(high);
  const auto low = static_cast<float>(exact ? 0.0 : exponent - static_cast<double>(high));
  return run_unary(ctx, power_f32, {high, low});
}

Verdict can_run_integers(const NodeFacts& facts) {
  const DType base = facts.dtype(0);
  if (base != facts.dtype(1) || (base != DType::i32 && base != DType::i64))
    return no("only integers of 32 and 64 bits to the power of such");
  return yes();
}

template <typename T>
Status run_integers(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &exponents = ctx.input(1);
  const T* data = exponents.data<T>();
  const auto negative = std::find_if(data, data + exponents.count(), [](T v) { return v < 0; });
  if (negative != data + exponents.count() && ctx.output(0).count() != 0) {
    BroadcastWalker walk(ctx.output(0).shape(), {x.shape(), exponents.shape()});
    for (int64_t i = 0; i < ctx.output(0).count(); ++i, walk.next())
      if (const T power = data[walk.operand(1)]; power < 0 && x.data<T>()[walk.operand(0)] == 0)
        return invalid_argument("integer division by zero: 0 to the power of {}", power);
  }
  return run_binary<T, T>(ctx, plain_binary<T, T, IntegerPower>);
}

Status run_integer_pow(KernelContext& ctx) {
  return ctx.input(0).dtype() == DType::i32 ? run_integers<int32_t>(ctx) : run_integers<int64_t>(ctx);
}

}  // namespace

SDX_CPU_KERNELS(pow, {.name = "pow", .can_run = can_run_pow, .run = run_pow},
                {.name = "pow_integers", .can_run = can_run_integers, .run = run_integer_pow});

}  // namespace sdx::ops
