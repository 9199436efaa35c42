#include "ops/quant/quantize_run.h"

#include "ops/convert/cast_loops.h"
#include "ops/half.h"
#include "ops/input_rules.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kTile = 2048;  // elements converted at once; even, so that tiles of 4-bit codes begin with a byte

bool is_nibble(DType type) { return type == DType::i4 || type == DType::u4; }
bool is_full(DType type) { return type == DType::f32 || is_half(type); }

// Scales in float32 and zero points, as kernels want them.
struct ScaleParameters {
  Granularity how;
  std::vector<float> wide;  // where the scale is no float32
  const float* scales = nullptr;
  std::vector<int32_t> zeros;

  RowScales of(const ScaledPiece& piece) const {
    return {scales + piece.scale, zeros.data() + piece.scale, piece.step, static_cast<size_t>(piece.run)};
  }
};

Result<ScaleParameters> parameters_of(const KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &scale = ctx.input(1);
  ScaleParameters made;
  SDX_ASSIGN(made.how, granularity(x.shape(), scale.shape(), ctx.attr_int("axis", 1), ctx.attr_int("block_size", 0)));
  if (ctx.has_input(2) && ctx.input(2).count() != scale.count())
    return invalid_argument("zero point has shape {}, scale has {}", to_text(ctx.input(2).shape()),
                            to_text(scale.shape()));
  const auto count = static_cast<size_t>(scale.count());
  if (scale.dtype() != DType::f32) {
    made.wide.resize(count);
    half_to_f32(scale.dtype(), scale.raw(), made.wide.data(), count);
  }
  made.scales = scale.dtype() == DType::f32 ? scale.data<float>() : made.wide.data();
  made.zeros.assign(count, 0);
  if (!ctx.has_input(2)) return made;
  const Tensor& zeros = ctx.input(2);
  if (const CastLoop widen = cast_loop(zeros.dtype(), DType::i32)) {
    widen(zeros.raw(), made.zeros.data(), count);
    return made;
  }
  for (size_t i = 0; i < count; ++i) made.zeros[i] = static_cast<int32_t>(load_i64(zeros, static_cast<int64_t>(i)));
  return made;
}

// Calls work(piece) for the pieces of elements [begin, end).
template <typename Work>
void for_each_piece(const Granularity& how, int64_t begin, int64_t end, Work work) {
  for (int64_t at = begin; at < end;) {
    const ScaledPiece piece = scaled_piece(how, at, end);
    work(piece);
    at += piece.count;
  }
}
template <typename Work>
void for_each_tile(int64_t begin, int64_t end, Work work) {
  for (int64_t at = begin; at < end; at += kTile) work(at, std::min(at + kTile, end));
}

// Codes of 4 bits, two a byte, the first in the low bits.
void pack_nibbles(const uint8_t* codes, uint8_t* y, int64_t count) {
  for (int64_t i = 0; i + 1 < count; i += 2)
    y[i / 2] = static_cast<uint8_t>((codes[i] & 15) | static_cast<uint32_t>(codes[i + 1]) << 4);
  if (count % 2 != 0) y[count / 2] = codes[count - 1] & 15;
}
void unpack_nibbles(const uint8_t* x, bool is_signed, uint8_t* codes, int64_t count) {
  const int sign = is_signed ? 8 : 0;
  const auto code = [&](int nibble) { return static_cast<uint8_t>((nibble ^ sign) - sign); };
  for (int64_t i = 0; i + 1 < count; i += 2) {
    codes[i] = code(x[i / 2] & 15);
    codes[i + 1] = code(x[i / 2] >> 4);
  }
  if (count % 2 != 0) codes[count - 1] = code(x[count / 2] & 15);
}

// Calls work(first element, count, index of the scale) for the runs of one scale.
template <typename Work>
void for_each_run(const RowScales& by, size_t count, Work work) {
  const size_t run = by.step == 1 ? 1 : by.run;
  for (size_t i = 0, k = 0; i < count; i += run, ++k) work(i, std::min(run, count - i), k);
}

// Quotients of 16-bit floats, rounded to their type. Two roundings give what one would.
void divide_half(DType type, const RowScales& by, float* x, size_t count) {
  uint16_t rounded[kTile];
  for_each_run(by, count, [&](size_t first, size_t n, size_t k) {
    const float scale = by.scales[k];
    for (size_t i = first; i < first + n; ++i) x[i] /= scale;
  });
  f32_to_half(type, x, rounded, count);
  half_to_f32(type, rounded, x, count);
}

DType wanted_precision(const NodeFacts& facts) {
  const int64_t named = facts.attr_int("precision", 0);
  return named != 0 ? dtype_from_onnx(named) : facts.dtype(1);
}

}  // namespace

