// The numbers of one GroupQueryAttention node, for the reference and the CPU kernel.
#pragma once

#include "ops/attention/rotary.h"

namespace sdx::ops::gqa {

enum Input : size_t {
  kQuery,
  kKey,
  kValue,
  kPastKey,
  kPastValue,
  kLengths,
  kTotal,
  kCosines,
  kSines,
  kPositions,
  kBias,
  kSink
};

struct Heads {
  int64_t query, kv;
};
Result<Heads> heads_of(const Attributes& attributes);

// The node with numbers.
struct Call {
  int64_t batch, steps, size, total, present;
  int64_t room = 0;                                   // positions of the past
  std::vector<int64_t> past, lengths;                 // keys before the fresh ones, and in all, of each sequence
  int64_t most_keys() const { return room + steps; }  // that any sequence can hold
};

Result<Call> call_of(const KernelContext& ctx, const Heads& heads);

// The row of the rotary tables for each fresh position: its position_ids, or its place in the sequence.
struct RotaryRows {
  const Tensor* positions = nullptr;
  int64_t at(const Call& call, int64_t b, int64_t s) const {
    return positions != nullptr ? load_i64(*positions, b * call.steps + s) : call.past[static_cast<size_t>(b)] + s;
  }
};
// All of them are rows of the tables.
Result<RotaryRows> rotary_rows(const KernelContext& ctx, const Call& call);

// Output `present` is the memory of input `past`, of one shape: what the cache holds stays where it is.
bool grows_in_place(KernelContext& ctx, size_t past, size_t present);

// Query, key and value as they are given, in one tensor or three.
struct Fresh {
  HeadView q, k, v;
};
Fresh fresh_of(const KernelContext& ctx, const Heads& heads, const Call& call);

// The keys that query i of sequence b sees.
struct Window {
  bool causal = true;
  int64_t size = -1;  // of the last keys; -1: all
  std::pair<int64_t, int64_t> range(const Call& call, int64_t b, int64_t i) const;
};
Window window_of(const Attributes& attributes);

}  // namespace sdx::ops::gqa
