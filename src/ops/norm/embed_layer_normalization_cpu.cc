// EmbedLayerNormalization for float32.
#include <cmath>
#include <vector>

#include "ops/norm/embed_layer_normalization.h"
#include "ops/norm/norm.h"
#include "ops/norm/row_kernels.h"

namespace sdx::ops {
namespace {

Status run_embed_layer_normalization(KernelContext& ctx) {
  const int64_t tokens = ctx.input(kIds).count(), size = ctx.input(kWords).dim(1);
  if (size == 0) return count_masked_tokens(ctx), Status();
  std::vector<EmbeddingRows> all(static_cast<size_t>(tokens));
  for (int64_t token = 0; token < tokens; ++token) {
    SDX_ASSIGN(all[static_cast<size_t>(token)], embedding_rows(ctx, token));
  }
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? ctx.input(i).data<float>() : nullptr; };
  const float *words = optional(kWords), *positions = optional(kPositions), *segments = optional(kSegments);
  const float *gamma = optional(kGamma), *beta = optional(kBeta);
  const double epsilon = ctx.attr_float("epsilon", 1e-12F);
  const RowKernels kernels = row_kernels();
  const auto count = static_cast<size_t>(size);
  float* y = ctx.output(0).data<float>();
  float* sums = ctx.wants_output(2) ? ctx.output(2).data<float>() : y;
  SDX_TRY(parallel_ranges(ctx, tokens, rows_a_block(size), [&](int64_t begin, int64_t end) {
    for (int64_t token = begin; token < end; ++token) {
      const EmbeddingRows& rows = all[static_cast<size_t>(token)];
      float* sum = sums + token * size;
      kernels.add(words + rows.word, positions + rows.position, segments == nullptr ? nullptr : segments + rows.segment,
                  sum, count);
      const RowMoments moments = kernels.moments(sum, count);
      kernels.apply(sum, moments.mean, 1 / std::sqrt(moments.variance + epsilon), gamma, beta, y + token * size, count);
    }
  }));
  count_masked_tokens(ctx);
  return {};
}

}  // namespace

SDX_CPU_KERNELS(embed_layer_normalization, {.name = "embed_layer_normalization_f32",
                                            .can_run = [](const NodeFacts& facts) -> Verdict {
                                              return facts.dtype(kWords) == DType::f32 ? yes() : no("only f32");
                                            },
                                            .run = run_embed_layer_normalization});

}  // namespace sdx::ops
