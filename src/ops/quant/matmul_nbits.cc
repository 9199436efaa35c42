// MatMulNBits: y = a @ dequantize(b)^T + bias, b of N rows of K values in blocks along K with a scale (and zero point)
// each: value = (code - zero) * scale. Codes are packed low bits first, a block begins at a byte. Without zero points
// the zero is 2^(bits - 1); packed ones begin at a byte for each row of b. g_idx, where given, names the block of each
// k (onnxruntime 1.32's CPU then leaves packed zero points out of account and garbles 2-bit codes; here both count).
// accuracy_level 4 rounds the blocks of a to 8 bits where onnxruntime 1.32 does: not with g_idx, zero points of floats,
// or 2 bits in blocks of 16. (Where B is no constant, that one computes in float32 all the same.)
#include "ops/quant/matmul_nbits.h"

#include <cmath>

#include "ops/input_rules.h"

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {

Result<NBits> nbits_of(const Attributes& attributes) {
  NBits made;
  made.k = attributes.get_int("K", 0);
  made.n = attributes.get_int("N", 0);
  made.bits = attributes.get_int("bits", 4);
  made.block = attributes.get_int("block_size", 0);
  if (made.bits != 2 && made.bits != 4 && made.bits != 8)
    return invalid_argument("attribute bits is {}: 2, 4 or 8 is wanted", made.bits);
  if (made.k < 0 || made.n < 0) return invalid_argument("attributes K and N are {} and {}", made.k, made.n);
  if (made.block < 16 || (made.block & (made.block - 1)) != 0)
    return invalid_argument("attribute block_size is {}: a power of two of at least 16 is wanted", made.block);
  return made;
}

float round_block(const float* a, int64_t count, float* codes) {
  float largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float size = std::fabs(a[i]);
    if (!(size <= largest)) largest = size;
  }
  const float scale = largest / 127, inverse = scale != 0 ? 1 / scale : 0;
  for (int64_t i = 0; i < count; ++i) codes[i] = std::nearbyintf(a[i] * inverse);
  return scale;
}