Verdict can_quantize(const NodeFacts& facts) {
  const DType x = facts.dtype(0);
  if (!is_full(x) || facts.dtype(1) != x) return no("only f32, f16 and bf16 with a scale of the same type");
  if (wanted_precision(facts) != x) return no("only the precision of the scale");
  constexpr DTypeSet kCodes = set_of(DType::u8, DType::i8, DType::u16, DType::i16, DType::u4, DType::i4);
  const int64_t named = facts.attr_int("output_dtype", 0);
  const DType type = facts.has_input(2) ? facts.dtype(2) : named != 0 ? dtype_from_onnx(named) : DType::u8;
  return contains(kCodes, type) ? yes() : no("only to integers of 4, 8 and 16 bits");
}

Verdict can_dequantize(const NodeFacts& facts) {
  const DType x = facts.dtype(0), scale = facts.dtype(1);
  const int64_t named = facts.attr_int("output_dtype", 0);
  const DType y = named != 0 ? dtype_from_onnx(named) : scale;
  constexpr DTypeSet kSmall = set_of(DType::u8, DType::i8, DType::u4, DType::i4);
  if (contains(kSmall, x)) {
    const bool exact = y == DType::f32 || scale == y;  // a product that float32 holds
    return is_full(scale) && is_full(y) && exact ? yes() : no("only to float32 or the scale's type");
  }
  if (scale != DType::f32 || y != DType::f32) return no("only float32 scale and output for more than 8 bits");
  if (x == DType::u16 || x == DType::i16 || (x == DType::i32 && !facts.has_input(2))) return yes();
  return no("only integers of 4, 8, 16 bits and int32 without a zero point");
}

Status run_quantize(KernelContext& ctx) {
  SDX_ASSIGN(const ScaleParameters by, parameters_of(ctx));
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const DType from = x.dtype(), to = y.dtype();
  const CodeRange codes = code_range(to);
  const auto kernel = quantize_row_kernel();
  auto* out = static_cast<uint8_t*>(y.raw());
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    if (from == DType::f32 && !is_nibble(to)) {
      return for_each_piece(by.how, begin, end, [&](const ScaledPiece& piece) {
        kernel(x.data<float>() + piece.at, by.of(piece), codes, out + piece.at * codes.bytes,
               static_cast<size_t>(piece.count));
      });
    }
    alignas(64) float wide[kTile];
    alignas(64) uint8_t bytes[kTile];
    for_each_tile(begin, end, [&](int64_t first, int64_t last) {
      const float* values = wide;
      if (from == DType::f32) {
        values = x.data<float>() + first;
      } else {
        half_to_f32(from, x.data<uint16_t>() + first, wide, static_cast<size_t>(last - first));
      }
      for_each_piece(by.how, first, last, [&](const ScaledPiece& piece) {
        const RowScales scales = by.of(piece);
        const auto count = static_cast<size_t>(piece.count);
        uint8_t* codes_at = is_nibble(to) ? bytes + (piece.at - first) : out + piece.at * codes.bytes;
        if (from == DType::f32) return kernel(values + (piece.at - first), scales, codes, codes_at, count);
        float* quotients = wide + (piece.at - first);
        divide_half(from, scales, quotients, count);
        static constexpr float kOne = 1;
        for_each_run(scales, count, [&](size_t i, size_t n, size_t k) {
          kernel(quotients + i, {&kOne, scales.zeros + k, 0}, codes, codes_at + i * static_cast<size_t>(codes.bytes),
                 n);
        });
      });
      if (is_nibble(to)) pack_nibbles(bytes, out + first / 2, last - first);
    });
  });
}

Status run_dequantize(KernelContext& ctx) {
  SDX_ASSIGN(const ScaleParameters by, parameters_of(ctx));
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const DType from = x.dtype(), to = y.dtype();
  const bool nibbles = is_nibble(from);
  const auto kernel = dequantize_row_kernel(from == DType::i4 ? DType::i8 : from == DType::u4 ? DType::u8 : from);
  const int64_t width = nibbles ? 1 : bit_width(from) / 8;
  const auto* in = static_cast<const uint8_t*>(x.raw());
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    if (to == DType::f32 && !nibbles) {
      return for_each_piece(by.how, begin, end, [&](const ScaledPiece& piece) {
        kernel(in + piece.at * width, by.of(piece), y.data<float>() + piece.at, static_cast<size_t>(piece.count));
      });
    }
    alignas(64) float wide[kTile];
    alignas(64) uint8_t bytes[kTile];
    for_each_tile(begin, end, [&](int64_t first, int64_t last) {
      if (nibbles) unpack_nibbles(in + first / 2, from == DType::i4, bytes, last - first);
      const uint8_t* codes = nibbles ? bytes : in + first * width;
      float* values = to == DType::f32 ? y.data<float>() + first : wide;
      for_each_piece(by.how, first, last, [&](const ScaledPiece& piece) {
        const int64_t at = piece.at - first;
        kernel(codes + at * width, by.of(piece), values + at, static_cast<size_t>(piece.count));
      });
      if (to != DType::f32) f32_to_half(to, wide, y.data<uint16_t>() + first, static_cast<size_t>(last - first));
    });
  });
}

}  // namespace sdx::ops
