// BiasMatMul for float32: sums start from the bias.
#include "ops/elementwise.h"
#include "ops/linalg/fused_matmul.h"

namespace sdx::ops {
namespace {

MatMulForm form_of(const NodeFacts& facts) { return fused_matmul_form(facts.attributes()); }

}  // namespace

SDX_CPU_KERNELS(bias_matmul,
                {.name = "bias_matmul_f32",
                 .can_run = takes<DType::f32>,
                 .prepare = [](const NodeFacts& facts) { return prepare_matmul_f32(facts, form_of(facts)); },
                 .run =
                     [](KernelContext& ctx) {
                       return run_matmul_f32(ctx, fused_matmul_form(ctx.attributes()), ctx.input(2).data<float>());
                     },
                 .packs_inputs = input_bit(1),
                 .packed_bytes = [](const NodeFacts& facts) { return matmul_packed_bytes(facts, form_of(facts)); }});

}  // namespace sdx::ops
