// Loops of two operands over one native type. Vectorized by the compiler: see cmake/modules.cmake.
#undef HWY_DISABLED_TARGETS  // memory bounds these loops: wider vectors would only be more code
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3)
#include "base/simd_targets.h"  // first

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernel/simd.h"
#include "ops/native_loops.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::Native;
using ops::NativeLoop;

// Elements at equal places are independent, also where y is an operand.
#if defined(__clang__)
#define SDX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define SDX_INDEPENDENT _Pragma("GCC ivdep")
#endif

template <typename T, class F>
void pairs(const void* a, const void* b, void* y, size_t count) {
  const auto* from_a = static_cast<const T*>(a);
  const auto* from_b = static_cast<const T*>(b);
  auto* to = static_cast<T*>(y);
  constexpr F f{};
  SDX_INDEPENDENT
  for (size_t i = 0; i < count; ++i) to[i] = f(from_a[i], from_b[i]);
}

struct Plus {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Minus {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a - b);
  }
};
struct Times {
  HWY_INLINE double operator()(double a, double b) const { return a * b; }
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(uint64_t{a} * b);
  }
  HWY_INLINE uint32_t operator()(uint32_t a, uint32_t b) const { return a * b; }
};
struct Greater {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a > b || a != a ? a : b;
  }
};
struct Less {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return a < b || a != a ? a : b;
  }
};
struct And {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
template <typename T>
inline constexpr T kWidth = static_cast<T>(8 * sizeof(T));
struct ShiftLeft {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(b < kWidth<T> ? a << (b & (kWidth<T> - 1)) : 0);
  }
};
struct ShiftRight {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    return static_cast<T>(b < kWidth<T> ? a >> (b & (kWidth<T> - 1)) : 0);
  }
};

enum class Part : uint8_t { quotient, floored, truncated };

