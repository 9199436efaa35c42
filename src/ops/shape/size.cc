// Size: the number of elements, as an int64 scalar.
#include "ops/op.h"
#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_size(InferContext& ctx) {
  Fact fact = Fact::tensor(DType::i64, SymShape{});
  if (!ctx.has_rank(0)) return fact;
  Dim count(1);
  for (const Dim& dim : *ctx.input(0).shape) count = ctx.symbols().mul(count, dim);
  track(fact, {count});
  return fact;
}

Status size_reference(KernelContext& ctx) {
  store_i64(ctx.output(0), 0, ctx.input(0).count());
  return {};
}

}  // namespace

SDX_OP(size) = {
    .name = "Size", .since = 25, .infer = infer_size, .reference = size_reference, .records_constraints = true};

}  // namespace sdx::ops
