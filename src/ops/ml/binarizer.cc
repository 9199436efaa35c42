// Binarizer: 1 where x is greater than the threshold, else 0. NaN gives 0.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status binarizer_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const double threshold = ctx.attr_float("threshold", 0);
  for (int64_t i = 0; i < x.count(); ++i) store_i64(y, i, load_double(x, i) > threshold ? 1 : 0);
  return {};
}

}  // namespace

SDX_OP(binarizer) = {
    .name = "Binarizer",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_same_as_first,
    .reference = binarizer_reference,
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
