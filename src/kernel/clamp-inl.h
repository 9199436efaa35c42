// Vectors of floats clamped from one side or both, once per SIMD target. NaN stays, and bounds nothing.
#include "kernel/simd.h"

#if defined(SDX_CLAMP_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_CLAMP_PER_TARGET
#undef SDX_CLAMP_PER_TARGET
#else
#define SDX_CLAMP_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

// x86 has the second operand where the two are not ordered, Arm the number.
template <class V>
HWY_INLINE V at_least(V low, V x) {
#if HWY_ARCH_X86
  return hn::Max(low, x);
#else
  return hn::IfThenElse(hn::Lt(x, low), low, x);
#endif
}
template <class V>
HWY_INLINE V at_most(V high, V x) {
#if HWY_ARCH_X86
  return hn::Min(high, x);
#else
  return hn::IfThenElse(hn::Gt(x, high), high, x);
#endif
}
template <class V>
HWY_INLINE V clamped(V low, V high, V x) {
  return at_most(high, at_least(low, x));
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
