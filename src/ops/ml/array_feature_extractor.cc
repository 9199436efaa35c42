// ArrayFeatureExtractor: the elements at the indices Y along the last axis of X. A vector X gives one row.
#include "ops/ml/array_feature_extractor.h"

#include "ops/reference.h"

namespace sdx::ops {

Status check_features(const Shape& indices, int64_t width) {
  for (const int64_t index : indices)
    if (index < 0 || index >= width) return invalid_argument("index {} is outside [0, {})", index, width);
  return {};
}

namespace {

Result<Facts> infer_array_feature_extractor(InferContext& ctx) {
  if (!ctx.has_rank(0)) return tensor_fact(ctx.dtype(0), std::nullopt);
  SymShape shape = *ctx.input(0).shape;
  if (shape.empty()) return ctx.fail("x is a scalar");
  Dim count = ctx.unknown_dim();
  if (ctx.has_rank(1)) {
    count = Dim(1);
    for (const Dim& dim : *ctx.input(1).shape) count = ctx.symbols().mul(count, dim);
  }
  if (shape.size() == 1) shape.insert(shape.begin(), Dim(1));
  shape.back() = count;
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status array_feature_extractor_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const int64_t width = x.dim(x.rank() - 1), rows = count_range(x.shape(), 0, x.shape().size() - 1);
  const Shape indices = read_ints(ctx.input(1));
  SDX_TRY(check_features(indices, width));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
  for (int64_t row = 0; row < rows; ++row)
    for (const int64_t index : indices) writer.append(x, row * width + index);
  return writer.finish();
}

}  // namespace

SDX_OP(array_feature_extractor) = {
    .name = "ArrayFeatureExtractor",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_array_feature_extractor,
    .reference = array_feature_extractor_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
