// Gemm for float32, through it for the 16-bit floating types, and for doubles and integers.
#include "base/element.h"
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/linalg/gemm.h"
#include "ops/linalg/gemm_operator.h"
#include "ops/linalg/packed_weights.h"
#include "ops/linalg/typed_products.h"
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

// Calls row(y's row, c's elements, their step) for each row of y; c null: it is left out.
template <typename T, typename Row>
Status with_rows_of_c(KernelContext& ctx, Row row) {
  Tensor& y = ctx.output(0);
  const Tensor* c = ctx.has_input(2) ? &ctx.input(2) : nullptr;
  const int64_t n = y.dim(1), columns = c == nullptr || c->rank() == 0 ? 1 : c->dim(c->rank() - 1);
  const int64_t row_step = c == nullptr || c->rank() < 2 || c->dim(0) == 1 ? 0 : columns;
  const auto* from = c == nullptr ? nullptr : static_cast<const T*>(c->raw());
  auto* to = static_cast<T*>(y.raw());
  return parallel_ranges(ctx, y.dim(0), std::max<int64_t>(1, kElementwiseGrain / n), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      row(to + i * n, from == nullptr ? nullptr : from + i * row_step, int64_t{columns == 1 ? 0 : 1});
  });
}

// y = beta * c, broadcast.
Status fill_with_c(KernelContext& ctx, float beta) {
  const int64_t n = ctx.output(0).dim(1);
  return with_rows_of_c<float>(ctx, [&](float* y, const float* c, int64_t step) {
    if (step == 0) return std::fill_n(y, n, beta * *c), void();
    for (int64_t j = 0; j < n; ++j) y[j] = beta * c[j];
  });
}

// y = alpha * y + beta * c.
template <typename T>
Status scale_and_add(KernelContext& ctx, T alpha, T beta) {
  const int64_t n = ctx.output(0).dim(1);
  return with_rows_of_c<T>(ctx, [&](T* y, const T* c, int64_t step) {
    if (c == nullptr) {
      for (int64_t j = 0; j < n; ++j) y[j] *= alpha;
    } else if (step == 0) {
      for (int64_t j = 0; j < n; ++j) y[j] = alpha * y[j] + beta * *c;
    } else {
      for (int64_t j = 0; j < n; ++j) y[j] = alpha * y[j] + beta * c[j];
    }
  });
}

template <typename T>
Status run_gemm_typed(KernelContext& ctx, T alpha, T beta) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  TypedProduct<T> p{.m = y.dim(0), .n = y.dim(1), .k = a.dim(ctx.attr_int("transA", 0) != 0 ? 0 : 1)};
  p.a = static_cast<const T*>(a.raw());
  p.b = static_cast<const T*>(b.raw());
  p.a_row = a.dim(1);
  p.b_row = b.dim(1);
  if (ctx.attr_int("transA", 0) != 0) std::swap(p.a_row, p.a_column);
  if (ctx.attr_int("transB", 0) != 0) std::swap(p.b_row, p.b_column);
  p.c = static_cast<T*>(y.raw());
  SDX_TRY(typed_products(ctx, 1, [&](int64_t) { return p; }));
  if (alpha == 1 && !ctx.has_input(2)) return {};
  return scale_and_add<T>(ctx, alpha, beta);
}

Status run_gemm_any(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  const auto alpha = static_cast<double>(ctx.attr_float("alpha", 1));
  const auto beta = static_cast<double>(ctx.attr_float("beta", 1));
  const auto whole = [](double value) { return static_cast<uint64_t>(double_to_i64(value)); };
  switch (ctx.input(0).dtype()) {
    case DType::f64: return run_gemm_typed<double>(ctx, alpha, beta);
    case DType::i32:
    case DType::u32:
      return run_gemm_typed<uint32_t>(ctx, static_cast<uint32_t>(whole(alpha)), static_cast<uint32_t>(whole(beta)));
    default: return run_gemm_typed<uint64_t>(ctx, whole(alpha), whole(beta));
  }
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

Status run_gemm_f32(KernelContext& ctx, const FusedActivation& activation) {
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
    SDX_TRY(scale_and_add<float>(ctx, alpha, beta));
    return apply_activation_f32(ctx, activation, y);
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
  if (activation.is_clip()) {
    g.low = activation.low();
    g.high = activation.high();
    return gemm(ctx, g);
  }
  SDX_TRY(gemm(ctx, g));
  return apply_activation_f32(ctx, activation, y);
}

namespace {

Status run_plain_f32(KernelContext& ctx) { return run_gemm_f32(ctx, FusedActivation()); }

}  // namespace

SDX_CPU_KERNELS(gemm,
                {.name = "gemm_f32",
                 .can_run = takes<DType::f32>,
                 .prepare = prepare_gemm_f32,
                 .run = run_plain_f32,
                 .packs_inputs = input_bit(1) | in_parts(1),
                 .packed_bytes = gemm_packed_bytes},
                {.name = "gemm_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_plain_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f); }},
                {.name = "gemm_typed",
                 .can_run = takes_typed_product,
                 .run = run_gemm_any,
                 .scratch_bytes = typed_product_scratch});

}  // namespace sdx::ops
