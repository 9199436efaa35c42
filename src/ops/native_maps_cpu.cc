// Loops of one operand over one native type, and what has several: selection, clipping, tests. Vectorized by the
// compiler: see cmake/modules.cmake.
#undef HWY_DISABLED_TARGETS  // memory bounds these loops: wider vectors would only be more code
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3)
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::NativeMap;
using ops::NativeMapLoop;

// Elements at equal places are independent, also where y is x.
#if defined(__clang__)
#define SDX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SDX_INDEPENDENT _Pragma("GCC ivdep")
#endif

template <NativeMap map, typename T>
HWY_INLINE T mapped(T x) {
  using U = std::make_unsigned_t<T>;
  if constexpr (map == NativeMap::negate) return static_cast<T>(U{0} - static_cast<U>(x));
  if constexpr (map == NativeMap::absolute) return x < 0 ? static_cast<T>(U{0} - static_cast<U>(x)) : x;
  if constexpr (map == NativeMap::sign) return static_cast<T>((x > 0) - (x < 0));
  if constexpr (map == NativeMap::relu) return x < 0 ? T{0} : x;
  if constexpr (map == NativeMap::logical_not) return static_cast<T>(x == 0);
  return static_cast<T>(~x);
}

template <NativeMap map, typename T>
void integers(const void* x, void* y, size_t count) {
  const auto* from = static_cast<const T*>(x);
  auto* to = static_cast<T*>(y);
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) to[i] = mapped<map>(from[i]);
}

template <NativeMap map>
struct DoubleOp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    if constexpr (map == NativeMap::negate) return hn::Neg(x);
    if constexpr (map == NativeMap::absolute) return hn::Abs(x);
    if constexpr (map == NativeMap::sign) {
      const V one = hn::CopySign(hn::Set(d, 1.0), x);
      return hn::IfThenElse(hn::Or(hn::Lt(x, hn::Zero(d)), hn::Gt(x, hn::Zero(d))), one, x);
    }
    if constexpr (map == NativeMap::relu) return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
    if constexpr (map == NativeMap::square_root) return hn::Sqrt(x);
    if constexpr (map == NativeMap::reciprocal) return hn::Div(hn::Set(d, 1.0), x);
    if constexpr (map == NativeMap::ceil) return hn::IfThenElse(hn::IsNaN(x), x, hn::Ceil(x));
    if constexpr (map == NativeMap::floor) return hn::IfThenElse(hn::IsNaN(x), x, hn::Floor(x));
    return hn::IfThenElse(hn::IsNaN(x), x, hn::Round(x));
  }
};

template <NativeMap map>
void doubles(const void* x, void* y, size_t count) {
  map_unary(static_cast<const double*>(x), static_cast<double*>(y), count, DoubleOp<map>());
}

template <NativeMap map>
NativeMapLoop loop_over(DType type) {
  switch (type) {
    case DType::i8: return integers<map, int8_t>;
    case DType::i16: return integers<map, int16_t>;
    case DType::i32: return integers<map, int32_t>;
    case DType::i64: return integers<map, int64_t>;
    case DType::u8: return integers<map, uint8_t>;
    case DType::u16: return integers<map, uint16_t>;
    case DType::u32: return integers<map, uint32_t>;
    case DType::u64: return integers<map, uint64_t>;
    default: return doubles<map>;
  }
}

NativeMapLoop map_of(NativeMap map, DType type) {
  switch (map) {
    case NativeMap::negate: return loop_over<NativeMap::negate>(type);
    case NativeMap::absolute: return loop_over<NativeMap::absolute>(type);
    case NativeMap::sign: return loop_over<NativeMap::sign>(type);
    case NativeMap::relu: return loop_over<NativeMap::relu>(type);
    case NativeMap::complement: return loop_over<NativeMap::complement>(type);
    case NativeMap::logical_not: return integers<NativeMap::logical_not, uint8_t>;
    case NativeMap::square_root: return doubles<NativeMap::square_root>;
    case NativeMap::reciprocal: return doubles<NativeMap::reciprocal>;
    case NativeMap::ceil: return doubles<NativeMap::ceil>;
    case NativeMap::floor: return doubles<NativeMap::floor>;
    default: return doubles<NativeMap::round>;
  }
}

