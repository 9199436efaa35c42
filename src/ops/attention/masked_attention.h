// What com.microsoft's attention operators share: masks that lower scores by a finite value, a bias of the scores, and
// caches of keys and values.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/attention/attend.h"

namespace sdx::ops {

// Which keys a mask of integers hides: [batch] keys a sequence has, [2 * batch] their ends and then their starts,
// [3 * batch + 2] as [batch]; or 0 for hidden ones in [batch, keys], [batch, queries, keys] or [batch, 1, most, most],
// whose rows and columns are places in the whole sequence.
class KeyMask {
 public:
  static Result<KeyMask> create(const Tensor& mask, const AttentionSizes& sizes);
  bool hides(int64_t b, int64_t i, int64_t j) const;

 private:
  const Tensor* mask_ = nullptr;
  int64_t batch_ = 0;
  int64_t first_ = 0, batch_stride_ = 0, query_stride_ = 0;  // of a mask of zeros and ones
};

// Where a cache of past and fresh rows goes: part of an output, or nowhere.
struct CacheOutput {
  Tensor* tensor = nullptr;
  int64_t offset = 0;  // elements
};

struct MaskedAttention {
  AttentionSizes sizes;
  HeadView q, y;
  Cache k, v;
  CacheOutput present_k, present_v;
  const Tensor* mask = nullptr;
  const Tensor* bias = nullptr;  // broadcast to [batch, heads, queries, keys]
  Tensor* scores = nullptr;      // what goes into the softmax, on the reference's path
  bool causal = false;
  double filter = 0;  // what is added to the score of a hidden key
  double scale = 1;
};
// attribute scale, or 1 / sqrt(head size)
double attention_scale(const Attributes& attributes, int64_t head_size);

// On the f32 path with scratch memory, on the reference's without.
enum class AttendPath : uint8_t { reference, f32 };
Status masked_attention(KernelContext& ctx, const MaskedAttention& call, AttendPath path, ScratchParts* scratch);
// What it takes of scratch memory; `key_elements` and `value_elements` of a cache that is no output: 0 of one that is.
struct MaskedScratch {
  Dim key_elements = 0, value_elements = 0;
};
void add_masked_scratch(ScratchSize& size, const MaskedScratch& call);

}  // namespace sdx::ops
