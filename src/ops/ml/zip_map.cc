// ZipMap: each row of scores as a map from the class labels to its values.
#include "ops/ml/zip_map.h"

#include "ops/tensor_parts.h"

namespace sdx::ops {
namespace {

Result<ClassLabels> zip_labels(const Attributes& attributes) {
  SDX_ASSIGN(ClassLabels labels, ClassLabels::from(attributes, "classlabels_int64s", "classlabels_strings"));
  if (labels.size() == 0) return invalid_argument("neither classlabels_int64s nor classlabels_strings is given");
  return labels;
}

Result<Facts> infer_zip_map(InferContext& ctx) {
  SDX_ASSIGN(const ClassLabels labels, zip_labels(ctx.attributes()));
  SDX_ASSIGN(const auto dims, feature_dims(ctx, 0));
  const Dim size(static_cast<int64_t>(labels.size()));
  if (dims) {
    SDX_ASSIGN([[maybe_unused]] const Dim columns, ctx.same(dims->features, size, "columns and labels"));
  }
  Fact map;
  map.kind = ValueKind::map;
  map.dtype = labels.dtype();
  map.inner.push_back(Fact::tensor(DType::f32));
  return Fact::sequence(std::move(map));
}

}  // namespace

Result<Tensor> zip_map_keys(const Attributes& attributes) {
  SDX_ASSIGN(const ClassLabels labels, zip_labels(attributes));
  return labels.all();
}

Status run_zip_map(KernelContext& ctx, const Tensor& keys) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const FeatureRows form, feature_rows(x));
  if (form.features != keys.count())
    return invalid_argument("x has {} columns for {} labels", form.features, keys.count());
  Sequence maps;
  maps.element_type = {ValueKind::map, keys.dtype(), {tensor_type(DType::f32)}};
  maps.elements.reserve(static_cast<size_t>(form.rows));
  const Tensor matrix = x.reshaped({form.rows, form.features});
  for (int64_t row = 0; row < form.rows; ++row) {
    SDX_ASSIGN(Tensor values, take_part(matrix, 0, row, 1, Shape{form.features}));
    maps.elements.emplace_back(Map{keys, std::move(values)});
  }
  ctx.set_output(0, std::move(maps));
  return {};
}

SDX_OP(zip_map) = {
    .name = "ZipMap",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_zip_map,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const Tensor keys, zip_map_keys(ctx.attributes()));
      return run_zip_map(ctx, keys);
    },
};

}  // namespace sdx::ops