namespace {

// a's elements as they enter the products.
std::vector<double> rows_of(const KernelContext& ctx, const NBits& bits) {
  const Tensor& a = ctx.input(0);
  std::vector<double> made(static_cast<size_t>(a.count()));
  for (int64_t i = 0; i < a.count(); ++i) made[static_cast<size_t>(i)] = load_double(a, i);
  if (!rounds_rows(ctx)) return made;
  std::vector<float> block(static_cast<size_t>(bits.block));
  for (int64_t at = 0; at < a.count();) {
    const int64_t count = std::min(bits.block, bits.k - at % bits.k);
    for (int64_t i = 0; i < count; ++i)
      block[static_cast<size_t>(i)] = static_cast<float>(made[static_cast<size_t>(at + i)]);
    const double scale = round_block(block.data(), count, block.data());
    for (int64_t i = 0; i < count; ++i, ++at) made[static_cast<size_t>(at)] = block[static_cast<size_t>(i)] * scale;
  }
  return made;
}

Status check_counts(const InferContext& ctx, const NBits& bits) {
  const auto check = [&](size_t i, int64_t wanted, std::string_view what) -> Status {
    if (!ctx.has_input(i)) return {};
    const auto shape = ctx.input(i).known_shape();
    if (shape && count_of(*shape) != wanted)
      return ctx.fail("{} has {} elements, {} are wanted", what, count_of(*shape), wanted);
    if (ctx.has_rank(i)) ctx.assume({Constraint::Kind::equal, ctx.element_count(i), Dim(wanted)});
    return {};
  };
  const auto blocks = checked_mul(bits.n, bits.blocks());
  const auto codes = blocks ? checked_mul(*blocks, bits.block_bytes()) : std::nullopt;
  if (!codes) return ctx.fail("N = {} and K = {} overflow", bits.n, bits.k);
  SDX_TRY(check(1, *codes, "B"));
  SDX_TRY(check(2, *blocks, "scales"));
  SDX_TRY(check(3, ctx.dtype(3) == DType::u8 ? bits.n * bits.zero_bytes() : *blocks, "zero_points"));
  if (ctx.has_input(4)) {
    const auto shape = ctx.input(4).known_shape();
    if (shape && count_of(*shape) < bits.k)
      return ctx.fail("g_idx has {} elements, {} are wanted", count_of(*shape), bits.k);
    if (ctx.has_rank(4)) ctx.assume({Constraint::Kind::at_least, ctx.element_count(4), Dim(bits.k)});
  }
  return check(5, bits.n, "bias");
}

Result<Facts> infer_matmul_nbits(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, kShortFloats},
                                  {1, set_of(DType::u8)},
                                  {2, kShortFloats},
                                  {3, kShortFloats | set_of(DType::u8), kOptional},
                                  {4, set_of(DType::i32), kOptional},
                                  {5, kShortFloats, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_ASSIGN(const NBits bits, nbits_of(ctx.attributes()));
  SDX_TRY(check_counts(ctx, bits));
  if (!ctx.has_rank(0)) return tensor_fact(ctx.dtype(0), std::nullopt);
  SymShape shape = *ctx.input(0).shape;
  if (shape.empty()) return ctx.fail("A is a scalar");
  SDX_TRY(ctx.same(shape.back(), Dim(bits.k), "inner dimensions").status());
  shape.back() = Dim(bits.n);
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status matmul_nbits_reference(KernelContext& ctx) {
  SDX_ASSIGN(const NBits bits, nbits_of(ctx.attributes()));
  const Tensor &a = ctx.input(0), &b = ctx.input(1), &scales = ctx.input(2);
  Tensor& y = ctx.output(0);
  const int64_t blocks = bits.blocks(),
                rows = bits.k == 0 ? (bits.n == 0 ? 0 : y.count() / bits.n) : a.count() / bits.k;
  const auto width = static_cast<int>(bits.bits);
  const std::vector<double> values = rows_of(ctx, bits);
  std::vector<double> line(static_cast<size_t>(bits.k));
  for (int64_t n = 0; n < bits.n; ++n) {
    SDX_TRY(ctx.check_cancelled());
    for (int64_t k = 0; k < bits.k; ++k) {
      const int64_t own = k / bits.block;
      int64_t block = own;
      if (ctx.has_input(4)) {
        block = load_i64(ctx.input(4), k);
        if (block < 0 || block >= blocks)
          return invalid_argument("g_idx[{}] is {}, there are {} blocks", k, block, blocks);
      }
      const uint8_t* bytes = b.data<uint8_t>() + (n * blocks + own) * bits.block_bytes();
      double zero = static_cast<double>(int64_t{1} << (bits.bits - 1));
      if (ctx.has_input(3)) {
        const Tensor& zeros = ctx.input(3);
        zero = zeros.dtype() == DType::u8 ? load_packed(width, zeros.data<uint8_t>() + n * bits.zero_bytes(), block)
                                          : load_double(zeros, n * blocks + block);
      }
      line[static_cast<size_t>(k)] =
          (load_packed(width, bytes, k % bits.block) - zero) * load_double(scales, n * blocks + block);
    }
    for (int64_t row = 0; row < rows; ++row) {
      double sum = ctx.has_input(5) ? load_double(ctx.input(5), n) : 0;
      for (int64_t k = 0; k < bits.k; ++k)
        sum += values[static_cast<size_t>(row * bits.k + k)] * line[static_cast<size_t>(k)];
      store_double(y, row * bits.n + n, sum);
    }
  }
  return {};
}

}  // namespace

SDX_OP(matmul_nbits) = {
    .name = "MatMulNBits",
    .domain = "com.microsoft",
    .infer = infer_matmul_nbits,
    .reference = matmul_nbits_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