template <typename T>
void clip(const void* x, const void* low, const void* high, void* y, size_t count) {
  const auto* from = static_cast<const T*>(x);
  auto* to = static_cast<T*>(y);
  const T least = *static_cast<const T*>(low), most = *static_cast<const T*>(high);
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    const T above = from[i] < least ? least : from[i];
    to[i] = above > most ? most : above;
  }
}

ops::NativeClip clip_of(DType type) {
  switch (type) {
    case DType::i8: return clip<int8_t>;
    case DType::i16: return clip<int16_t>;
    case DType::i32: return clip<int32_t>;
    case DType::i64: return clip<int64_t>;
    case DType::u8: return clip<uint8_t>;
    case DType::u16: return clip<uint16_t>;
    case DType::u32: return clip<uint32_t>;
    case DType::u64: return clip<uint64_t>;
    default: return clip<double>;
  }
}

template <typename T>
void select(const uint8_t* condition, const void* x, const void* y, void* out, size_t count) {
  const auto* from_x = static_cast<const T*>(x);
  const auto* from_y = static_cast<const T*>(y);
  auto* to = static_cast<T*>(out);
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    const T if_true = from_x[i], if_false = from_y[i];
    to[i] = condition[i] != 0 ? if_true : if_false;
  }
}

ops::NativeSelect select_of(size_t bytes) {
  switch (bytes) {
    case 1: return select<uint8_t>;
    case 2: return select<uint16_t>;
    case 4: return select<uint32_t>;
    default: return select<uint64_t>;
  }
}

// What is left of a number's bits when `ignored` are taken is beyond, or the same as, those of an infinity.
template <typename T, T infinity, bool beyond>
void compare_bits(const void* x, bool* y, size_t count, T kept) {
  const auto* from = static_cast<const T*>(x);
  auto* to = reinterpret_cast<uint8_t*>(y);
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) {
    const T bits = static_cast<T>(from[i] & kept);
    to[i] = beyond ? bits > infinity : bits == infinity;
  }
}
template <typename T, T infinity>
void is_nan(const void* x, bool* y, size_t count) {
  compare_bits<T, infinity, true>(x, y, count, static_cast<T>(static_cast<T>(~T{0}) >> 1));
}

enum class Sign : uint8_t { any, positive, negative, none };
template <typename T, T infinity, Sign sign>
void is_infinite(const void* x, bool* y, size_t count) {
  constexpr T kSign = static_cast<T>(T{1} << (8 * sizeof(T) - 1)), kAll = static_cast<T>(~T{0});
  if constexpr (sign == Sign::any) return compare_bits<T, infinity, false>(x, y, count, static_cast<T>(~kSign));
  if constexpr (sign == Sign::positive) return compare_bits<T, infinity, false>(x, y, count, kAll);
  if constexpr (sign == Sign::negative)
    return compare_bits<T, static_cast<T>(infinity | kSign), false>(x, y, count, kAll);
  std::memset(y, 0, count);
}
template <typename T, T infinity>
ops::NativeTest infinite_test(bool negative, bool positive) {
  if (negative && positive) return is_infinite<T, infinity, Sign::any>;
  if (positive) return is_infinite<T, infinity, Sign::positive>;
  return negative ? is_infinite<T, infinity, Sign::negative> : is_infinite<T, infinity, Sign::none>;
}

constexpr uint16_t kInfinityF16 = 0x7c00, kInfinityBf16 = 0x7f80;
constexpr uint32_t kInfinityF32 = 0x7f800000;
constexpr uint64_t kInfinityF64 = 0x7ff0000000000000;

