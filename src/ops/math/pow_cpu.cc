// Pow for float32: a single exponent of 2, 3, 1/2, 1 or -1 without a power function.
#include <cmath>

#include "ops/math/arithmetic.h"

namespace sdx::ops {
namespace {

struct Square {
  float operator()(float x, float) const { return x * x; }
};
struct Cube {
  float operator()(float x, float) const { return x * x * x; }
};
// The power of -0 is 0 and that of -infinity infinity, unlike the roots.
struct Root {
  float operator()(float x, float) const { return x == -HUGE_VALF ? HUGE_VALF : std::sqrt(x) + 0.0f; }
};
struct Same {
  float operator()(float x, float) const { return x; }
};
struct Inverse {
  float operator()(float x, float) const { return 1 / x; }
};
struct Power {
  float operator()(float x, float exponent) const { return std::pow(x, exponent); }
};

BinaryKernel<float> kernel_for(const Tensor& exponents) {
  if (exponents.count() == 1) {
    const float exponent = aligned_value<float>(exponents);
    if (exponent == 2) return plain_binary<float, float, Square>;
    if (exponent == 3) return plain_binary<float, float, Cube>;
    if (exponent == 0.5f) return plain_binary<float, float, Root>;
    if (exponent == 1) return plain_binary<float, float, Same>;
    if (exponent == -1) return plain_binary<float, float, Inverse>;
  }
  return plain_binary<float, float, Power>;
}

Verdict both_f32(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 && facts.dtype(1) == DType::f32 ? yes() : no("only f32 to the power of f32");
}

}  // namespace

SDX_CPU_KERNELS(pow, {.name = "pow_f32", .can_run = both_f32, .run = [](KernelContext& ctx) {
                        return run_binary<float, float>(ctx, kernel_for(ctx.input(1)));
                      }});

}  // namespace sdx::ops
