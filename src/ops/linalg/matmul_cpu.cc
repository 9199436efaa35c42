// MatMul for float32 (packed weights, batches over threads), and through it for the 16-bit floating types.
#include "ops/elementwise.h"
#include "ops/linalg/matmul.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

struct MatMulState : KernelState {
  PackedF32 b;
};

// Batches that share b and follow one another in a and c are rows of one product.
bool is_one_product(const MatMulSizes& s) {
  int64_t rows = s.m;
  for (size_t axis = s.batch.size(); axis-- > 0;) {
    if (s.batch[axis] == 1) continue;
    if (s.b_batch[axis] != 0 || s.a_batch[axis] != rows * s.a_row) return false;
    rows *= s.batch[axis];
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_matmul_f32(const NodeFacts& facts, const MatMulForm& form) {
  const Tensor* b = facts.constant(1);
  if (b == nullptr || b->rank() != 2 || form.b_batch_transposed || b->count() == 0) {
    return std::unique_ptr<KernelState>();
  }
  const MatMulSizes s = matmul_sizes(b->shape(), b->shape(), {.b_transposed = form.b_transposed});
  const int64_t k = form.b_transposed ? b->dim(1) : b->dim(0);
  auto state = std::make_unique<MatMulState>();
  SDX_ASSIGN(state->b, PackedF32::create({b->data<float>(), s.b_row, s.b_column}, k, s.n));
  return std::unique_ptr<KernelState>(std::move(state));
}

Status run_matmul_f32(KernelContext& ctx, const MatMulForm& form) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const MatMulSizes s = matmul_sizes(a.shape(), b.shape(), form);
  GemmF32 all{.m = s.m, .n = s.n, .k = s.k};
  all.a = {a.data<float>(), s.a_row, s.a_column};
  all.b = {b.data<float>(), s.b_row, s.b_column};
  if (ctx.has_state()) all.packed = &ctx.state<MatMulState>().b;
  all.c = y.data<float>();
  all.c_row = s.n;
  if (is_one_product(s)) {
    all.m *= s.batches();
    return gemm(ctx, all);
  }
  return gemm_batch(ctx, s.batches(), [&](int64_t i) {
    const auto [a_offset, b_offset] = s.offsets(i);
    GemmF32 one = all;
    one.a.data += a_offset;
    one.b.data += b_offset;
    one.c += i * s.m * s.n;
    return one;
  });
}

namespace {

Status run_plain_f32(KernelContext& ctx) { return run_matmul_f32(ctx, {}); }

}  // namespace

SDX_CPU_KERNELS(matmul,
                {.name = "matmul_f32",
                 .can_run = takes<DType::f32>,
                 .prepare = [](const NodeFacts& facts) { return prepare_matmul_f32(facts, {}); },
                 .run = run_plain_f32},
                {.name = "matmul_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_plain_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f); }});

}  // namespace sdx::ops
