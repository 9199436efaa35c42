// Scaled dot-product attention of float32 heads: what the CPU kernels of attention operators share.
#pragma once

#include "base/function_ref.h"
#include "kernel/scratch_parts.h"
#include "ops/attention/attend.h"

namespace sdx::ops {

// Rows of channels, seen as [batch, head, position].
struct HeadRows {
  float* data = nullptr;
  int64_t batch = 0, head = 0, position = 0;
  float* at(int64_t b, int64_t h, int64_t s) const { return data + b * batch + h * head + s * position; }
};
HeadRows head_rows(const HeadView& view);

struct KeyRange {
  int64_t first = 0, end = 0;
};

struct AttendF32 {
  AttentionSizes sizes;
  HeadRows q = {}, k = {}, v = {}, y = {};
  float scale = 1, softcap = 0;
  bool hides = true;             // -infinity hides a key, and a query that sees none gives 0; else plain arithmetic
  bool zero_rows = false;        // weights that are no numbers are 0
  const float* sinks = nullptr;  // one a head
  // The keys that query i may see.
  const FunctionRef<KeyRange(int64_t b, int64_t i)>* range = nullptr;  // null: all
  // Scales the scores of those keys, and replaces some; null: all are scaled.
  const FunctionRef<void(int64_t b, int64_t h, int64_t i, KeyRange keys, float* scores)>* settle = nullptr;
  // What is added to the scores of those keys; in `buffer`, or elsewhere. -infinity hides a key.
  const FunctionRef<const float*(int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer)>* bias = nullptr;
};
// In blocks of queries over the pool's threads, key by key in tiles: no matrix of all scores is made (the online
// softmax of Milakov and Gimelshein). Each block works in a slot of the rest of the scratch memory.
Status attend_f32(KernelContext& ctx, const AttendF32& a, const ScratchParts& scratch);
int64_t attend_slot_bytes();

// Past and fresh keys or values, one after another, heads first.
Status store_cache_f32(KernelContext& ctx, const Cache& cache, Tensor& present);

}  // namespace sdx::ops
