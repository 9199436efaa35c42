#include "ops/quant/matmul_shape.h"

#include "ops/reference.h"

namespace sdx::ops {

Result<std::optional<SymShape>> infer_matmul(InferContext& ctx, size_t a, size_t b) {
  if (!ctx.has_rank(a) || !ctx.has_rank(b)) return std::optional<SymShape>();
  SymShape left = *ctx.input(a).shape, right = *ctx.input(b).shape;
  if (left.empty() || right.empty()) return ctx.fail("operands of a matrix product must not be scalars");
  const bool left_vector = left.size() == 1, right_vector = right.size() == 1;
  if (left_vector) left.insert(left.begin(), Dim(1));
  if (right_vector) right.push_back(Dim(1));
  SDX_TRY(ctx.same(left.back(), right[right.size() - 2], "inner dimensions").status());
  SDX_ASSIGN(SymShape shape,
             ctx.broadcast(SymShape(left.begin(), left.end() - 2), SymShape(right.begin(), right.end() - 2)));
  if (!left_vector) shape.push_back(left[left.size() - 2]);
  if (!right_vector) shape.push_back(right.back());
  return std::optional<SymShape>(std::move(shape));
}

Result<MatmulShape> matmul_shape(std::span<const int64_t> a, std::span<const int64_t> b) {
  Shape left(a), right(b);
  if (left.empty() || right.empty()) return invalid_argument("operands of a matrix product must not be scalars");
  if (left.size() == 1) left = Shape{1, left[0]};
  if (right.size() == 1) right = Shape{right[0], 1};
  MatmulShape made;
  made.m = left[left.size() - 2];
  made.k = left.back();
  made.n = right.back();
  if (right[right.size() - 2] != made.k)
    return invalid_argument("inner dimensions: {} and {} differ", made.k, right[right.size() - 2]);
  const Shape left_batch(std::span<const int64_t>(left).first(left.size() - 2));
  const Shape right_batch(std::span<const int64_t>(right).first(right.size() - 2));
  SDX_ASSIGN(made.batch, broadcast_shapes(left_batch, right_batch));
  made.a_matrices = count_of(left_batch);
  made.b_matrices = count_of(right_batch);
  const int64_t count = count_of(made.batch);
  BroadcastWalker walker(made.batch, {left_batch, right_batch});
  for (int64_t i = 0; i < count; ++i, walker.next()) {
    made.a_of.push_back(walker.operand(0));
    made.b_of.push_back(walker.operand(1));
  }
  return made;
}

Result<LineParameters> line_parameters(const Tensor& parameter, int64_t lines, int64_t matrices,
                                       std::string_view what) {
  const int64_t count = parameter.count();
  if (count == 1) return LineParameters{0, 0};
  if (count == lines) return LineParameters{0, 1};
  if (count == lines * matrices) return LineParameters{lines, 1};
  return invalid_argument("{} has shape {}: one value, or one for each of {} lines is wanted", what,
                          to_text(parameter.shape()), lines);
}

}  // namespace sdx::ops
