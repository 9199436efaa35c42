// Normalizer: each row divided by its maximum (MAX), its sum of magnitudes (L1) or its Euclidean length (L2); a row
// whose divisor is 0 stays as it is.
#include "ops/ml/normalizer.h"

#include <cmath>

#include "base/element.h"
#include "ops/ml/ml_common.h"

namespace sdx::ops {

Result<Norm> norm_of(const Attributes& attributes) {
  const std::string_view norm = attributes.get_string("norm", "MAX");
  if (norm == "MAX") return Norm::max;
  if (norm == "L1") return Norm::l1;
  if (norm == "L2") return Norm::l2;
  return invalid_argument("norm is {}, not MAX, L1 or L2", norm);
}

namespace {

Result<Facts> infer_normalizer(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const Norm norm, norm_of(ctx.attributes()));
  SDX_ASSIGN([[maybe_unused]] const auto dims, feature_dims(ctx, 0));
  return tensor_fact(DType::f32, ctx.input(0).shape);
}

Status normalizer_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const Norm norm, norm_of(ctx.attributes()));
  SDX_ASSIGN(const FeatureRows form, feature_rows(x));
  return parallel_ranges(ctx, form.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * form.features;
      double divisor = norm == Norm::max ? -std::numeric_limits<double>::infinity() : 0;
      for (int64_t i = 0; i < form.features; ++i) {
        const double v = load_double(x, at + i);
        divisor = norm == Norm::max ? std::max(divisor, v) : divisor + (norm == Norm::l1 ? std::fabs(v) : v * v);
      }
      if (norm == Norm::l2) divisor = std::sqrt(divisor);
      if (divisor == 0) divisor = 1;
      for (int64_t i = 0; i < form.features; ++i) store_double(y, at + i, load_double(x, at + i) / divisor);
    }
  });
}

}  // namespace

SDX_OP(normalizer) = {
    .name = "Normalizer",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_normalizer,
    .reference = normalizer_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