// Of a division whose quotient is known.
template <Part part, typename T>
HWY_INLINE T part_of(T a, T b, T quotient) {
  if constexpr (part == Part::quotient) return quotient;
  using U = std::make_unsigned_t<std::conditional_t<sizeof(T) < 4, int32_t, T>>;
  const T rest = static_cast<T>(static_cast<U>(a) - static_cast<U>(quotient) * static_cast<U>(b));
  if constexpr (part == Part::truncated || std::is_unsigned_v<T>) return rest;
  return static_cast<T>(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

// Integers of up to 32 bits: a quotient of floats that hold them, cut, is exact. The lowest over -1 wraps.
template <Part part>
struct Divide {
  template <typename T>
  HWY_INLINE T operator()(T a, T b) const {
    if constexpr (sizeof(T) <= 2) {
      return part_of<part>(a, b, static_cast<T>(static_cast<int32_t>(static_cast<float>(a) / static_cast<float>(b))));
    } else {
      const T divisor = b == -1 ? T{1} : b;
      const auto quotient = static_cast<T>(static_cast<double>(a) / divisor);
      return part_of<part>(a, b, b == -1 ? static_cast<T>(0u - static_cast<uint32_t>(quotient)) : quotient);
    }
  }
};

constexpr size_t kBlock = 256;

// Added to a whole number below 2^51, it shows that number in its last bits.
constexpr double kShift = 0x1.8p52;
HWY_INLINE double double_of(int64_t x) { return std::bit_cast<double>(x + std::bit_cast<int64_t>(kShift)) - kShift; }

// 64-bit integers: through float64 as well, in blocks whose numbers are small enough.
template <Part part, typename T>
void divide_long(const void* a, const void* b, void* y, size_t count) {
  const auto* from_a = static_cast<const T*>(a);
  const auto* from_b = static_cast<const T*>(b);
  auto* to = static_cast<T*>(y);
  const auto size = [](T v) { return static_cast<uint64_t>(v) + (std::is_signed_v<T> ? uint64_t{1} << 51 : 0); };
  for (size_t first = 0; first < count; first += kBlock) {
    const size_t end = first + kBlock < count ? first + kBlock : count;
    uint64_t bits = 0;
    for (size_t i = first; i < end; ++i) bits |= size(from_a[i]) | size(from_b[i]);
    if (bits >> 52 == 0) {
      SDX_INDEPENDENT
      for (size_t i = first; i < end; ++i) {
        const double quotient = std::trunc(double_of(from_a[i]) / double_of(from_b[i]));
        const auto whole = std::bit_cast<int64_t>(quotient + kShift) - std::bit_cast<int64_t>(kShift);
        to[i] = part_of<part>(from_a[i], from_b[i], static_cast<T>(whole));
      }
      continue;
    }
    for (size_t i = first; i < end; ++i) {
      const T divisor = from_b[i];
      const bool negates = std::is_signed_v<T> && divisor == static_cast<T>(-1);
      const T quotient = negates ? static_cast<T>(0 - static_cast<uint64_t>(from_a[i])) : from_a[i] / divisor;
      to[i] = part_of<part>(from_a[i], divisor, quotient);
    }
  }
}

struct Quotient {
  HWY_INLINE double operator()(double a, double b) const { return a / b; }
};
struct Fmod {
  HWY_INLINE double operator()(double a, double b) const { return std::fmod(a, b); }
};
struct FlooredFmod {
  HWY_INLINE double operator()(double a, double b) const {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return (rest < 0) != (b < 0) && rest == rest ? rest + b : rest;
  }
};

template <typename T>
NativeLoop signless_loop(Native op) {
  switch (op) {
    case Native::add: return pairs<T, Plus>;
    case Native::subtract: return pairs<T, Minus>;
    case Native::multiply: return pairs<T, Times>;
    case Native::bit_and: return pairs<T, And>;
    case Native::bit_or: return pairs<T, Or>;
    case Native::bit_xor: return pairs<T, Xor>;
    case Native::shift_left: return pairs<T, ShiftLeft>;
    default: return pairs<T, ShiftRight>;
  }
}

template <typename T>
NativeLoop division_loop(Native op) {
  if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) {
    if (op == Native::divide) return divide_long<Part::quotient, T>;
    return op == Native::floor_modulo ? divide_long<Part::floored, T> : divide_long<Part::truncated, T>;
  } else if constexpr (std::is_same_v<T, int32_t> || sizeof(T) == 1) {
    if (op == Native::divide) return pairs<T, Divide<Part::quotient>>;
    return op == Native::floor_modulo ? pairs<T, Divide<Part::floored>> : pairs<T, Divide<Part::truncated>>;
  } else {
    return nullptr;
  }
}

template <typename T>
NativeLoop integer_loop(Native op) {
  switch (op) {
    case Native::maximum: return pairs<T, Greater>;
    case Native::minimum: return pairs<T, Less>;
    case Native::divide:
    case Native::floor_modulo:
    case Native::truncate_modulo: return division_loop<T>(op);
    default: return signless_loop<std::make_unsigned_t<T>>(op);
  }
}

NativeLoop double_loop(Native op) {
  switch (op) {
    case Native::add: return pairs<double, Plus>;
    case Native::subtract: return pairs<double, Minus>;
    case Native::multiply: return pairs<double, Times>;
    case Native::divide: return pairs<double, Quotient>;
    case Native::floor_modulo: return pairs<double, FlooredFmod>;
    case Native::truncate_modulo: return pairs<double, Fmod>;
    case Native::maximum: return pairs<double, Greater>;
    case Native::minimum: return pairs<double, Less>;
    default: return nullptr;
  }
}

NativeLoop loop_of(Native op, DType type) {
  switch (type) {
    case DType::i8: return integer_loop<int8_t>(op);
    case DType::i16: return integer_loop<int16_t>(op);
    case DType::i32: return integer_loop<int32_t>(op);
    case DType::i64: return integer_loop<int64_t>(op);
    case DType::u8: return integer_loop<uint8_t>(op);
    case DType::u16: return integer_loop<uint16_t>(op);
    case DType::u32: return integer_loop<uint32_t>(op);
    case DType::u64: return integer_loop<uint64_t>(op);
    default: return double_loop(op);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// Operands as elements of one width; the loops know their types. Those that are one value are written out.
template <typename Bits>
Status run_bits(KernelContext& ctx, NativeLoop loop, const Tensor& a, const Tensor& b, Tensor& y) {
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  const auto *a_data = static_cast<const Bits*>(a.raw()), *b_data = static_cast<const Bits*>(b.raw());
  auto* y_data = static_cast<Bits*>(y.raw());
  if (rows.row_size() < kShortRow && rows.rows() > 1) {
    return parallel_short_rows(ctx, rows, [&](int64_t row, int64_t count) {
      alignas(64) Bits a_tile[kTileRoom], b_tile[kTileRoom];
      const int64_t at = row * rows.row_size();
      if (!rows.is_whole(0)) rows.expand(0, a_data, row, count, a_tile);
      if (!rows.is_whole(1)) rows.expand(1, b_data, row, count, b_tile);
      loop(rows.is_whole(0) ? a_data + at : a_tile, rows.is_whole(1) ? b_data + at : b_tile, y_data + at,
           static_cast<size_t>(count * rows.row_size()));
    });
  }
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t count) {
    alignas(64) Bits tile[kTileElements];
    const Bits *from_a = a_data + at[0], *from_b = b_data + at[1];
    const auto tiles = static_cast<size_t>(kTileElements);
    if (rows.step(0) == 1 && rows.step(1) == 1) return loop(from_a, from_b, y_data + y_at, count);
    if (rows.step(0) == 0 && rows.step(1) == 0) {
      loop(from_a, from_b, y_data + y_at, 1);
      return std::fill_n(y_data + y_at + 1, count - 1, y_data[y_at]), void();
    }
    std::fill_n(tile, std::min(tiles, count), rows.step(0) == 0 ? *from_a : *from_b);
    for (size_t from = 0; from < count; from += tiles) {
      const size_t n = std::min(tiles, count - from);
      loop(rows.step(0) == 0 ? tile : from_a + from, rows.step(1) == 0 ? tile : from_b + from,
           y_data + y_at + static_cast<int64_t>(from), n);
    }
  });
}

}  // namespace

NativeLoop native_loop(Native op, DType type) { return SDX_DISPATCH(loop_of)(op, type); }

Verdict takes_native_numbers(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  return type == DType::f64 || (is_integer(type) && bit_width(type) >= 8) ? yes() : no(formatted("not {}", name(type)));
}

Verdict takes_divided_numbers(const NodeFacts& facts) {
  constexpr DTypeSet kTypes = set_of(DType::i8, DType::u8, DType::i32, DType::i64, DType::f64);
  return contains(kTypes, facts.dtype(0)) ? yes() : no(formatted("not {}", name(facts.dtype(0))));
}

Verdict takes_wide_floats(const NodeFacts& facts) { return facts.dtype(0) == DType::f64 ? yes() : takes_floats(facts); }

Status run_native(KernelContext& ctx, Native op, const Tensor& a, const Tensor& b, Tensor& y) {
  if (y.count() == 0) return {};
  const NativeLoop loop = native_loop(op, y.dtype());
  switch (bit_width(y.dtype())) {
    case 8: return run_bits<uint8_t>(ctx, loop, a, b, y);
    case 16: return run_bits<uint16_t>(ctx, loop, a, b, y);
    case 32: return run_bits<uint32_t>(ctx, loop, a, b, y);
    default: return run_bits<uint64_t>(ctx, loop, a, b, y);
  }
}

}  // namespace sdx::ops
#endif
