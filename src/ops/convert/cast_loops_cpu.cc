// Vectorized by the compiler: see cmake/modules.cmake.
#undef HWY_DISABLED_TARGETS  // memory bounds these loops: wider vectors would only be more code
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3)
#include "base/simd_targets.h"  // first

#include <bit>
#include <cstring>
#include <type_traits>

#include "base/element.h"
#include "kernel/simd.h"
#include "ops/convert/cast_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

constexpr size_t kBlock = 256;

template <typename From, typename To>
void plain(const void* x, void* y, size_t count) {
  const auto* __restrict from = static_cast<const From*>(x);
  auto* __restrict to = static_cast<To*>(y);
  for (size_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);  // NOLINT(bugprone-signed-char-misuse): Cast
}

template <typename From>
void to_boolean(const void* x, void* y, size_t count) {
  const auto* __restrict from = static_cast<const From*>(x);
  auto* __restrict to = static_cast<uint8_t*>(y);
  for (size_t i = 0; i < count; ++i) to[i] = from[i] != From{0} ? 1 : 0;
}

template <typename To>
void from_boolean(const void* x, void* y, size_t count) {
  const auto* __restrict from = static_cast<const uint8_t*>(x);
  auto* __restrict to = static_cast<To*>(y);
  for (size_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i] != 0 ? 1 : 0);
}

// Through int32, in blocks whose numbers it holds.
template <typename From, typename To>
void float_to_integer(const void* x, void* y, size_t count) {
  using Bits = std::conditional_t<sizeof(From) == 4, uint32_t, uint64_t>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(From) - 1), kLimit = std::bit_cast<Bits>(From(2147483648.0));
  const auto* __restrict from = static_cast<const From*>(x);
  auto* __restrict to = static_cast<To*>(y);
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t end = first + kBlock < count ? first + kBlock : count;
    Bits outside = 0;  // the sign, where one is 2^31 or more
    for (size_t i = first; i < end; ++i) outside |= kLimit - 1 - (std::bit_cast<Bits>(from[i]) & ~kSign);
    if ((outside & kSign) == 0) {
      for (size_t i = first; i < end; ++i) to[i] = static_cast<To>(static_cast<int32_t>(from[i]));
      continue;
    }
    for (size_t i = first; i < end; ++i) {
      const auto value = static_cast<double>(from[i]);
      if (std::is_same_v<To, uint64_t> && value >= 9223372036854775808.0) {
        to[i] = static_cast<To>(value >= 18446744073709551616.0 ? ~uint64_t{0} : static_cast<uint64_t>(value));
      } else {
        to[i] = static_cast<To>(double_to_i64(value));
      }
    }
  }
}

// 64-bit integers that float64 holds get there by their bits.
HWY_INLINE double small_double(int64_t x) { return std::bit_cast<double>(x + 0x4338000000000000) - 0x1.8p52; }
template <typename To>
void long_to_float(const void* x, void* y, size_t count) {
  const auto* __restrict from = static_cast<const int64_t*>(x);
  auto* __restrict to = static_cast<To*>(y);
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t end = first + kBlock < count ? first + kBlock : count;
    uint64_t bits = 0;
    for (size_t i = first; i < end; ++i) bits |= static_cast<uint64_t>(from[i]) + (uint64_t{1} << 50);
    if (bits >> 51 == 0) {
      for (size_t i = first; i < end; ++i) to[i] = static_cast<To>(small_double(from[i]));
    } else {
      for (size_t i = first; i < end; ++i) to[i] = static_cast<To>(from[i]);
    }
  }
}

// The mantissa cut to that of float32; what is lost leaves a mark in its last place, so that no tie arises.
template <typename From>
void to_odd_f32(const void* x, void* y, size_t count) {
  const auto* __restrict from = static_cast<const From*>(x);
  auto* __restrict to = static_cast<float*>(y);
  constexpr uint64_t kLost = (uint64_t{1} << 29) - 1;
  for (size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<uint64_t>(static_cast<double>(from[i]));
    const uint64_t mark = (bits & kLost) != 0 ? kLost + 1 : 0;
    to[i] = static_cast<float>(std::bit_cast<double>((bits & ~kLost) | mark));
  }
}

template <typename From>
ops::CastLoop loop_from(DType to) {
  constexpr bool kFloat = std::is_floating_point_v<From>;
  const auto whole = [](auto code) -> ops::CastLoop {
    using To = decltype(code);
    if constexpr (kFloat) return float_to_integer<From, To>;
    return plain<From, To>;
  };
  const auto real = [](auto number) -> ops::CastLoop {
    using To = decltype(number);
    if constexpr (std::is_same_v<From, int64_t>) return long_to_float<To>;
    return plain<From, To>;
  };
  switch (to) {
    case DType::boolean: return to_boolean<From>;
    case DType::i8:
    case DType::u8: return whole(uint8_t{});
    case DType::i16:
    case DType::u16: return whole(uint16_t{});
    case DType::i32:
    case DType::u32: return whole(uint32_t{});
    case DType::u64: return whole(uint64_t{});
    case DType::i64: return whole(int64_t{});
    case DType::f32: return real(float{});
    case DType::f64: return real(double{});
    default: return nullptr;
  }
}

ops::CastLoop loop_from_boolean(DType to) {
  switch (to) {
    case DType::i8:
    case DType::u8: return from_boolean<uint8_t>;
    case DType::i16:
    case DType::u16: return from_boolean<uint16_t>;
    case DType::i32:
    case DType::u32: return from_boolean<uint32_t>;
    case DType::i64:
    case DType::u64: return from_boolean<uint64_t>;
    case DType::f32: return from_boolean<float>;
    case DType::f64: return from_boolean<double>;
    default: return nullptr;
  }
}

ops::CastLoop loop_between(DType from, DType to) {
  switch (from) {
    case DType::boolean: return loop_from_boolean(to);
    case DType::i8: return loop_from<int8_t>(to);
    case DType::u8: return loop_from<uint8_t>(to);
    case DType::i16: return loop_from<int16_t>(to);
    case DType::u16: return loop_from<uint16_t>(to);
    case DType::i32: return loop_from<int32_t>(to);
    case DType::u32: return loop_from<uint32_t>(to);
    case DType::i64: return loop_from<int64_t>(to);
    case DType::u64: return loop_from<uint64_t>(to);
    case DType::f32: return loop_from<float>(to);
    case DType::f64: return loop_from<double>(to);
    default: return nullptr;
  }
}

ops::CastLoop odd_loop(DType from) {
  switch (from) {
    case DType::i32: return to_odd_f32<int32_t>;
    case DType::u32: return to_odd_f32<uint32_t>;
    case DType::i64: return to_odd_f32<int64_t>;
    case DType::u64: return to_odd_f32<uint64_t>;
    case DType::f64: return to_odd_f32<double>;
    default: return nullptr;
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

CastLoop cast_loop(DType from, DType to) { return SDX_DISPATCH(loop_between)(from, to); }
CastLoop odd_f32_loop(DType from) { return SDX_DISPATCH(odd_loop)(from); }

}  // namespace sdx::ops
#endif
