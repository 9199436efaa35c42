// Scaled dot-product attention in double, over any layout of heads: what the references of attention operators share.
#pragma once

#include <functional>
#include <vector>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {

// A tensor seen as [batch, head, position, channel].
struct HeadView {
  const Tensor* tensor = nullptr;
  int64_t offset = 0, batch = 0, head = 0, position = 0;  // strides; that of a channel is 1
  int64_t index(int64_t b, int64_t h, int64_t s, int64_t d) const {
    return offset + b * batch + h * head + s * position + d;
  }
  double at(int64_t b, int64_t h, int64_t s, int64_t d) const { return load_double(*tensor, index(b, h, s, d)); }
};
// [batch, heads, positions, channels]
HeadView heads_first(const Tensor& tensor);
// [batch, positions, heads * channels], from channel `first` on
HeadView heads_packed(const Tensor& tensor, int64_t channels, int64_t first = 0);

// Keys or values: those of the past, then the fresh ones.
struct Cache {
  HeadView past, fresh;
  int64_t past_length = 0;
  double at(int64_t b, int64_t h, int64_t s, int64_t d) const {
    return s < past_length ? past.at(b, h, s, d) : fresh.at(b, h, s - past_length, d);
  }
};
// The shape rule of it: `present` [batch, heads, fresh positions, channels] grows by the positions of input `past`.
Status append_past(const InferContext& ctx, size_t past, SymShape& present);
// Past and fresh elements one after another, heads first.
void store_cache(const Cache& cache, Tensor& present);

struct AttentionSizes {
  int64_t batch = 0, heads = 0, kv_heads = 0, queries = 0, keys = 0, head_size = 0, value_size = 0;
};

// Where the scores of the 4th output are taken.
enum class ScoreStage : int { product = 0, soft_capped = 1, biased = 2, probabilities = 3 };

struct AttentionOptions {
  double scale = 1;
  double softcap = 0;                     // 0: none
  DType softmax_type = DType::undefined;  // scores are rounded to it
  std::vector<double> sinks;              // one a head: a score that takes part in the softmax and attends nothing
  Tensor* scores = nullptr;               // [batch, heads, queries, keys]
  ScoreStage stage = ScoreStage::product;
};

// bias(b, h, i, j) is added to a score; -infinity: query i does not see key j. A query that sees no key gives 0.
using Bias = std::function<double(int64_t, int64_t, int64_t, int64_t)>;

// y (a view of an output tensor) = softmax(scale * q k^T, capped, plus bias) v.
Status attend(KernelContext& ctx, const AttentionSizes& sizes, const HeadView& q, const Cache& k, const Cache& v,
              const Bias& bias, const AttentionOptions& options, Tensor& y, const HeadView& y_view);

// Elements of `mask` for [batch, head, query, key], its shape right-aligned and broadcast.
class BroadcastMask {
 public:
  // Keys beyond a last dimension shorter than theirs are masked.
  static Result<BroadcastMask> create(const Tensor& mask, const AttentionSizes& sizes);
  // What it adds to a score: booleans 0 or -infinity.
  double at(int64_t b, int64_t h, int64_t i, int64_t j) const;
  // What it adds to the scores of keys [first, end): in the mask itself where that holds floats, else in `buffer`.
  const float* row(int64_t b, int64_t h, int64_t i, int64_t first, int64_t end, float* buffer) const;

 private:
  const Tensor* mask_ = nullptr;
  int64_t strides_[4] = {};
  int64_t keys_ = 0;
};

}  // namespace sdx::ops
