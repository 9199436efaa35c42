#include "ops/pool/row_doubles.h"

#include <algorithm>
#include <cstring>

#include "ops/half.h"

namespace sdx::ops {
namespace {

constexpr size_t kPiece = 256;

// Calls f(first, count) for pieces that fit a buffer.
template <typename F>
void pieces(size_t count, F f) {
  for (size_t i = 0; i < count; i += kPiece) f(i, std::min(kPiece, count - i));
}

}  // namespace

void load_doubles(const RowMaps& maps, const Tensor& x, int64_t from, size_t count, double* to) {
  switch (x.dtype()) {
    case DType::f64: std::memcpy(to, x.data<double>() + from, count * sizeof(double)); return;
    case DType::f32: return maps.widen(x.data<float>() + from, count, to);
    case DType::u8: std::copy_n(x.data<uint8_t>() + from, count, to); return;
    case DType::i8: std::copy_n(x.data<int8_t>() + from, count, to); return;
    default:
      return pieces(count, [&](size_t i, size_t n) {
        float piece[kPiece];
        half_to_f32(x.dtype(), x.data<uint16_t>() + from + i, piece, n);
        maps.widen(piece, n, to + i);
      });
  }
}

void store_doubles(const RowMaps& maps, const double* from, size_t count, Tensor& y, int64_t at) {
  switch (y.dtype()) {
    case DType::f64: std::memcpy(y.data<double>() + at, from, count * sizeof(double)); return;
    case DType::f32: return maps.narrow(from, count, y.data<float>() + at);
    case DType::u8:
      for (size_t i = 0; i < count; ++i)
        y.data<uint8_t>()[at + static_cast<int64_t>(i)] = static_cast<uint8_t>(from[i]);
      return;
    case DType::i8:
      for (size_t i = 0; i < count; ++i) y.data<int8_t>()[at + static_cast<int64_t>(i)] = static_cast<int8_t>(from[i]);
      return;
    default:
      return pieces(count, [&](size_t i, size_t n) {
        float piece[kPiece];
        maps.narrow(from + i, n, piece);
        f32_to_half(y.dtype(), piece, y.data<uint16_t>() + at + i, n);
      });
  }
}

}  // namespace sdx::ops
