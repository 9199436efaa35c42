// Element types of the ONNX standard. Enum values equal TensorProto.DataType.
// A new type is one enum line here, one row in dtype.cc, and (for a small float) one FloatFormat row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sdx {

enum class DType : uint8_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  c64 = 14,
  c128 = 15,
  bf16 = 16,
  f8e4m3fn = 17,
  f8e4m3fnuz = 18,
  f8e5m2 = 19,
  f8e5m2fnuz = 20,
  u4 = 21,
  i4 = 22,
  f4e2m1 = 23,
  f8e8m0 = 24,
  u2 = 25,
  i2 = 26,
  f6e2m3 = 27,
  f6e3m2 = 28,
};
inline constexpr int kDTypeCount = 29;

enum class DTypeKind : uint8_t { none, floating, signed_integer, unsigned_integer, boolean, complex, string };

struct DTypeInfo {
  std::string_view name;       // "f32": the text form, messages
  std::string_view onnx_name;  // "float": as in "tensor(float)"
  uint8_t bits;                // of one element in memory; 0 for strings
  DTypeKind kind;
};

const DTypeInfo& info(DType type);  // `undefined` for values outside the enum

inline std::string_view name(DType type) { return info(type).name; }
inline int bit_width(DType type) { return info(type).bits; }
inline DTypeKind kind(DType type) { return info(type).kind; }
inline bool is_floating(DType type) { return kind(type) == DTypeKind::floating; }
inline bool is_signed_integer(DType type) { return kind(type) == DTypeKind::signed_integer; }
inline bool is_unsigned_integer(DType type) { return kind(type) == DTypeKind::unsigned_integer; }
inline bool is_integer(DType type) { return is_signed_integer(type) || is_unsigned_integer(type); }
inline bool is_complex(DType type) { return kind(type) == DTypeKind::complex; }
// Elements narrower than a byte, packed low bits first over the whole tensor.
inline bool is_packed(DType type) { return bit_width(type) > 0 && bit_width(type) < 8; }

DType dtype_from_onnx(int64_t value);                         // undefined where the standard has no such type
std::optional<DType> dtype_from_name(std::string_view text);  // "f32" or "float"

// Bytes that `count` elements take, or nullopt when that overflows. Strings: 0, their bytes live elsewhere.
std::optional<size_t> byte_size(DType type, int64_t count);

// A set of element types as one word.
using DTypeSet = uint64_t;
constexpr DTypeSet set_of(DType type) { return DTypeSet{1} << static_cast<int>(type); }
template <typename... Types>
constexpr DTypeSet set_of(DType first, Types... rest) {
  return set_of(first) | set_of(rest...);
}
constexpr bool contains(DTypeSet set, DType type) { return (set >> static_cast<int>(type)) & 1; }

}  // namespace sdx
