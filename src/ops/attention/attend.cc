#include "ops/attention/attend.h"

#include <cmath>
#include <limits>

#include "ops/quant/quantization.h"

namespace sdx::ops {

HeadView heads_first(const Tensor& tensor) {
  const int64_t heads = tensor.dim(1), positions = tensor.dim(2), channels = tensor.dim(3);
  return {.tensor = &tensor,
          .offset = 0,
          .batch = heads * positions * channels,
          .head = positions * channels,
          .position = channels};
}

HeadView heads_packed(const Tensor& tensor, int64_t channels, int64_t first) {
  const int64_t positions = tensor.dim(1), width = tensor.dim(2);
  return {.tensor = &tensor, .offset = first, .batch = positions * width, .head = channels, .position = width};
}

Status append_past(const InferContext& ctx, size_t past, SymShape& present) {
  if (!ctx.has_rank(past)) {
    present[2] = ctx.unknown_dim();
    return {};
  }
  if (ctx.rank(past) != 4) return ctx.fail("input {} has rank {}, 4 is wanted", past, ctx.rank(past));
  for (const int d : {0, 1, 3})
    SDX_TRY(ctx.same(present[static_cast<size_t>(d)], ctx.dim(past, d), formatted("dimension {} of input {}", d, past))
                .status());
  present[2] = ctx.symbols().add(ctx.dim(past, 2), present[2]);
  return {};
}

void store_cache(const Cache& cache, Tensor& present) {
  int64_t index = 0;
  for (int64_t b = 0; b < present.dim(0); ++b)
    for (int64_t h = 0; h < present.dim(1); ++h)
      for (int64_t s = 0; s < present.dim(2); ++s)
        for (int64_t d = 0; d < present.dim(3); ++d) store_double(present, index++, cache.at(b, h, s, d));
}

namespace {

// Scores of one query become probabilities; what is masked is 0, a row with nothing left all 0.
void softmax_row(std::vector<double>& row, const std::vector<char>& seen, const double* sink) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double largest = sink != nullptr ? *sink : -kInfinity, sum = 0;
  for (size_t j = 0; j < row.size(); ++j)
    if (seen[j] && !(row[j] <= largest)) largest = row[j];
  if (largest == -kInfinity) {
    std::fill(row.begin(), row.end(), 0.0);
    return;
  }
  for (size_t j = 0; j < row.size(); ++j) {
    row[j] = seen[j] ? std::exp(row[j] - largest) : 0;
    sum += row[j];
  }
  if (sink != nullptr) sum += std::exp(*sink - largest);
  for (double& p : row) p /= sum;
}

}  // namespace

Status attend(KernelContext& ctx, const AttentionSizes& sizes, const HeadView& q, const Cache& k, const Cache& v,
              const Bias& bias, const AttentionOptions& options, Tensor& y, const HeadView& y_view) {
  const auto count = static_cast<size_t>(sizes.keys);
  std::vector<double> row(count);
  std::vector<char> seen(count);
  int64_t at = 0;
  const auto keep = [&](ScoreStage stage, int64_t j, double value) {
    if (options.scores != nullptr && options.stage == stage) store_double(*options.scores, at + j, value);
  };
  const int64_t share = sizes.kv_heads == 0 ? 1 : sizes.heads / sizes.kv_heads;
  for (int64_t b = 0; b < sizes.batch; ++b) {
    for (int64_t h = 0; h < sizes.heads; ++h) {
      const int64_t kv = h / share;
      for (int64_t i = 0; i < sizes.queries; ++i, at += sizes.keys) {
        SDX_TRY(ctx.check_cancelled());
        for (int64_t j = 0; j < sizes.keys; ++j) {
          double score = 0;
          for (int64_t d = 0; d < sizes.head_size; ++d) score += q.at(b, h, i, d) * k.at(b, kv, j, d);
          score *= options.scale;
          keep(ScoreStage::product, j, score);
          if (options.softcap > 0) score = options.softcap * std::tanh(score / options.softcap);
          keep(ScoreStage::soft_capped, j, score);
          const double added = bias(b, h, i, j);
          const auto column = static_cast<size_t>(j);
          seen[column] = added != -std::numeric_limits<double>::infinity();
          row[column] = seen[column] ? score + added : added;
          keep(ScoreStage::biased, j, row[column]);
          if (options.softmax_type != DType::undefined) row[column] = rounded_to(options.softmax_type, row[column]);
        }
        softmax_row(row, seen, options.sinks.empty() ? nullptr : &options.sinks[static_cast<size_t>(h)]);
        for (int64_t j = 0; j < sizes.keys; ++j) keep(ScoreStage::probabilities, j, row[static_cast<size_t>(j)]);
        for (int64_t d = 0; d < sizes.value_size; ++d) {
          double sum = 0;
          for (int64_t j = 0; j < sizes.keys; ++j)
            if (seen[static_cast<size_t>(j)]) sum += row[static_cast<size_t>(j)] * v.at(b, kv, j, d);
          store_double(y, y_view.index(b, h, i, d), sum);
        }
      }
    }
  }
  return {};
}

Result<BroadcastMask> BroadcastMask::create(const Tensor& mask, const AttentionSizes& sizes) {
  BroadcastMask made;
  made.mask_ = &mask;
  const int64_t wanted[4] = {sizes.batch, sizes.heads, sizes.queries, sizes.keys};
  const auto rank = static_cast<size_t>(mask.rank());
  if (rank < 1 || rank > 4) return invalid_argument("the mask has rank {}, 1 to 4 are wanted", rank);
  const Shape strides = row_major_strides(mask.shape());
  for (size_t d = 0; d < rank; ++d) {
    const size_t to = 4 - rank + d;
    const int64_t size = mask.shape()[d];
    const bool fits = to == 3 ? size <= wanted[to] : size == 1 || size == wanted[to];
    if (!fits)
      return invalid_argument("the mask has shape {}, which does not fit [{},{},{},{}]", to_text(mask.shape()),
                              wanted[0], wanted[1], wanted[2], wanted[3]);
    made.strides_[to] = size == 1 && to != 3 ? 0 : strides[d];
  }
  made.keys_ = mask.shape()[rank - 1];
  return made;
}

double BroadcastMask::at(int64_t b, int64_t h, int64_t i, int64_t j) const {
  constexpr double kMasked = -std::numeric_limits<double>::infinity();
  if (j >= keys_) return kMasked;
  const int64_t index = b * strides_[0] + h * strides_[1] + i * strides_[2] + j * strides_[3];
  if (mask_->dtype() == DType::boolean) return load_i64(*mask_, index) != 0 ? 0 : kMasked;
  return load_double(*mask_, index);
}

const float* BroadcastMask::row(int64_t b, int64_t h, int64_t i, int64_t first, int64_t end, float* buffer) const {
  const int64_t index = b * strides_[0] + h * strides_[1] + i * strides_[2];
  if (mask_->dtype() == DType::f32 && keys_ >= end && strides_[3] == 1) return mask_->data<float>() + index + first;
  for (int64_t j = first; j < end; ++j) buffer[j - first] = static_cast<float>(at(b, h, i, j));
  return buffer;
}

}  // namespace sdx::ops
