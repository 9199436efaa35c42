#include "ops/quant/quantization.h"

#include <cmath>

namespace sdx::ops {

Result<Granularity> granularity(std::span<const int64_t> shape, std::span<const int64_t> scale, int64_t axis,
                                int64_t block_size) {
  const auto fail = [](std::string text) { return Status(Code::invalid_argument, std::move(text)); };
  if (block_size < 0) return fail(formatted("block_size is {}, below 0", block_size));
  Granularity how;
  if (count_of(scale) == 1 && (block_size == 0 || scale.empty())) return how;
  const auto rank = static_cast<int64_t>(shape.size());
  const auto at = rank == 1 ? std::optional<int>(0) : normalize_axis(axis, rank);
  if (!at) return fail(formatted("axis {} is outside [-{}, {})", axis, rank, rank));
  const auto a = static_cast<size_t>(*at);
  how.axis_size = shape[a];
  how.inner = count_range(shape, a + 1, shape.size());
  if (block_size == 0) {
    how.kind = Granularity::Kind::axis;
    if (scale.size() != 1 || scale[0] != shape[a])
      return fail(formatted("scale has shape {}, [{}] is wanted for axis {} of {}", to_text(scale), shape[a], *at,
                            to_text(shape)));
    how.scales = scale[0];
    return how;
  }
  how.kind = Granularity::Kind::blocked;
  how.block = block_size;
  bool fits = scale.size() == shape.size();
  for (size_t d = 0; fits && d < shape.size(); ++d)
    fits = d == a ? scale[d] == shape[d] / block_size + (shape[d] % block_size != 0) : scale[d] == shape[d];
  if (!fits)
    return fail(formatted("scale has shape {}, which does not cut {} into blocks of {} along axis {}", to_text(scale),
                          to_text(shape), block_size, *at));
  how.scales = scale[a];
  return how;
}

ScaledPiece scaled_piece(const Granularity& how, int64_t at, int64_t end) {
  using Kind = Granularity::Kind;
  ScaledPiece piece{.at = at, .count = end - at, .scale = how.scale_index(at), .run = end - at};
  if (how.kind == Kind::tensor) return piece;
  const auto stop_at = [&](int64_t limit) { piece.count = std::min(piece.count, limit - at); };
  const int64_t inner_end = at - at % how.inner + how.inner, group = how.axis_size * how.inner;
  const int64_t group_end = at - at % group + group;
  if (how.inner == 1 && how.kind == Kind::axis) {
    piece.step = 1;
    stop_at(group_end);
  } else if (how.inner > 1 && how.kind == Kind::blocked) {
    piece.step = 1;
    stop_at(inner_end);
  } else {
    piece.run = how.kind == Kind::axis ? how.inner : how.block;
    const int64_t into_run = at % group % piece.run;
    const bool whole_blocks = how.kind == Kind::blocked && how.axis_size % how.block == 0;
    if (into_run != 0) {
      stop_at(at - into_run + piece.run);
    } else if (whole_blocks) {
      return piece;
    }
    stop_at(group_end);
  }
  return piece;
}

double round_half_even(double value) { return std::nearbyint(value); }

double rounded_to(DType type, double value) {
  if (type == DType::f32) return static_cast<float>(value);
  if (!is_floating(type) || type == DType::f64) return value;
  return decode_float(type, encode_float(type, value));
}

IntegerRange integer_range(DType type) {
  const int bits = bit_width(type);
  if (is_signed_integer(type)) return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
  return {0, std::ldexp(1.0, bits) - 1};
}

void store_quantized(Tensor& y, int64_t index, double value, double zero_point, Overflow overflow) {
  const DType type = y.dtype();
  if (!is_floating(type)) {
    const auto [low, high] = integer_range(type);
    const double whole = round_half_even(value) + zero_point;
    store_i64(y, index, static_cast<int64_t>(whole >= low ? std::min(whole, high) : low));
    return;
  }
  if (zero_point != 0) value += zero_point;
  const uint32_t code = encode_float(type, value, overflow);
  if (is_packed(type)) {
    store_packed(bit_width(type), y.raw(), index, code);
  } else {
    y.data<uint8_t>()[index] = static_cast<uint8_t>(code);
  }
}

}  // namespace sdx::ops
