// Mean: the mean of all operands, with broadcasting.
#include <cmath>

#include "ops/math/variadic.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status mean_reference(KernelContext& ctx) {
  // The sum is kept in double: rounding it first would overflow where the mean does not.
  Tensor& y = ctx.output(0);
  std::vector<BroadcastWalker::Dims> shapes;
  for (size_t i = 0; i < ctx.input_count(); ++i) shapes.push_back(ctx.input(i).shape());
  BroadcastWalker walk(y.shape(), shapes);
  for (int64_t k = 0; k < y.count(); ++k, walk.next()) {
    double sum = load_double(ctx.input(0), walk.operand(0));  // not from 0, which makes -0 to 0
    for (size_t i = 1; i < shapes.size(); ++i) sum += load_double(ctx.input(i), walk.operand(i));
    store_double(y, k, sum / static_cast<double>(shapes.size()));
  }
  return {};
}

}  // namespace

SDX_OP(mean) = {
    .name = "Mean",
    .since = 13,
    .infer = infer_variadic,
    .reference = mean_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
};

}  // namespace sdx::ops
