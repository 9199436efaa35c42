#include "base/dtype.h"

#include <array>

namespace sdx {
namespace {

using K = DTypeKind;
constexpr std::array<DTypeInfo, kDTypeCount> kInfo = {{
    {"undefined", "undefined", 0, K::none},
    {"f32", "float", 32, K::floating},
    {"u8", "uint8", 8, K::unsigned_integer},
    {"i8", "int8", 8, K::signed_integer},
    {"u16", "uint16", 16, K::unsigned_integer},
    {"i16", "int16", 16, K::signed_integer},
    {"i32", "int32", 32, K::signed_integer},
    {"i64", "int64", 64, K::signed_integer},
    {"string", "string", 0, K::string},
    {"bool", "bool", 8, K::boolean},
    {"f16", "float16", 16, K::floating},
    {"f64", "double", 64, K::floating},
    {"u32", "uint32", 32, K::unsigned_integer},
    {"u64", "uint64", 64, K::unsigned_integer},
    {"c64", "complex64", 64, K::complex},
    {"c128", "complex128", 128, K::complex},
    {"bf16", "bfloat16", 16, K::floating},
    {"f8e4m3fn", "float8e4m3fn", 8, K::floating},
    {"f8e4m3fnuz", "float8e4m3fnuz", 8, K::floating},
    {"f8e5m2", "float8e5m2", 8, K::floating},
    {"f8e5m2fnuz", "float8e5m2fnuz", 8, K::floating},
    {"u4", "uint4", 4, K::unsigned_integer},
    {"i4", "int4", 4, K::signed_integer},
    {"f4e2m1", "float4e2m1", 4, K::floating},
    {"f8e8m0", "float8e8m0", 8, K::floating},
    {"u2", "uint2", 2, K::unsigned_integer},
    {"i2", "int2", 2, K::signed_integer},
    {"f6e2m3", "float6e2m3", 6, K::floating},
    {"f6e3m2", "float6e3m2", 6, K::floating},
}};

}  // namespace

const DTypeInfo& info(DType type) {
  const auto index = static_cast<size_t>(type);
  return kInfo[index < kInfo.size() ? index : 0];
}

DType dtype_from_onnx(int64_t value) {
  return value > 0 && value < kDTypeCount ? static_cast<DType>(value) : DType::undefined;
}

std::optional<DType> dtype_from_name(std::string_view text) {
  for (size_t i = 1; i < kInfo.size(); ++i)
    if (kInfo[i].name == text || kInfo[i].onnx_name == text) return static_cast<DType>(i);
  return std::nullopt;
}

std::optional<size_t> byte_size(DType type, int64_t count) {
  if (count < 0) return std::nullopt;
  size_t bits = 0;
  if (__builtin_mul_overflow(static_cast<size_t>(count), static_cast<size_t>(bit_width(type)), &bits)) {
    // Whole bytes may still fit where the bit count does not.
    size_t bytes = 0;
    if (bit_width(type) % 8 != 0 ||
        __builtin_mul_overflow(static_cast<size_t>(count), static_cast<size_t>(bit_width(type) / 8), &bytes))
      return std::nullopt;
    return bytes;
  }
  return bits / 8 + (bits % 8 != 0);
}

}  // namespace sdx
