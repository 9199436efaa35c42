#include "ops/attention/attend_f32.h"

#include <cstring>

#include "ops/linalg/gemm.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockQueries = 64;
constexpr int64_t kBlockScores = int64_t{1} << 18;

struct Block {
  int64_t b, h, first, rows;
};

void attend_block(const AttendF32& a, ScoreRowF32 score_row, const Block& block, float* scores, float* bias) {
  const AttentionSizes& sizes = a.sizes;
  const auto range_of = [&](int64_t i) {
    return a.range != nullptr ? (*a.range)(block.b, i) : KeyRange{0, sizes.keys};
  };
  const int64_t kv = block.h / (sizes.heads / sizes.kv_heads), last = block.first + block.rows;
  KeyRange all{sizes.keys, 0};
  for (int64_t i = block.first; i < last; ++i) {
    const KeyRange seen = range_of(i);
    if (seen.first >= seen.end) continue;
    all = {std::min(all.first, seen.first), std::max(all.end, seen.end)};
  }
  all.first = std::min(all.first, all.end);
  const int64_t keys = all.end - all.first;
  GemmF32 product{.m = block.rows, .n = keys, .k = sizes.head_size};
  product.a = {a.q.at(block.b, block.h, block.first), a.q.position, 1};
  product.b = {a.k.at(block.b, kv, all.first), 1, a.k.position};
  product.c = scores;
  product.c_row = keys;
  gemm(product);
  for (int64_t i = block.first; i < last; ++i) {
    float* row = scores + (i - block.first) * keys;
    const KeyRange seen = range_of(i);
    const int64_t first = std::max(seen.first, all.first), end = std::max(first, seen.end);
    if (first > all.first) std::fill(row, row + (first - all.first), 0.0f);
    if (end < all.end) std::fill(row + (end - all.first), row + keys, 0.0f);
    const float* added = a.bias != nullptr ? (*a.bias)(block.b, block.h, i, bias) + first : nullptr;
    score_row({.scores = row + (first - all.first),
               .count = static_cast<size_t>(end - first),
               .scale = a.scale,
               .softcap = a.softcap,
               .bias = added,
               .sink = a.sinks != nullptr ? a.sinks + block.h : nullptr,
               .hides = a.hides});
  }
  product = {.m = block.rows, .n = sizes.value_size, .k = keys};
  product.a = {scores, keys, 1};
  product.b = {a.v.at(block.b, kv, all.first), a.v.position, 1};
  product.c = a.y.at(block.b, block.h, block.first);
  product.c_row = a.y.position;
  gemm(product);
}

}  // namespace

HeadRows head_rows(const HeadView& view) {
  // References and kernels only read the tensors of inputs through this.
  auto* data = const_cast<float*>(view.tensor->data<float>());
  return {.data = data + view.offset, .batch = view.batch, .head = view.head, .position = view.position};
}

Dim attend_slot_bytes(SymbolTable& symbols, const Dim& queries, const Dim& keys) {
  const Dim most = symbols.max(Dim(kBlockScores), keys);
  const Dim rows = symbols.min(queries, Dim(kBlockQueries));
  const Dim scores = symbols.min(symbols.mul(rows, keys), most);
  return symbols.mul(symbols.add(scores, keys), Dim(static_cast<int64_t>(sizeof(float))));
}

Status attend_f32(KernelContext& ctx, const AttendF32& a, const ScratchParts& scratch) {
  const AttentionSizes& sizes = a.sizes;
  if (sizes.batch == 0 || sizes.heads == 0 || sizes.queries == 0) return {};
  const int64_t rows =
      std::min(sizes.queries, std::clamp<int64_t>(kBlockScores / std::max<int64_t>(sizes.keys, 1), 1, kBlockQueries));
  const int64_t blocks = (sizes.queries + rows - 1) / rows;
  const auto score_row = score_row_f32();
  ScratchSlots slots = scratch.slots(static_cast<size_t>((rows + 1) * sizes.keys) * sizeof(float));
  const int64_t work = rows * std::max<int64_t>(sizes.keys, 1) * (sizes.head_size + sizes.value_size + 16);
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / work);
  return parallel_ranges(ctx, sizes.batch * sizes.heads * blocks, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    auto* scores = reinterpret_cast<float*>(lease.memory());
    for (int64_t i = begin; i < end; ++i) {
      const int64_t head = i / blocks, first = i % blocks * rows;
      const Block block{head / sizes.heads, head % sizes.heads, first, std::min(rows, sizes.queries - first)};
      attend_block(a, score_row, block, scores, scores + rows * sizes.keys);
    }
  });
}

Status store_cache_f32(KernelContext& ctx, const Cache& cache, Tensor& present) {
  const int64_t heads = present.dim(1), length = present.dim(2), size = present.dim(3);
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(length * size, 1));
  return parallel_ranges(ctx, present.dim(0) * heads, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* to = present.data<float>() + i * length * size;
      for (int64_t s = 0; s < length; ++s, to += size) {
        const HeadView& from = s < cache.past_length ? cache.past : cache.fresh;
        const int64_t at = from.index(i / heads, i % heads, s < cache.past_length ? s : s - cache.past_length, 0);
        std::memcpy(to, from.tensor->data<float>() + at, static_cast<size_t>(size) * sizeof(float));
      }
    }
  });
}

}  // namespace sdx::ops
