// MatMul: numpy's matmul. Matrices in the last two dimensions, the others broadcast; an operand of rank 1 is a row
// (first) or a column (second) whose added dimension the result lacks. Integers wrap.
#include "ops/linalg/matmul.h"

#include "ops/reference.h"

namespace sdx::ops {
namespace {

// Brings dimensions (or their strides) of an operand of rank >= 2 into the order batch, rows, columns.
template <typename List>
void arrange(List& list, bool transposed, bool batch_transposed) {
  if (batch_transposed) std::rotate(list.begin(), list.begin() + 1, list.end() - 1);
  if (transposed) std::swap(list[list.size() - 1], list[list.size() - 2]);
}

}  // namespace

Result<Facts> infer_matmul(InferContext& ctx, const MatMulForm& form) {
  if (!ctx.has_rank(0) || !ctx.has_rank(1)) return tensor_fact(ctx.dtype(0), std::nullopt);
  SymShape a = *ctx.input(0).shape, b = *ctx.input(1).shape;
  for (const size_t i : {0, 1})
    if (ctx.rank(i) == 0) return ctx.fail("input {} is a scalar; a matrix or vector is wanted", i);
  const bool a_vector = a.size() == 1, b_vector = b.size() == 1;
  if (a_vector) a.insert(a.begin(), Dim(1));
  if (b_vector) b.push_back(Dim(1));
  if (!a_vector) arrange(a, form.a_transposed, form.a_batch_transposed);
  if (!b_vector) arrange(b, form.b_transposed, form.b_batch_transposed);
  SDX_TRY(ctx.same(a.back(), b[b.size() - 2], "columns of the first operand and rows of the second").status());
  SDX_ASSIGN(SymShape shape, ctx.broadcast(SymShape(a.begin(), a.end() - 2), SymShape(b.begin(), b.end() - 2)));
  if (!a_vector) shape.push_back(a[a.size() - 2]);
  if (!b_vector) shape.push_back(b.back());
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

MatMulSizes matmul_sizes(std::span<const int64_t> a_shape, std::span<const int64_t> b_shape, const MatMulForm& form) {
  Shape a(a_shape), b(b_shape);
  if (a.size() == 1) a.insert(0, 1);
  if (b.size() == 1) b.push_back(1);
  Shape a_strides = row_major_strides(a), b_strides = row_major_strides(b);
  if (a_shape.size() > 1) {
    arrange(a, form.a_transposed, form.a_batch_transposed);
    arrange(a_strides, form.a_transposed, form.a_batch_transposed);
  }
  if (b_shape.size() > 1) {
    arrange(b, form.b_transposed, form.b_batch_transposed);
    arrange(b_strides, form.b_transposed, form.b_batch_transposed);
  }
  const size_t a_rank = a.size(), b_rank = b.size(), batch_rank = std::max(a_rank, b_rank) - 2;
  MatMulSizes sizes{.m = a[a_rank - 2], .n = b[b_rank - 1], .k = a[a_rank - 1]};
  sizes.a_row = a_strides[a_rank - 2];
  sizes.a_column = a_strides[a_rank - 1];
  sizes.b_row = b_strides[b_rank - 2];
  sizes.b_column = b_strides[b_rank - 1];
  sizes.batch = sizes.a_batch = sizes.b_batch = Shape(batch_rank);
  for (size_t i = 0; i < batch_rank; ++i) {
    const size_t a_lacks = batch_rank + 2 - a_rank, b_lacks = batch_rank + 2 - b_rank;
    const int64_t a_dim = i < a_lacks ? 1 : a[i - a_lacks], b_dim = i < b_lacks ? 1 : b[i - b_lacks];
    sizes.batch[i] = a_dim == 1 ? b_dim : a_dim;
    sizes.a_batch[i] = a_dim == 1 ? 0 : a_strides[i - a_lacks];
    sizes.b_batch[i] = b_dim == 1 ? 0 : b_strides[i - b_lacks];
  }
  return sizes;
}

std::pair<int64_t, int64_t> MatMulSizes::offsets(int64_t index) const {
  int64_t a = 0, b = 0;
  for (size_t axis = batch.size(); axis-- > 0;) {
    const int64_t position = index % batch[axis];
    index /= batch[axis];
    a += position * a_batch[axis];
    b += position * b_batch[axis];
  }
  return {a, b};
}

Status matmul_reference(KernelContext& ctx, const MatMulForm& form, double alpha) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const MatMulSizes s = matmul_sizes(a.shape(), b.shape(), form);
  int64_t at = 0;
  for (int64_t batch = 0; batch < s.batches(); ++batch) {
    const auto [a_first, b_first] = s.offsets(batch);
    for (int64_t i = 0; i < s.m; ++i) {
      SDX_TRY(ctx.check_cancelled());
      for (int64_t j = 0; j < s.n; ++j, ++at) {
        const auto a_at = [&, from = a_first](int64_t p) { return from + i * s.a_row + p * s.a_column; };
        const auto b_at = [&, from = b_first](int64_t p) { return from + p * s.b_row + j * s.b_column; };
        if (is_floating(a.dtype())) {
          double sum = 0;
          for (int64_t p = 0; p < s.k; ++p) sum += load_double(a, a_at(p)) * load_double(b, b_at(p));
          store_double(y, at, alpha * sum);
        } else {
          uint64_t sum = 0;  // wraps as the type's own arithmetic does
          for (int64_t p = 0; p < s.k; ++p)
            sum += static_cast<uint64_t>(load_i64(a, a_at(p))) * static_cast<uint64_t>(load_i64(b, b_at(p)));
          store_i64(y, at, static_cast<int64_t>(sum));
        }
      }
    }
  }
  return {};
}

SDX_OP(matmul) = {
    .name = "MatMul",
    .since = 13,
    .infer = [](InferContext& ctx) { return infer_matmul(ctx, {}); },
    .reference = [](KernelContext& ctx) { return matmul_reference(ctx, {}, 1); },
    .records_constraints = true,
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
