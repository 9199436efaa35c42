// Elementwise: what passes make of several elementwise operators behind one another; see elementwise_program.h. The
// output has the shape that all inputs broadcast to.
#include "ops/math/elementwise_program.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_elementwise(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const ElementwiseProgram program,
             ElementwiseProgram::parse(ctx.attributes(), ctx.input_count()));
  if (ctx.dtype(0) != DType::undefined && !is_floating(ctx.dtype(0)))
    return ctx.fail("input 0 has type {}, a floating type is wanted", name(ctx.dtype(0)));
  for (size_t i = 1; i < ctx.input_count(); ++i)
    if (ctx.dtype(i) != ctx.dtype(0))
      return ctx.fail("input {} has type {}, input 0 has {}", i, name(ctx.dtype(i)), name(ctx.dtype(0)));
  return infer_broadcast(ctx);
}

Status elementwise_reference(KernelContext& ctx) {
  SDX_ASSIGN(const ElementwiseProgram program, ElementwiseProgram::parse(ctx.attributes(), ctx.input_count()));
  std::vector<Value> values;
  values.reserve(ctx.input_count());
  std::vector<const Value*> inputs;
  for (size_t i = 0; i < ctx.input_count(); ++i) inputs.push_back(&values.emplace_back(Tensor(ctx.input(i))));
  SDX_ASSIGN(Value y, run_references(program, inputs, ctx.input(0).dtype(), ctx.environment()));
  ctx.set_output(0, std::move(y));
  return {};
}

}  // namespace

SDX_OP(fused_elementwise) = {
    .name = "Elementwise",
    .domain = "sardonyx",
    .infer = infer_elementwise,
    .reference = elementwise_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
