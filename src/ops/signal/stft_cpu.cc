// STFT of real float32 signals with short frames of a known length: a product of the frames, which overlap in memory,
// by a matrix of windowed cosines and sines, made once a session.
#include <cmath>
#include <numbers>

#include "base/element.h"
#include "ops/linalg/gemm.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

constexpr int64_t kLongest = 512;  // frames beyond are better transformed

struct Waves : KernelState {
  PackedF32 matrix;  // [length, 2 * bins]
};

// The length of frames, where it and the window do not change from run to run.
std::optional<int64_t> constant_length(const NodeFacts& facts) {
  if (facts.has_input(2)) {
    const Tensor* window = facts.constant(2);
    return window != nullptr && window->rank() == 1 ? std::optional(window->count()) : std::nullopt;
  }
  const Tensor* length = facts.has_input(3) ? facts.constant(3) : nullptr;
  return length != nullptr && length->count() == 1 ? std::optional(load_i64(*length, 0)) : std::nullopt;
}

int64_t bins_of(const NodeFacts& facts, int64_t length) {
  return facts.attr_int("onesided", 1) != 0 ? length / 2 + 1 : length;
}

Verdict can_run_stft(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  if (!facts.has_rank(0) || facts.rank(0) < 2 || (facts.rank(0) == 3 && !facts.dim(0, 2).is(1)))
    return no("only real signals");
  const auto length = constant_length(facts);
  if (!length) return no("the length of frames is not constant");
  return *length >= 1 && *length <= kLongest ? yes() : no(formatted("only frames of up to {} samples", kLongest));
}

Result<std::unique_ptr<KernelState>> prepare_stft(const NodeFacts& facts) {
  const int64_t length = *constant_length(facts), bins = bins_of(facts, length);
  const Tensor* window = facts.has_input(2) ? facts.constant(2) : nullptr;
  std::vector<float> matrix(static_cast<size_t>(length * bins * 2));
  float* to = matrix.data();
  for (int64_t n = 0; n < length; ++n) {
    const double weight = window == nullptr ? 1 : load_double(*window, n);
    for (int64_t k = 0; k < bins; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(n * k % length) / static_cast<double>(length);
      *to++ = static_cast<float>(weight * std::cos(angle));
      *to++ = static_cast<float>(-weight * std::sin(angle));
    }
  }
  auto waves = std::make_unique<Waves>();
  SDX_ASSIGN(waves->matrix, PackedF32::create(MatrixF32{matrix.data(), 2 * bins, 1}, length, 2 * bins));
  return std::unique_ptr<KernelState>(std::move(waves));
}

Status run_stft(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const PackedF32& matrix = ctx.state<Waves>().matrix;
  SDX_CHECK(matrix.n() == 2 * y.dim(2), "frames of another length were prepared");
  const int64_t step = load_i64(ctx.input(1), 0), frames = y.dim(1);
  for (int64_t batch = 0; batch < x.dim(0); ++batch) {
    GemmF32 product{.m = frames, .n = matrix.n(), .k = matrix.k()};
    product.a = {x.data<float>() + batch * x.dim(1), step, 1};
    product.packed = &matrix;
    product.c = y.data<float>() + batch * frames * matrix.n();
    product.c_row = matrix.n();
    SDX_TRY(gemm(ctx, product));
  }
  return {};
}

int64_t packed_bytes(const NodeFacts& facts) {
  const auto length = constant_length(facts);
  if (!length || *length < 1 || *length > kLongest) return 0;
  return PackedF32::bytes_for(*length, 2 * bins_of(facts, *length));
}

}  // namespace

SDX_CPU_KERNELS(stft, {.name = "stft_product_f32",
                       .can_run = can_run_stft,
                       .prepare = prepare_stft,
                       .run = run_stft,
                       .packed_bytes = packed_bytes});

}  // namespace sdx::ops
