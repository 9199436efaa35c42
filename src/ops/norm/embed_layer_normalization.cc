// EmbedLayerNormalization: the sum of a word's, a position's and a segment's embedding, layer-normalised. Output 1
// counts the ones in each row of the mask (0 without a mask), output 2 is the sum before normalisation.
#include <cmath>

#include "ops/norm/embed_layer_normalization.h"
#include "ops/norm/norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_embed_layer_normalization(InferContext& ctx) {
  for (const size_t i : {size_t{kIds}, size_t{kWords}, size_t{kPositions}, size_t{kGamma}, size_t{kBeta}})
    if (!ctx.has_input(i)) return ctx.fail("input {} is missing", i);
  if (ctx.has_input(kSegmentIds) != ctx.has_input(kSegments))
    return ctx.fail("segment_ids and segment_embedding go together");
  for (const size_t i : {size_t{kIds}, size_t{kWords}, size_t{kPositions}})
    if (ctx.has_rank(i) && ctx.rank(i) != 2) return ctx.fail("input {} has rank {}, not 2", i, ctx.rank(i));
  Dim batch = ctx.unknown_dim(), length = ctx.unknown_dim(), size = ctx.unknown_dim();
  if (ctx.has_rank(kIds)) {
    batch = ctx.dim(kIds, 0);
    length = ctx.dim(kIds, 1);
  }
  for (const size_t i : {size_t{kSegmentIds}, size_t{kMask}}) {
    if (!ctx.has_input(i) || !ctx.has_rank(i) || !ctx.has_rank(kIds)) continue;
    if (ctx.rank(i) != 2) return ctx.fail("input {} has rank {}, not 2", i, ctx.rank(i));
    SDX_TRY(ctx.same(batch, ctx.dim(i, 0), formatted("batch of input {}", i)).status());
    SDX_TRY(ctx.same(length, ctx.dim(i, 1), formatted("length of input {}", i)).status());
  }
  for (const size_t i : {size_t{kWords}, size_t{kPositions}, size_t{kSegments}}) {
    if (!ctx.has_input(i) || !ctx.has_rank(i)) continue;
    if (ctx.rank(i) != 2) return ctx.fail("input {} has rank {}, not 2", i, ctx.rank(i));
    SDX_ASSIGN(size, ctx.same(size, ctx.dim(i, 1), formatted("width of input {}", i)));
  }
  SDX_TRY(check_channels(ctx, kGamma, "gamma", size));
  SDX_TRY(check_channels(ctx, kBeta, "beta", size));
  if (ctx.has_input(kPositionIds) && ctx.has_rank(kPositionIds)) {
    if (ctx.rank(kPositionIds) != 2) return ctx.fail("position_ids has rank {}, not 2", ctx.rank(kPositionIds));
    const Dim& own = ctx.dim(kPositionIds, 0);
    if (own.is_known() && !own.is(1)) SDX_TRY(ctx.same(batch, own, "batch of position_ids").status());
    ctx.assume_broadcasts_to(own, batch);
    SDX_TRY(ctx.same(length, ctx.dim(kPositionIds, 1), "length of position_ids").status());
  }
  const Fact y = tensor_fact(ctx.dtype(kWords), SymShape{batch, length, size});
  return Facts({y, tensor_fact(DType::i32, SymShape{batch}), y});
}

Result<int64_t> row_of(const Tensor& table, int64_t id, std::string_view what) {
  if (id < 0 || id >= table.dim(0)) return invalid_argument("{} {} is outside [0, {})", what, id, table.dim(0));
  return id * table.dim(1);
}

}  // namespace

Result<EmbeddingRows> embedding_rows(const KernelContext& ctx, int64_t token) {
  const int64_t length = ctx.input(kIds).dim(1);
  int64_t position = token % length;
  if (ctx.has_input(kPositionIds)) {
    const Tensor& position_ids = ctx.input(kPositionIds);
    position = load_i64(position_ids, position_ids.dim(0) == 1 ? token % length : token);
  }
  EmbeddingRows rows;
  SDX_ASSIGN(rows.word, row_of(ctx.input(kWords), load_i64(ctx.input(kIds), token), "input id"));
  SDX_ASSIGN(rows.position, row_of(ctx.input(kPositions), position, "position"));
  if (ctx.has_input(kSegmentIds)) {
    SDX_ASSIGN(rows.segment, row_of(ctx.input(kSegments), load_i64(ctx.input(kSegmentIds), token), "segment id"));
  }
  return rows;
}

void count_masked_tokens(KernelContext& ctx) {
  if (!ctx.wants_output(1)) return;
  const int64_t length = ctx.input(kIds).dim(1);
  for (int64_t row = 0; row < ctx.input(kIds).dim(0); ++row) {
    int64_t ones = 0;
    for (int64_t i = 0; ctx.has_input(kMask) && i < length; ++i)
      ones += load_i64(ctx.input(kMask), row * length + i) == 1 ? 1 : 0;
    store_i64(ctx.output(1), row, ones);
  }
}

namespace {

Status embed_layer_normalization_reference(KernelContext& ctx) {
  const Tensor &ids = ctx.input(kIds), &words = ctx.input(kWords), &positions = ctx.input(kPositions);
  const int64_t batch = ids.dim(0), length = ids.dim(1), size = words.dim(1);
  const double epsilon = ctx.attr_float("epsilon", 1e-12F);
  std::vector<double> sums(static_cast<size_t>(size));
  for (int64_t token = 0; token < batch * length; ++token) {
    SDX_ASSIGN(const EmbeddingRows rows, embedding_rows(ctx, token));
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < size; ++i) {
      const double sum = load_double(words, rows.word + i) + load_double(positions, rows.position + i) +
                         (ctx.has_input(kSegmentIds) ? load_double(ctx.input(kSegments), rows.segment + i) : 0);
      sums[static_cast<size_t>(i)] = sum;
      mean += sum / static_cast<double>(size);
      if (ctx.wants_output(2)) store_double(ctx.output(2), token * size + i, sum);
    }
    for (const double sum : sums) squares += (sum - mean) * (sum - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(size) + epsilon);
    for (int64_t i = 0; i < size; ++i)
      store_double(ctx.output(0), token * size + i,
                   (sums[static_cast<size_t>(i)] - mean) * inverse * load_double(ctx.input(kGamma), i) +
                       load_double(ctx.input(kBeta), i));
  }
  count_masked_tokens(ctx);
  return {};
}

}  // namespace

SDX_OP(embed_layer_normalization) = {
    .name = "EmbedLayerNormalization",
    .domain = "com.microsoft",
    .since = 1,
    .infer = infer_embed_layer_normalization,
    .reference = embed_layer_normalization_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
