// FeatureVectorizer: the inputs side by side as float32. Input i takes inputdimensions[i] columns: cut, or filled up
// with zeros.
#include "base/element.h"
#include "ops/ml/ml_common.h"

namespace sdx::ops {
namespace {

// Columns of input i; its own where inputdimensions is absent.
Result<std::optional<int64_t>> declared_columns(const Attributes& attributes, size_t input, size_t inputs) {
  const auto dimensions = attributes.get_ints("inputdimensions");
  if (dimensions.empty()) return std::optional<int64_t>();
  if (dimensions.size() != inputs)
    return invalid_argument("inputdimensions has {} entries for {} inputs", dimensions.size(), inputs);
  if (dimensions[input] < 0) return invalid_argument("inputdimensions[{}] is {}", input, dimensions[input]);
  return std::optional(dimensions[input]);
}

Result<Facts> infer_feature_vectorizer(InferContext& ctx) {
  Dim rows = ctx.unknown_dim(), columns(0);
  bool has_rows = false;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    SDX_ASSIGN(const auto dims, feature_dims(ctx, i));
    SDX_ASSIGN(const auto declared, declared_columns(ctx.attributes(), i, ctx.input_count()));
    columns = ctx.symbols().add(columns, declared ? Dim(*declared) : dims ? dims->features : ctx.unknown_dim());
    if (!dims) continue;
    if (has_rows) {
      SDX_ASSIGN(rows, ctx.same(rows, dims->rows, formatted("rows of input {}", i)));
    } else {
      rows = dims->rows;
    }
    has_rows = true;
  }
  return tensor_fact(DType::f32, SymShape{rows, columns});
}

Status feature_vectorizer_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  const int64_t width = y.dim(1);
  int64_t at = 0;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    const Tensor& x = ctx.input(i);
    SDX_ASSIGN(const FeatureRows own, feature_rows(x));
    if (own.rows != y.dim(0)) return invalid_argument("input {} has {} rows, input 0 has {}", i, own.rows, y.dim(0));
    SDX_ASSIGN(const auto declared, declared_columns(ctx.attributes(), i, ctx.input_count()));
    const int64_t columns = declared ? *declared : own.features;
    for (int64_t row = 0; row < own.rows; ++row)
      for (int64_t k = 0; k < columns; ++k)
        store_double(y, row * width + at + k, k < own.features ? load_double(x, row * own.features + k) : 0);
    at += columns;
  }
  return {};
}

}  // namespace

SDX_OP(feature_vectorizer) = {
    .name = "FeatureVectorizer",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_feature_vectorizer,
    .reference = feature_vectorizer_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