ops::NativeTest nan_test(DType type) {
  switch (type) {
    case DType::f16: return is_nan<uint16_t, kInfinityF16>;
    case DType::bf16: return is_nan<uint16_t, kInfinityBf16>;
    case DType::f32: return is_nan<uint32_t, kInfinityF32>;
    default: return is_nan<uint64_t, kInfinityF64>;
  }
}
ops::NativeTest infinity_test(DType type, bool negative, bool positive) {
  switch (type) {
    case DType::f16: return infinite_test<uint16_t, kInfinityF16>(negative, positive);
    case DType::bf16: return infinite_test<uint16_t, kInfinityBf16>(negative, positive);
    case DType::f32: return infinite_test<uint32_t, kInfinityF32>(negative, positive);
    default: return infinite_test<uint64_t, kInfinityF64>(negative, positive);
  }
}

void add_wide(const float* x, double* sum, size_t count) {
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) sum[i] += static_cast<double>(x[i]);
}

void divide_wide(const double* sum, double operands, float* y, size_t count) {
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) y[i] = static_cast<float>(sum[i] / operands);
}

template <typename T>
HWY_INLINE bool holds_zero(const void* x, size_t count) {
  const auto* from = static_cast<const T*>(x);
  constexpr size_t kBlock = 1024;
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t end = first + kBlock < count ? first + kBlock : count;
    T zeros = 0;
    for (size_t i = first; i < end; ++i) zeros = static_cast<T>(zeros | (from[i] == 0 ? 1 : 0));
    if (zeros != 0) return true;
  }
  return false;
}
bool has_zero(const void* x, size_t bytes, size_t count) {
  switch (bytes) {
    case 1: return holds_zero<uint8_t>(x, count);
    case 2: return holds_zero<uint16_t>(x, count);
    case 4: return holds_zero<uint32_t>(x, count);
    default: return holds_zero<uint64_t>(x, count);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

NativeMapLoop native_map(NativeMap map, DType type) { return SDX_DISPATCH(map_of)(map, type); }
NativeClip native_clip(DType type) { return SDX_DISPATCH(clip_of)(type); }
NativeSelect native_select(size_t bytes) { return SDX_DISPATCH(select_of)(bytes); }
NativeTest native_is_nan(DType type) { return SDX_DISPATCH(nan_test)(type); }
NativeTest native_is_infinite(DType type, bool negative, bool positive) {
  return SDX_DISPATCH(infinity_test)(type, negative, positive);
}

Status run_native_map(KernelContext& ctx, NativeMap map) {
  const Tensor& x = ctx.input(0);
  const auto* from = static_cast<const std::byte*>(x.raw());
  auto* to = static_cast<std::byte*>(ctx.output(0).raw());
  const NativeMapLoop loop = native_map(map, x.dtype());
  const int64_t width = bit_width(x.dtype()) / 8;
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    loop(from + begin * width, to + begin * width, static_cast<size_t>(end - begin));
  });
}

Status run_native_test(KernelContext& ctx, NativeTest test) {
  const Tensor& x = ctx.input(0);
  const auto* from = static_cast<const std::byte*>(x.raw());
  bool* to = ctx.output(0).data<bool>();
  const int64_t width = bit_width(x.dtype()) / 8;
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    test(from + begin * width, to + begin, static_cast<size_t>(end - begin));
  });
}

void add_wide(const float* x, double* sum, size_t count) { SDX_DISPATCH(add_wide)(x, sum, count); }
void divide_wide(const double* sum, double operands, float* y, size_t count) {
  SDX_DISPATCH(divide_wide)(sum, operands, y, count);
}

bool any_zero(const Tensor& integers) {
  const auto width = static_cast<size_t>(bit_width(integers.dtype())) / 8;
  return SDX_DISPATCH(has_zero)(integers.raw(), width, static_cast<size_t>(integers.count()));
}

}  // namespace sdx::ops
#endif
