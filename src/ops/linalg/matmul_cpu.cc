// MatMul for float32 (packed weights, batches over threads), through it for the 16-bit floating types, and for doubles
// and integers.
#include "kernel/weight_parts.h"
#include "ops/elementwise.h"
#include "ops/linalg/matmul.h"
#include "ops/linalg/packed_weights.h"
#include "ops/linalg/typed_products.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

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

namespace {

// b, where it is one matrix.
MaybeMatrix weight_matrix(const Tensor& b, const MatMulForm& form) {
  const int rank = b.rank();
  if (rank < 2 || form.b_batch_transposed || count_range(b.shape(), 0, static_cast<size_t>(rank - 2)) != 1)
    return std::nullopt;
  const int64_t rows = b.dim(rank - 2), columns = b.dim(rank - 1);
  if (form.b_transposed) return WeightMatrix{{b.data<float>(), 1, columns}, columns, rows};
  return WeightMatrix{{b.data<float>(), columns, 1}, rows, columns};
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_matmul_f32(const NodeFacts& facts, const MatMulForm& form) {
  const Tensor* b = facts.constant(1);
  return b != nullptr ? pack_weights(*b, weight_matrix(*b, form)) : std::unique_ptr<KernelState>();
}

int64_t matmul_packed_bytes(const NodeFacts& facts, const MatMulForm& form) {
  const Tensor* b = facts.constant(1);
  return b != nullptr ? packed_weights_bytes(*b, weight_matrix(*b, form)) : 0;
}

Status run_matmul_f32(KernelContext& ctx, const MatMulForm& form, const float* bias, const GemmF32::Finish* finish) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const MatMulSizes s = matmul_sizes(a.shape(), b.shape(), form);
  GemmF32 all{.m = s.m, .n = s.n, .k = s.k};
  all.a = {a.data<float>(), s.a_row, s.a_column};
  all.b = {b.data<float>(), s.b_row, s.b_column};
  use_packed_weights(ctx, all);
  all.c = y.data<float>();
  all.c_row = s.n;
  all.finish = finish;
  if (bias != nullptr) {
    all.start = GemmF32::Start::per_column;
    all.bias = bias;
  }
  if (is_one_product(s)) {
    all.m *= s.batches();
    return gemm(ctx, all);
  }
  return gemm_batch(ctx, s.batches(), [&](int64_t i) {
    const auto [a_offset, b_offset] = s.offsets(i);
    GemmF32 one = all;
    one.a.data += a_offset;
    if (one.packed == nullptr) one.b.data += b_offset;
    one.c += i * s.m * s.n;
    return one;
  });
}

namespace {

template <typename T>
Status run_typed(KernelContext& ctx, const MatMulForm& form) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  const MatMulSizes s = matmul_sizes(a.shape(), b.shape(), form);
  TypedProduct<T> all{.m = s.m, .n = s.n, .k = s.k};
  all.a = static_cast<const T*>(a.raw());
  all.b = static_cast<const T*>(b.raw());
  all.a_row = s.a_row;
  all.a_column = s.a_column;
  all.b_row = s.b_row;
  all.b_column = s.b_column;
  all.c = static_cast<T*>(ctx.output(0).raw());
  const bool at_once = is_one_product(s);
  if (at_once) all.m *= s.batches();
  return typed_products(ctx, at_once ? 1 : s.batches(), [&](int64_t i) {
    const auto [a_offset, b_offset] = s.offsets(i);
    TypedProduct<T> one = all;
    one.a += a_offset;
    one.b += b_offset;
    one.c += i * s.m * s.n;
    return one;
  });
}

}  // namespace

Status run_matmul_typed(KernelContext& ctx, const MatMulForm& form) {
  if (ctx.output(0).count() == 0) return {};
  switch (ctx.input(0).dtype()) {
    case DType::f64: return run_typed<double>(ctx, form);
    case DType::i32:
    case DType::u32: return run_typed<uint32_t>(ctx, form);
    default: return run_typed<uint64_t>(ctx, form);
  }
}

namespace {

Status run_plain_f32(KernelContext& ctx) { return run_matmul_f32(ctx, {}); }

}  // namespace

SDX_CPU_KERNELS(matmul,
                {.name = "matmul_f32",
                 .can_run = takes<DType::f32>,
                 .prepare = [](const NodeFacts& facts) { return prepare_matmul_f32(facts, {}); },
                 .run = run_plain_f32,
                 .packs_inputs = input_bit(1) | in_parts(1),
                 .packed_bytes = [](const NodeFacts& facts) { return matmul_packed_bytes(facts, {}); }},
                {.name = "matmul_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_plain_f32); },
                 .scratch_bytes = [](const ScratchFacts& f) { return through_f32_scratch(f); }},
                {.name = "matmul_typed",
                 .can_run = takes_typed_product,
                 .run = [](KernelContext& ctx) { return run_matmul_typed(ctx, {}); },
                 .scratch_bytes = typed_product_scratch});

}  // namespace sdx::ops
