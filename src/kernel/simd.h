// Highway for kernels: `hn`, load_n and store_n in namespace sdx::HWY_NAMESPACE, once per target. A kernel file is:
//
//   #include "base/simd_targets.h"
//   #include "kernel/simd.h"
//   HWY_BEFORE_NAMESPACE();
//   namespace sdx::HWY_NAMESPACE {
//   namespace {
//   void clip_kernel(...) {...}
//   }
//   }
//   HWY_AFTER_NAMESPACE();
//   #if HWY_ONCE
//   ... SDX_DISPATCH(clip_kernel) ...
//   #endif
#include <cstring>

#include <hwy/highway.h>

#include "base/simd_dispatch.h"

#if defined(SDX_KERNEL_SIMD_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_KERNEL_SIMD_PER_TARGET
#undef SDX_KERNEL_SIMD_PER_TARGET
#else
#define SDX_KERNEL_SIMD_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Masked memory operations touch no byte of a lane that is off: AVX-512 for every width, AVX2 for 32 and 64 bits.
template <typename T>
constexpr bool kMaskedMemory = !HWY_MEM_OPS_MIGHT_FAULT || (HWY_TARGET == HWY_AVX2 && sizeof(T) >= 4);

// The first `count` lanes from memory of any alignment, zero in the others. Reads nothing beyond p[count - 1]; `count`
// may exceed the lanes.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> load_n(D d, const T* p, size_t count) {
  const size_t lanes = hn::Lanes(d);
  if (HWY_LIKELY(count >= lanes)) return hn::LoadU(d, p);
  if constexpr (kMaskedMemory<T>) {
    return hn::MaskedLoad(hn::FirstN(d, count), d, p);
  } else {
    HWY_ALIGN T buffer[hn::MaxLanes(D())] = {};
    std::memcpy(buffer, p, count * sizeof(T));
    return hn::Load(d, buffer);
  }
}

// The first `count` lanes to memory. Writes nothing beyond p[count - 1]; `count` may exceed the lanes.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void store_n(hn::VFromD<D> v, D d, T* p, size_t count) {
  const size_t lanes = hn::Lanes(d);
  if (HWY_LIKELY(count >= lanes)) return hn::StoreU(v, d, p);
  if constexpr (kMaskedMemory<T>) {
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
  } else {
    HWY_ALIGN T buffer[hn::MaxLanes(D())];
    hn::Store(v, d, buffer);
    for (size_t i = 0; i < count; ++i) p[i] = buffer[i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
