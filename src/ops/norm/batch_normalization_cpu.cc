// BatchNormalization for float32, and 16-bit floats through it, inference only.
#include <cmath>
#include <vector>

#include "ops/norm/norm.h"
#include "ops/norm/row_kernels.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Verdict takes_inference(const NodeFacts& facts) {
  for (size_t i = 0; i < 5; ++i)
    if (facts.dtype(i) != DType::f32) return no("only f32");
  return facts.attr_int("training_mode", 0) == 0 ? yes() : no("training");
}

// No spatial axes: y = (x - mean) * factor + bias along rows of channels.
Status run_on_rows(KernelContext& ctx, int64_t channels, double epsilon, const RowKernels& kernels) {
  const Tensor& x = ctx.input(0);
  const auto param = [&](size_t i) { return ctx.input(i).data<float>(); };
  std::vector<float> factors(static_cast<size_t>(channels));
  for (size_t c = 0; c < factors.size(); ++c)
    factors[c] =
        static_cast<float>(static_cast<double>(param(1)[c]) / std::sqrt(static_cast<double>(param(4)[c]) + epsilon));
  return parallel_ranges(ctx, x.dim(0), rows_a_block(channels), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      kernels.scale_columns(x.data<float>() + row * channels, param(3), factors.data(), param(2),
                            ctx.output(0).data<float>() + row * channels, static_cast<size_t>(channels));
  });
}

Status run_batch_normalization_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const auto param = [&](size_t i, int64_t channel) {
    return static_cast<double>(ctx.input(i).data<float>()[channel]);
  };
  const int64_t channels = ctx.input(1).count(), samples = x.dim(0);
  const int64_t size = x.rank() == 1 ? samples : x.count() / samples / channels;
  const RowKernels kernels = row_kernels();
  if (size == 1 && channels > 1) return run_on_rows(ctx, channels, epsilon, kernels);
  return parallel_ranges(ctx, x.count() / size, rows_a_block(size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t channel = row % channels;
      const double factor = param(1, channel) / std::sqrt(param(4, channel) + epsilon);
      kernels.apply_scalars(x.data<float>() + row * size, param(3, channel), factor, param(2, channel),
                            ctx.output(0).data<float>() + row * size, static_cast<size_t>(size));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(batch_normalization,
                {.name = "batch_normalization_f32", .can_run = takes_inference, .run = run_batch_normalization_f32},
                {.name = "batch_normalization_half",
                 .can_run =
                     [](const NodeFacts& facts) {
                       return facts.attr_int("training_mode", 0) == 0 ? takes_half_and_floats(facts) : no("training");
                     },
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_batch_normalization_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
