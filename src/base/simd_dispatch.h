// The choice among the compiled Highway targets at run time, by base/cpu.h instead of Highway's shared library.
//
//   #if HWY_ONCE
//   namespace sdx {
//   void clip(...) { SDX_DISPATCH(clip_kernel)(...); }   // clip_kernel is in sdx::HWY_NAMESPACE, and not overloaded
//   }
//   #endif
#pragma once

#include <hwy/highway.h>

#include "base/cpu.h"

namespace sdx {

template <typename Function>
struct TargetFunctions {
  Function avx3 = nullptr, avx2 = nullptr, sse4 = nullptr, neon = nullptr;
};

// The best that was compiled and that the machine and the cap allow, else the baseline's.
template <typename Function>
Function choose_target(const TargetFunctions<Function>& compiled, Function baseline) {
  if (compiled.avx3 != nullptr && supports(Isa::avx512)) return compiled.avx3;
  if (compiled.avx2 != nullptr && supports(Isa::avx2)) return compiled.avx2;
  if (compiled.sse4 != nullptr && supports(Isa::sse4)) return compiled.sse4;
  if (compiled.neon != nullptr && supports(Isa::neon)) return compiled.neon;
  return baseline;
}

}  // namespace sdx

// A pointer to `function` of the best target. Ask again for each preparation of a kernel, never keep it in a static:
// tests change the cap.
#define SDX_DISPATCH(function)                                                                         \
  (::sdx::choose_target<decltype(&HWY_STATIC_DISPATCH(function))>({.avx3 = HWY_CHOOSE_AVX3(function),  \
                                                                   .avx2 = HWY_CHOOSE_AVX2(function),  \
                                                                   .sse4 = HWY_CHOOSE_SSE4(function),  \
                                                                   .neon = HWY_CHOOSE_NEON(function)}, \
                                                                  &HWY_STATIC_DISPATCH(function)))
