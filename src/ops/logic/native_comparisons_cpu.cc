// Comparisons of native elements, in plain C++.
#include "ops/logic/compare.h"

namespace sdx::ops {
namespace {

template <typename Bits, typename T, typename Compare>
void compare(const Bits* a, int a_step, const Bits* b, int b_step, bool* y, size_t count) {
  plain_binary<T, bool, Compare>(reinterpret_cast<const T*>(a), a_step, reinterpret_cast<const T*>(b), b_step, y,
                                 count);
}

template <typename Bits, typename T>
BinaryKernel<Bits, bool> of_type(Comparison comparison) {
  switch (comparison) {
    case Comparison::less: return compare<Bits, T, std::less<>>;
    case Comparison::less_or_equal: return compare<Bits, T, std::less_equal<>>;
    default: return compare<Bits, T, std::equal_to<>>;
  }
}

}  // namespace

template <typename Bits>
BinaryKernel<Bits, bool> native_comparison(Comparison comparison, DType type) {
  if constexpr (sizeof(Bits) == 4) {
    if (type == DType::f32) return of_type<Bits, float>(comparison);
  } else if constexpr (sizeof(Bits) == 8) {
    if (type == DType::f64) return of_type<Bits, double>(comparison);
  }
  const bool is_signed = type == DType::i8 || type == DType::i16 || type == DType::i32 || type == DType::i64;
  if (is_signed && comparison != Comparison::equal) return of_type<Bits, std::make_signed_t<Bits>>(comparison);
  return of_type<Bits, Bits>(comparison);
}

template BinaryKernel<uint8_t, bool> native_comparison(Comparison, DType);
template BinaryKernel<uint16_t, bool> native_comparison(Comparison, DType);
template BinaryKernel<uint32_t, bool> native_comparison(Comparison, DType);
template BinaryKernel<uint64_t, bool> native_comparison(Comparison, DType);

}  // namespace sdx::ops
