// Gemm for float32.
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/linalg/gemm.h"
#include "ops/linalg/gemm_operator.h"
#include "ops/linalg/packed_weights.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

MatrixF32 matrix(const Tensor& tensor, bool transposed) {
  if (transposed) return {tensor.data<float>(), 1, tensor.dim(1)};
  return {tensor.data<float>(), tensor.dim(1), 1};
}

MaybeMatrix weight_matrix(const NodeFacts& facts, const Tensor& b) {
  if (b.rank() != 2) return std::nullopt;
  const bool transposed = facts.attr_int("transB", 0) != 0;
  return WeightMatrix{matrix(b, transposed), b.dim(transposed ? 1 : 0), b.dim(transposed ? 0 : 1)};
}

// y = beta * c, broadcast.
Status fill_with_c(KernelContext& ctx, float beta) {
  const Tensor& c = ctx.input(2);
  Tensor& y = ctx.output(0);
  const int64_t n = y.dim(1), columns = c.rank() == 0 ? 1 : c.dim(c.rank() - 1), rows = c.rank() < 2 ? 1 : c.dim(0);
  const int64_t row_step = rows == 1 ? 0 : columns, column_step = columns == 1 ? 0 : 1;
  return parallel_ranges(ctx, y.dim(0), std::max<int64_t>(1, kElementwiseGrain / n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* from = c.data<float>() + i * row_step;
      float* to = y.data<float>() + i * n;
      for (int64_t j = 0; j < n; ++j) to[j] = beta * from[j * column_step];
    }
  });
}

// y = alpha * y + beta * c, where alpha is not 1.
Status scale_and_add(KernelContext& ctx, float alpha, float beta) {
  Tensor& y = ctx.output(0);
  const bool has_c = ctx.has_input(2);
  const Tensor* c = has_c ? &ctx.input(2) : nullptr;
  const int64_t n = y.dim(1), columns = !has_c || c->rank() == 0 ? 1 : c->dim(c->rank() - 1);
  const int64_t row_step = !has_c || c->rank() < 2 || c->dim(0) == 1 ? 0 : columns, column_step = columns == 1 ? 0 : 1;
  return parallel_ranges(ctx, y.dim(0), std::max<int64_t>(1, kElementwiseGrain / n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* to = y.data<float>() + i * n;
      for (int64_t j = 0; j < n; ++j) {
        to[j] *= alpha;
        if (has_c) to[j] += beta * c->data<float>()[i * row_step + j * column_step];
      }
    }
  });
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_gemm_f32(const NodeFacts& facts) {
  const Tensor* b = facts.constant(1);
  return b != nullptr ? pack_weights(*b, weight_matrix(facts, *b)) : std::unique_ptr<KernelState>();
}

int64_t gemm_packed_bytes(const NodeFacts& facts) {
  const Tensor* b = facts.constant(1);
  return b != nullptr ? packed_weights_bytes(*b, weight_matrix(facts, *b)) : 0;
}

Status run_gemm_f32(KernelContext& ctx) {
  const Tensor& a = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const bool a_transposed = ctx.attr_int("transA", 0) != 0;
  const float alpha = ctx.attr_float("alpha", 1), beta = ctx.attr_float("beta", 1);
  GemmF32 g{.m = y.dim(0), .n = y.dim(1), .k = a.dim(a_transposed ? 0 : 1)};
  g.a = matrix(a, a_transposed);
  g.b = matrix(ctx.input(1), ctx.attr_int("transB", 0) != 0);
  use_packed_weights(ctx, g);
  g.c = y.data<float>();
  g.c_row = g.n;
  if (alpha != 1) {
    SDX_TRY(gemm(ctx, g));
    return scale_and_add(ctx, alpha, beta);
  }
  if (ctx.has_input(2)) {
    const Tensor& c = ctx.input(2);
    if (beta == 1 && c.count() == g.n && c.rank() > 0 && c.dim(c.rank() - 1) == g.n) {
      g.start = GemmF32::Start::per_column;
      g.bias = c.data<float>();
    } else {
      g.start = GemmF32::Start::c;
      SDX_TRY(fill_with_c(ctx, beta));
    }
  }
  return gemm(ctx, g);
}

SDX_CPU_KERNELS(gemm,
                {.name = "gemm_f32",
                 .can_run = takes<DType::f32>,
                 .prepare = prepare_gemm_f32,
                 .run = run_gemm_f32,
                 .packs_inputs = input_bit(1) | in_parts(1),
                 .packed_bytes = gemm_packed_bytes},
                {.name = "gemm_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_gemm_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f); }});

}  // namespace sdx::ops
