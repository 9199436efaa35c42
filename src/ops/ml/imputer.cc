// Imputer: elements equal to replaced_value (NaN equals NaN) become the imputed value, one for all or one a feature
// (the last dimension).
#include "ops/ml/imputer.h"

#include <cmath>

#include "base/element.h"

namespace sdx::ops {

Status check_imputed(const KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const bool floats = is_floating(x.dtype());
  const size_t values = floats ? ctx.attributes().get_floats("imputed_value_floats").size()
                               : ctx.attr_ints("imputed_value_int64s").size();
  if (values == 0)
    return invalid_argument("x holds {} but {} is empty", name(x.dtype()),
                            floats ? "imputed_value_floats" : "imputed_value_int64s");
  const int64_t features = x.rank() == 0 ? 1 : x.dim(x.rank() - 1);
  if (values == 1 || static_cast<int64_t>(values) == features) return {};
  return invalid_argument("{} imputed values are given, 1 or {} are wanted", values, features);
}

namespace {

Status imputer_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  SDX_TRY(check_imputed(ctx));
  if (is_floating(x.dtype())) {
    const auto values = ctx.attributes().get_floats("imputed_value_floats");
    const double replaced = ctx.attr_float("replaced_value_float", 0);
    for (int64_t i = 0; i < x.count(); ++i) {
      const double v = load_double(x, i);
      const bool hit = v == replaced || (std::isnan(v) && std::isnan(replaced));
      store_double(y, i, hit ? values[static_cast<size_t>(i) % values.size()] : v);
    }
    return {};
  }
  const auto values = ctx.attr_ints("imputed_value_int64s");
  const int64_t replaced = ctx.attr_int("replaced_value_int64", 0);
  for (int64_t i = 0; i < x.count(); ++i) {
    const int64_t v = load_i64(x, i);
    store_i64(y, i, v == replaced ? values[static_cast<size_t>(i) % values.size()] : v);
  }
  return {};
}

}  // namespace

SDX_OP(imputer) = {
    .name = "Imputer",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_same_as_first,
    .reference = imputer_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
