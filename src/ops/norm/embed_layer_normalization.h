// What EmbedLayerNormalization's reference and its kernel share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

enum EmbedInput : size_t { kIds, kSegmentIds, kWords, kPositions, kSegments, kGamma, kBeta, kMask, kPositionIds };

// Where the embeddings of a token begin in their tables, in elements; segment: 0 without segments.
struct EmbeddingRows {
  int64_t word = 0, position = 0, segment = 0;
};
Result<EmbeddingRows> embedding_rows(const KernelContext& ctx, int64_t token);

// Output 1, where it is wanted.
void count_masked_tokens(KernelContext& ctx);

}  // namespace sdx::ops
