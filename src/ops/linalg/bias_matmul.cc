// BiasMatMul: what passes make of a product and the bias behind it: y = a' @ b' + bias, one number a column. The
// attributes are FusedMatMul's, without alpha.
#include "base/element.h"
#include "ops/input_rules.h"
#include "ops/linalg/fused_matmul.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_bias_matmul(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}, {2, kTypes}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_ASSIGN(Facts facts, infer_matmul(ctx, fused_matmul_form(ctx.attributes())));
  const Fact& y = facts.list[0];
  if (!y.has_rank() || !ctx.has_rank(2)) return facts;
  if (y.rank() < 1 || ctx.rank(2) != 1) return ctx.fail("the bias has rank {}, 1 is wanted", ctx.rank(2));
  SDX_TRY(ctx.same(ctx.dim(2, 0), y.dim(y.rank() - 1), "bias and columns").status());
  return facts;
}

Status bias_matmul_reference(KernelContext& ctx) {
  SDX_TRY(matmul_reference(ctx, fused_matmul_form(ctx.attributes()), 1));
  Tensor& y = ctx.output(0);
  const int64_t columns = ctx.input(2).count();
  for (int64_t i = 0; i < y.count(); ++i)
    store_double(y, i, load_double(y, i) + load_double(ctx.input(2), i % columns));
  return {};
}

}  // namespace

SDX_OP(bias_matmul) = {
    .name = "BiasMatMul",
    .domain = "sardonyx",
    .infer = infer_bias_matmul,
    .reference = bias_matmul_reference,
    .records_constraints = true,
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
