#include "base/element.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/stop_point.h"

namespace sdx {
namespace {

template <typename T>
T load_as(const void* data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(data) + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <typename T>
void store_as(void* data, int64_t index, T value) {
  std::memcpy(static_cast<std::byte*>(data) + index * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

int64_t sign_extended(uint32_t code, int bits) {
  const uint32_t sign = 1u << (bits - 1);
  return static_cast<int64_t>(code ^ sign) - static_cast<int64_t>(sign);
}

uint32_t load_code(DType type, const void* data, int64_t index) {
  switch (bit_width(type)) {
    case 16: return load_as<uint16_t>(data, index);
    case 8: return load_as<uint8_t>(data, index);
    default: return load_packed(bit_width(type), data, index);
  }
}

void store_code(DType type, void* data, int64_t index, uint32_t code) {
  switch (bit_width(type)) {
    case 16: store_as(data, index, static_cast<uint16_t>(code)); return;
    case 8: store_as(data, index, static_cast<uint8_t>(code)); return;
    default: store_packed(bit_width(type), data, index, code); return;
  }
}

}  // namespace

uint32_t load_packed(int bits, const void* data, int64_t index) {
  stop_point();
  const auto* bytes = static_cast<const uint8_t*>(data);
  const int64_t first = index * bits;
  const int shift = static_cast<int>(first % 8);
  uint32_t window = bytes[first / 8];
  if (shift + bits > 8) window |= static_cast<uint32_t>(bytes[first / 8 + 1]) << 8;
  return (window >> shift) & ((1u << bits) - 1);
}

void store_packed(int bits, void* data, int64_t index, uint32_t code) {
  stop_point();
  auto* bytes = static_cast<uint8_t*>(data);
  const int64_t first = index * bits;
  const int shift = static_cast<int>(first % 8);
  const uint32_t mask = ((1u << bits) - 1) << shift;
  const uint32_t placed = (code << shift) & mask;
  bytes[first / 8] = static_cast<uint8_t>((bytes[first / 8] & ~mask) | placed);
  if (shift + bits > 8)
    bytes[first / 8 + 1] = static_cast<uint8_t>((bytes[first / 8 + 1] & ~(mask >> 8)) | (placed >> 8));
}

int64_t double_to_i64(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775808.0) return std::numeric_limits<int64_t>::max();
  if (value <= -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

double load_double(DType type, const void* data, int64_t index) {
  stop_point();
  switch (type) {
    case DType::f32: return load_as<float>(data, index);
    case DType::f64: return load_as<double>(data, index);
    case DType::bf16: return std::bit_cast<float>(static_cast<uint32_t>(load_as<uint16_t>(data, index)) << 16);
    case DType::u64: return static_cast<double>(load_as<uint64_t>(data, index));
    default: break;
  }
  if (is_floating(type)) return decode_float(type, load_code(type, data, index));
  if (is_complex(type)) return load_complex(type, data, index).real();
  return static_cast<double>(load_i64(type, data, index));
}

int64_t load_i64(DType type, const void* data, int64_t index) {
  stop_point();
  switch (type) {
    case DType::i64: return load_as<int64_t>(data, index);
    case DType::u64: return static_cast<int64_t>(load_as<uint64_t>(data, index));
    case DType::i32: return load_as<int32_t>(data, index);
    case DType::u32: return load_as<uint32_t>(data, index);
    case DType::i16: return load_as<int16_t>(data, index);
    case DType::u16: return load_as<uint16_t>(data, index);
    case DType::i8: return load_as<int8_t>(data, index);
    case DType::u8: return load_as<uint8_t>(data, index);
    case DType::boolean: return load_as<uint8_t>(data, index) != 0;
    case DType::i4:
    case DType::i2: return sign_extended(load_packed(bit_width(type), data, index), bit_width(type));
    case DType::u4:
    case DType::u2: return load_packed(bit_width(type), data, index);
    default:
      SDX_CHECK(is_floating(type) || is_complex(type), "a number is read from a tensor that holds none");
      return double_to_i64(load_double(type, data, index));
  }
}

std::complex<double> load_complex(DType type, const void* data, int64_t index) {
  stop_point();
  if (type == DType::c64) return {load_as<float>(data, 2 * index), load_as<float>(data, 2 * index + 1)};
  if (type == DType::c128) return {load_as<double>(data, 2 * index), load_as<double>(data, 2 * index + 1)};
  return {load_double(type, data, index), 0.0};
}

void store_double(DType type, void* data, int64_t index, double value) {
  stop_point();
  switch (type) {
    case DType::f32: store_as(data, index, static_cast<float>(value)); return;
    case DType::f64: store_as(data, index, value); return;
    case DType::boolean: store_as<uint8_t>(data, index, value != 0); return;
    case DType::u64:
      store_as(data, index,
               value >= 9223372036854775808.0 ? (value >= 18446744073709551616.0 ? std::numeric_limits<uint64_t>::max()
                                                                                 : static_cast<uint64_t>(value))
                                              : static_cast<uint64_t>(double_to_i64(value)));
      return;
    default: break;
  }
  if (is_floating(type)) return store_code(type, data, index, encode_float(type, value));
  if (is_complex(type)) return store_complex(type, data, index, value);
  store_i64(type, data, index, double_to_i64(value));
}

void store_i64(DType type, void* data, int64_t index, int64_t value) {
  stop_point();
  switch (type) {
    case DType::boolean: store_as<uint8_t>(data, index, value != 0); return;
    case DType::i64:
    case DType::u64: store_as(data, index, value); return;
    case DType::i32:
    case DType::u32: store_as(data, index, static_cast<uint32_t>(value)); return;
    case DType::i16:
    case DType::u16: store_as(data, index, static_cast<uint16_t>(value)); return;
    case DType::i8:
    case DType::u8: store_as(data, index, static_cast<uint8_t>(value)); return;
    case DType::i4:
    case DType::u4:
    case DType::i2:
    case DType::u2: store_packed(bit_width(type), data, index, static_cast<uint32_t>(value)); return;
    default: store_double(type, data, index, static_cast<double>(value)); return;
  }
}

void store_complex(DType type, void* data, int64_t index, std::complex<double> value) {
  stop_point();
  if (type == DType::c64) {
    store_as(data, 2 * index, static_cast<float>(value.real()));
    store_as(data, 2 * index + 1, static_cast<float>(value.imag()));
  } else if (type == DType::c128) {
    store_as(data, 2 * index, value.real());
    store_as(data, 2 * index + 1, value.imag());
  } else {
    store_double(type, data, index, value.real());
  }
}

}  // namespace sdx
