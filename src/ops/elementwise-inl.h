// Elementwise loops for kernel files, once per SIMD target. An operation is a functor over vectors: op(d, v) or op(d,
// a, b).
#include "kernel/simd.h"

#if defined(SDX_ELEMENTWISE_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_ELEMENTWISE_PER_TARGET
#undef SDX_ELEMENTWISE_PER_TARGET
#else
#define SDX_ELEMENTWISE_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

template <typename T, class Op>
HWY_INLINE void map_unary(const T* x, T* y, size_t count, Op op) {
  const hn::ScalableTag<T> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) store_n(op(d, load_n(d, x + i, count - i)), d, y + i, count - i);
}

template <typename T, class Op>
HWY_INLINE void map_binary(const T* a, int a_step, const T* b, int b_step, T* y, size_t count, Op op) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  if (count == 0) return;
  if (a_step == 0 || b_step == 0) {
    const auto a_value = hn::Set(d, *a), b_value = hn::Set(d, *b);
    for (size_t i = 0; i < count; i += lanes) {
      const auto va = a_step == 0 ? a_value : load_n(d, a + i, count - i);
      const auto vb = b_step == 0 ? b_value : load_n(d, b + i, count - i);
      store_n(op(d, va, vb), d, y + i, count - i);
    }
    return;
  }
  for (size_t i = 0; i < count; i += lanes)
    store_n(op(d, load_n(d, a + i, count - i), load_n(d, b + i, count - i)), d, y + i, count - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
