// LayerNormalization for float32, and 16-bit floats through it.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/norm/norm.h"
#include "ops/norm/row_kernels.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Status run_layer_normalization_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const RowView view(x.shape(), ctx.attr_int("axis", -1));
  if (!is_whole_row(ctx.input(1), x.shape(), view) ||
      (ctx.has_input(2) && !is_whole_row(ctx.input(2), x.shape(), view)))
    return layer_normalization_reference(ctx);
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const RowKernels kernels = row_kernels();
  const float* scale = ctx.input(1).data<float>();
  const float* bias = ctx.has_input(2) ? ctx.input(2).data<float>() : nullptr;
  const float* from = x.data<float>();
  float* to = ctx.output(0).data<float>();
  const auto size = static_cast<size_t>(view.size);
  return parallel_ranges(ctx, view.rows, rows_a_block(view.size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto [mean, variance] = kernels.moments(from + row * view.size, size);
      const double inverse = 1 / std::sqrt(variance + epsilon);
      if (ctx.wants_output(1)) store_double(ctx.output(1), row, mean);
      if (ctx.wants_output(2)) store_double(ctx.output(2), row, inverse);
      kernels.apply(from + row * view.size, mean, inverse, scale, bias, to + row * view.size, size);
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(layer_normalization,
                {.name = "layer_normalization_f32", .can_run = takes<DType::f32>, .run = run_layer_normalization_f32},
                {.name = "layer_normalization_half",
                 .can_run =
                     [](const NodeFacts& facts) {
                       return facts.wants_output(1) || facts.wants_output(2) ? no("moments are wanted")
                                                                             : takes_half_and_floats(facts);
                     },
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_layer_normalization_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
