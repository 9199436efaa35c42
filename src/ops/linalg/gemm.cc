// Gemm: y = alpha * a' @ b' + beta * c, where a' and b' are the operands or their transposes, and c broadcasts to y.
// Integers wrap; alpha and beta are taken toward zero for them.
#include "ops/linalg/gemm_operator.h"
#include "ops/reference.h"

namespace sdx::ops {

Result<Facts> infer_gemm(InferContext& ctx) {
  for (const size_t i : {0, 1})
    if (ctx.has_rank(i) && ctx.rank(i) != 2)
      return ctx.fail("input {} has rank {}; a matrix is wanted", i, ctx.rank(i));
  const int a_rows = ctx.attr_int("transA", 0) != 0 ? 1 : 0, b_rows = ctx.attr_int("transB", 0) != 0 ? 1 : 0;
  SymShape shape = ctx.unknown_shape(2);
  if (ctx.has_rank(0)) shape[0] = ctx.dim(0, a_rows);
  if (ctx.has_rank(1)) shape[1] = ctx.dim(1, 1 - b_rows);
  if (ctx.has_rank(0) && ctx.has_rank(1))
    SDX_TRY(ctx.same(ctx.dim(0, 1 - a_rows), ctx.dim(1, b_rows), "columns of A and rows of B").status());
  if (ctx.has_input(2) && ctx.has_rank(2)) {
    SDX_ASSIGN(const SymShape both, ctx.broadcast(shape, *ctx.input(2).shape));
    const bool grows = both.size() > 2 || ctx.symbols().equal(both[0], shape[0]) == Truth::no ||
                       ctx.symbols().equal(both[1], shape[1]) == Truth::no;
    if (grows)
      return ctx.fail("C {} does not broadcast to {}", to_text(ctx.input(2), ctx.symbols()),
                      to_text(tensor_fact(ctx.dtype(0), shape), ctx.symbols()));
    for (size_t d = 0; d < 2; ++d) ctx.assume({Constraint::Kind::equal, both[d], shape[d]});
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status gemm_reference(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const bool a_transposed = ctx.attr_int("transA", 0) != 0, b_transposed = ctx.attr_int("transB", 0) != 0;
  const int64_t m = y.dim(0), n = y.dim(1), k = a.dim(a_transposed ? 0 : 1);
  const auto alpha = static_cast<double>(ctx.attr_float("alpha", 1)),
             beta = static_cast<double>(ctx.attr_float("beta", 1));
  const bool has_c = ctx.has_input(2);
  const Shape none;
  BroadcastWalker walk(y.shape(), {has_c ? ctx.input(2).shape() : none});
  int64_t at = 0;
  for (int64_t i = 0; i < m; ++i) {
    SDX_TRY(ctx.check_cancelled());
    for (int64_t j = 0; j < n; ++j, ++at, walk.next()) {
      const auto a_at = [&](int64_t p) { return a_transposed ? p * m + i : i * k + p; };
      const auto b_at = [&](int64_t p) { return b_transposed ? j * k + p : p * n + j; };
      if (is_floating(a.dtype())) {
        double sum = 0;
        for (int64_t p = 0; p < k; ++p) sum += load_double(a, a_at(p)) * load_double(b, b_at(p));
        sum *= alpha;
        if (has_c) sum += beta * load_double(ctx.input(2), walk.operand(0));
        store_double(y, at, sum);
      } else {
        uint64_t sum = 0;
        for (int64_t p = 0; p < k; ++p)
          sum += static_cast<uint64_t>(load_i64(a, a_at(p))) * static_cast<uint64_t>(load_i64(b, b_at(p)));
        sum *= static_cast<uint64_t>(double_to_i64(alpha));
        if (has_c)
          sum += static_cast<uint64_t>(double_to_i64(beta)) *
                 static_cast<uint64_t>(load_i64(ctx.input(2), walk.operand(0)));
        store_i64(y, at, static_cast<int64_t>(sum));
      }
    }
  }
  return {};
}

namespace {

// Up to opset 6 broadcasting of C had to be asked for; what was right without it is right with it.
Status drop_broadcast(UpgradeContext& ctx) {
  ctx.attributes().remove("broadcast");
  return {};
}

}  // namespace

SDX_OP(gemm) = {
    .name = "Gemm",
    .since = 13,
    .infer = infer_gemm,
    .reference = gemm_reference,
    .upgrades = {{1, drop_broadcast}, {6, drop_broadcast}},
    .records_constraints = true,
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
