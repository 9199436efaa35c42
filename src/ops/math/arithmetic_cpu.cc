// Float32 arithmetic of two operands.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/math/arithmetic.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct Sum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};
struct Subtract {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Sub(a, b);
  }
};
struct Multiply {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Mul(a, b);
  }
};
struct Divide {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};
struct Maximum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Lt(b, a), a, b));
  }
};
struct Minimum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::Gt(b, a), a, b));
  }
};
struct Prelu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Mul(a, b), a);
  }
};

void add_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Sum());
}
void subtract_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Subtract());
}
void multiply_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Multiply());
}
void divide_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Divide());
}
void maximum_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Maximum());
}
void minimum_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Minimum());
}
void prelu_kernel(const float* a, int a_step, const float* b, int b_step, float* y, size_t count) {
  map_binary(a, a_step, b, b_step, y, count, Prelu());
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

BinaryKernel<float> add_f32() { return SDX_DISPATCH(add_kernel); }
BinaryKernel<float> subtract_f32() { return SDX_DISPATCH(subtract_kernel); }
BinaryKernel<float> multiply_f32() { return SDX_DISPATCH(multiply_kernel); }
BinaryKernel<float> divide_f32() { return SDX_DISPATCH(divide_kernel); }
BinaryKernel<float> maximum_f32() { return SDX_DISPATCH(maximum_kernel); }
BinaryKernel<float> minimum_f32() { return SDX_DISPATCH(minimum_kernel); }
BinaryKernel<float> prelu_f32() { return SDX_DISPATCH(prelu_kernel); }

}  // namespace sdx::ops
#endif
