// Imputer: elements equal to replaced_value (NaN equals NaN) become the imputed value, one for all or one a feature
// (the last dimension).
#include <cmath>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

Status check_count(size_t values, const Tensor& x) {
  const int64_t features = x.rank() == 0 ? 1 : x.dim(x.rank() - 1);
  if (values == 1 || static_cast<int64_t>(values) == features) return {};
  return invalid_argument("{} imputed values are given, 1 or {} are wanted", values, features);
}

Status imputer_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (is_floating(x.dtype())) {
    const auto values = ctx.attributes().get_floats("imputed_value_floats");
    if (values.empty()) return invalid_argument("x holds {} but imputed_value_floats is empty", name(x.dtype()));
    SDX_TRY(check_count(values.size(), x));
    const double replaced = ctx.attr_float("replaced_value_float", 0);
    for (int64_t i = 0; i < x.count(); ++i) {
      const double v = load_double(x, i);
      const bool hit = v == replaced || (std::isnan(v) && std::isnan(replaced));
      store_double(y, i, hit ? values[static_cast<size_t>(i) % values.size()] : v);
    }
    return {};
  }
  const auto values = ctx.attr_ints("imputed_value_int64s");
  if (values.empty()) return invalid_argument("x holds {} but imputed_value_int64s is empty", name(x.dtype()));
  SDX_TRY(check_count(values.size(), x));
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
