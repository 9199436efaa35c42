// BiasMatMul: what passes make of a product and what comes behind it: y = steps(a' @ b' + bias, ...). The bias, one
// number a column, may be omitted. Inputs from the fourth on are operands of the elementwise steps, which broadcast to
// y's shape: of that shape, one number a column, or one number. The attributes are FusedMatMul's, without alpha; and
// bf16: where it is 1, the elements of a and b are rounded to bfloat16 first. The sums are not.
#include "ops/linalg/bias_matmul.h"

#include "base/element.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_bias_matmul(InferContext& ctx) {
  if (!ctx.has_input(0) || !ctx.has_input(1)) return ctx.fail("an operand of the product is missing");
  for (size_t i = 0; i < ctx.input_count(); ++i)
    if (ctx.has_input(i) && ctx.dtype(i) != DType::undefined && !is_floating(ctx.dtype(i)))
      return ctx.fail("input {} has type {}, a floating type is wanted", i, name(ctx.dtype(i)));
  SDX_ASSIGN([[maybe_unused]] const auto program, steps_of(ctx.attributes(), ctx.input_count()));
  SDX_ASSIGN(Facts facts, infer_matmul(ctx, fused_matmul_form(ctx.attributes())));
  const Fact& y = facts.list[0];
  if (!y.has_rank()) return facts;
  if (ctx.has_input(2) && ctx.has_rank(2)) {
    if (y.rank() < 1 || ctx.rank(2) != 1) return ctx.fail("the bias has rank {}, 1 is wanted", ctx.rank(2));
    SDX_TRY(ctx.same(ctx.dim(2, 0), y.dim(y.rank() - 1), "bias and columns").status());
  }
  for (size_t i = kFirstStepInput; i < ctx.input_count(); ++i) {
    if (!ctx.has_input(i)) return ctx.fail("input {} is missing", i);
    if (!ctx.has_rank(i)) continue;
    if (ctx.rank(i) > y.rank()) return ctx.fail("input {} has rank {}, {} at most", i, ctx.rank(i), y.rank());
    const int ahead = y.rank() - ctx.rank(i);
    for (int axis = 0; axis < ctx.rank(i); ++axis) {
      const Dim &own = ctx.dim(i, axis), &wanted = y.dim(ahead + axis);
      if (own.is(1)) continue;
      if (own.is_known() && wanted.is_known() && !own.is(wanted.known()))
        return ctx.fail("input {} has {} in dimension {}, the product {}", i, own.known(), axis, wanted.known());
      if (own != wanted) ctx.assume_broadcasts_to(own, wanted);
    }
  }
  return facts;
}

Result<Tensor> in_bf16(const Tensor& x) {
  SDX_ASSIGN(Tensor made, clone(x));
  for (int64_t i = 0; i < x.count(); ++i) store_double(made, i, static_cast<double>(bf16(load_double(x, i))));
  return made;
}

Status rounded_product(KernelContext& ctx) {
  SDX_ASSIGN(Tensor a, in_bf16(ctx.input(0)));
  SDX_ASSIGN(Tensor b, in_bf16(ctx.input(1)));
  const Value operands[] = {Value(std::move(a)), Value(std::move(b))};
  const Value* inputs[] = {&operands[0], &operands[1]};
  Value outputs[] = {Value(Tensor(ctx.output(0)))};
  KernelContext inner(ctx.node(), inputs, {}, outputs, ctx.environment());
  return matmul_reference(inner, fused_matmul_form(ctx.attributes()), 1);
}

Status bias_matmul_reference(KernelContext& ctx) {
  if (is_rounded(ctx.attributes())) {
    SDX_TRY(rounded_product(ctx));
  } else {
    SDX_TRY(matmul_reference(ctx, fused_matmul_form(ctx.attributes()), 1));
  }
  Tensor& y = ctx.output(0);
  const int64_t columns = ctx.has_input(2) ? ctx.input(2).count() : 0;
  for (int64_t i = 0; columns > 0 && i < y.count(); ++i)
    store_double(y, i, load_double(y, i) + load_double(ctx.input(2), i % columns));
  SDX_ASSIGN(const auto program, steps_of(ctx.attributes(), ctx.input_count()));
  if (!program) return {};
  std::vector<Value> values{Value(Tensor(y))};
  for (size_t i = kFirstStepInput; i < ctx.input_count(); ++i) values.emplace_back(Tensor(ctx.input(i)));
  std::vector<const Value*> inputs;
  for (const Value& value : values) inputs.push_back(&value);
  SDX_ASSIGN(Value made, run_references(*program, inputs, y.dtype(), ctx.environment()));
  ctx.set_output(0, std::move(made));
  return {};
}

}  // namespace

Result<std::optional<ElementwiseProgram>> steps_of(const Attributes& attributes, size_t inputs) {
  if (attributes.find("steps") == nullptr) {
    if (inputs > kFirstStepInput) return invalid_argument("{} inputs are given, {} at most", inputs, kFirstStepInput);
    return std::optional<ElementwiseProgram>();
  }
  const size_t operands = inputs > kFirstStepInput ? inputs - kFirstStepInput : 0;
  SDX_ASSIGN(ElementwiseProgram program, ElementwiseProgram::parse(attributes, 1 + operands));
  return std::optional<ElementwiseProgram>(std::move(program));
}

SDX_OP(bias_matmul) = {
    .name = "BiasMatMul",
    .domain = "sardonyx",
    .infer = infer_bias_matmul,
    .reference = bias_matmul_reference,
    .records_constraints = true,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
