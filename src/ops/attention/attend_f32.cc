#include "ops/attention/attend_f32.h"

#include <array>
#include <cmath>
#include <cstring>

#include "base/stop_point.h"
#include "ops/attention/attend_rows.h"
#include "ops/linalg/gemm_tiles.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockRows = 768;       // queries of all heads of a block, for which keys and values are copied once
constexpr int64_t kShortBlockRows = 128;  // at least, where blocks are few
constexpr int64_t kGroupRows = 26;        // of a block at a time: their scores stay in L1
constexpr int64_t kTileKeys = 256;        // keys at a time
constexpr int64_t kFewTileKeys = 1024;    // where they are read where they lie: going from keys to values costs time
constexpr int64_t kDepth = 512;           // channels at a time
constexpr int64_t kPanelFloats = 16384;   // keys, and as many values, copied for products
constexpr int64_t kScoreGap = 16;         // between rows of scores, so that they do not share cache sets
constexpr int64_t kFewRows = 8;           // up to so many, keys and values are read where they lie

int64_t div_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How queries are cut into blocks, from shapes but the batch alone.
struct Cut {
  int64_t heads = 1;    // of a block, that share keys and values
  int64_t queries = 1;  // of a block
  int64_t head_blocks = 1, query_blocks = 1;
  int64_t tile_keys = kTileKeys;
  bool few = false;

  explicit Cut(const AttentionSizes& sizes) {
    const int64_t group = sizes.heads / sizes.kv_heads;
    few = sizes.queries * group <= kFewRows;
    heads = std::min(group, kBlockRows);
    const bool alone = !few && sizes.kv_heads * div_up(sizes.queries * heads, kBlockRows) < kBlocksWanted;
    if (alone && sizes.queries > kFewRows) heads = 1;
    head_blocks = div_up(group, heads);
    query_blocks = div_up(sizes.queries, kBlockRows / heads);
    const int64_t others = sizes.kv_heads * head_blocks, shortest = std::max<int64_t>(kShortBlockRows / heads, 1);
    if (others * query_blocks < kBlocksWanted)
      query_blocks = std::max(query_blocks, std::min(div_up(kBlocksWanted, others), sizes.queries / shortest));
    queries = div_up(sizes.queries, query_blocks);
    const int64_t width = gemm_tiles().panel_width;
    const int64_t depth = std::min(kDepth, div_up(std::max(sizes.head_size, sizes.value_size), width) * width);
    tile_keys = std::clamp(kPanelFloats / std::max(depth, width) / width * width, width, kTileKeys);
    if (few) tile_keys = kFewTileKeys;
    tile_keys = std::min(tile_keys, std::max<int64_t>(div_up(sizes.keys, width), 1) * width);
  }
  static constexpr int64_t kBlocksWanted = 12;
};

// Memory of one block at a time.
struct Workspace {
  float *scores, *keys, *values, *bias;
  int64_t score_row;
};

class Block {
 public:
  Block(const AttendF32& call, const Cut& cut, const Workspace& space, int64_t index)
      : call_(call), cut_(cut), space_(space) {
    const AttentionSizes& sizes = call.sizes;
    first_ = index % cut.query_blocks * cut.queries;
    queries_ = std::min(cut.queries, sizes.queries - first_);
    index /= cut.query_blocks;
    const int64_t group = sizes.heads / sizes.kv_heads, part = index % cut.head_blocks * cut.heads;
    index /= cut.head_blocks;
    kv_ = index % sizes.kv_heads;
    b_ = index / sizes.kv_heads;
    head_ = kv_ * group + part;
    heads_ = std::min(cut.heads, group - part);
  }

  void run() {
    const KeyRange seen = seen_by_all();
    for (int64_t row = 0; row < rows(); ++row) {
      const float* sink = call_.sinks != nullptr ? call_.sinks + head_of(row) : nullptr;
      states_[static_cast<size_t>(row)] = {sink != nullptr ? *sink : -HUGE_VALF, sink != nullptr ? 1.0f : 0.0f};
      if (seen.first >= seen.end || cut_.few) std::fill_n(y_of(row), call_.sizes.value_size, 0.0f);
    }
    const int64_t tile = cut_.tile_keys;
    for (int64_t at = seen.first / tile * tile; at < seen.end; at += tile) {
      const KeyRange keys{std::max(at, seen.first), std::min(at + tile, seen.end)};
      stop_point(rows() * (keys.end - keys.first));
      if (!cut_.few) {
        copy_keys(keys, 0);
        copy_values(keys, 0);
      }
      for_groups([&](const Group& group) { attend(group, keys, seen); });
    }
    for (int64_t row = 0; row < rows(); ++row) finish(row);
  }

 private:
  // Rows that lie evenly, `q_row` apart in q.
  struct Group {
    int64_t row, rows, q_row, y_row;
  };

  // Rows of the block: the queries of its first head, then those of the next.
  int64_t rows() const { return heads_ * queries_; }
  int64_t head_of(int64_t row) const { return head_ + row / queries_; }
  int64_t query_of(int64_t row) const { return first_ + row % queries_; }
  float* q_of(int64_t row) const { return call_.q.at(b_, head_of(row), query_of(row)); }
  float* y_of(int64_t row) const { return call_.y.at(b_, head_of(row), query_of(row)); }
  KeyRange range_of(int64_t query) const {
    return call_.range != nullptr ? (*call_.range)(b_, query) : KeyRange{0, call_.sizes.keys};
  }
  KeyRange seen_by_all() const {
    KeyRange all{call_.sizes.keys, 0};
    for (int64_t i = first_; i < first_ + queries_; ++i) {
      const KeyRange seen = range_of(i);
      if (seen.first < seen.end) all = {std::min(all.first, seen.first), std::max(all.end, seen.end)};
    }
    return all;
  }

  template <typename Work>
  void for_groups(Work work) const {
    const bool by_head = queries_ == 1;
    const int64_t runs = by_head ? 1 : heads_, length = by_head ? heads_ : queries_;
    const int64_t groups = div_up(length, cut_.few ? kFewRows : kGroupRows), some = div_up(length, groups);
    for (int64_t run = 0; run < runs; ++run)
      for (int64_t at = 0; at < length; at += some)
        work(Group{.row = run * length + at,
                   .rows = std::min(some, length - at),
                   .q_row = by_head ? call_.q.head : call_.q.position,
                   .y_row = by_head ? call_.y.head : call_.y.position});
  }

  // The share of these keys in y; the block sees all of `seen`.
  void attend(const Group& group, KeyRange keys, const KeyRange& seen) {
    KeyRange mine = seen;
    if (call_.range != nullptr) {
      mine = {seen.end, seen.first};
      for (int64_t i = 0; i < group.rows; ++i) {
        const KeyRange range = ranges_[static_cast<size_t>(i)] = range_of(query_of(group.row + i));
        if (range.first < range.end) mine = {std::min(mine.first, range.first), std::max(mine.end, range.end)};
      }
      const bool none = mine.first >= mine.end;
      if (none && keys.first == seen.first && !cut_.few)
        for (int64_t i = 0; i < group.rows; ++i) std::fill_n(y_of(group.row + i), call_.sizes.value_size, 0.0f);
      if (none || mine.first >= keys.end || mine.end <= keys.first) return;
      keys.end = std::min(keys.end, mine.end);
    } else {
      if (!even_) std::fill_n(ranges_.begin(), group.rows, seen);
    }
    const bool first = mine.first >= keys.first;
    score(group, keys);
    if (even_) {
      soften_evenly(group, keys, first);
    } else {
      soften(group, keys, first);
    }
    add_values(group, keys, first);
  }

  void copy_keys(const KeyRange& keys, int64_t p) const {
    const int64_t count = keys.end - keys.first, depth = std::min(kDepth, call_.sizes.head_size - p);
    for (int64_t j = 0; j < count; j += tiles_.panel_width)
      tiles_.copy_panel(call_.k.at(b_, kv_, keys.first + j) + p, 1, call_.k.position, depth,
                        std::min<int64_t>(tiles_.panel_width, count - j), space_.keys + j * depth);
  }
  void copy_values(const KeyRange& keys, int64_t p) const {
    const int64_t count = keys.end - keys.first, channels = std::min(kDepth, call_.sizes.value_size - p);
    for (int64_t d = 0; d < channels; d += tiles_.panel_width)
      tiles_.copy_panel(call_.v.at(b_, kv_, keys.first) + p + d, call_.v.position, 1, count,
                        std::min<int64_t>(tiles_.panel_width, channels - d), space_.values + d * cut_.tile_keys);
  }

  void score(const Group& group, const KeyRange& keys) const {
    const int64_t count = keys.end - keys.first, size = call_.sizes.head_size;
    if (cut_.few) {
      functions_.few_scores({.count = group.rows,
                             .rows = q_of(group.row),
                             .row = group.q_row,
                             .kv = call_.k.at(b_, kv_, keys.first),
                             .kv_row = call_.k.position,
                             .keys = count,
                             .size = size,
                             .scores = space_.scores,
                             .score_row = space_.score_row});
      return;
    }
    for (int64_t p = 0; p == 0 || p < size; p += kDepth) {
      if (size > kDepth) copy_keys(keys, p);
      TileArgs t{.rows = group.rows, .k = std::min(kDepth, size - p), .a = q_of(group.row) + p, .a_row = group.q_row};
      t.b = space_.keys;
      t.panel_stride = t.k * tiles_.panel_width;
      t.c_row = space_.score_row;
      multiply_panels(t, count, space_.scores, p == 0);
    }
  }

  void add_values(const Group& group, const KeyRange& keys, bool first) const {
    const int64_t count = keys.end - keys.first, size = call_.sizes.value_size;
    if (cut_.few) {
      functions_.few_values({.count = group.rows,
                             .rows = y_of(group.row),
                             .row = group.y_row,
                             .kv = call_.v.at(b_, kv_, keys.first),
                             .kv_row = call_.v.position,
                             .keys = count,
                             .size = size,
                             .scores = space_.scores,
                             .score_row = space_.score_row});
      return;
    }
    for (int64_t p = 0; p < size; p += kDepth) {
      if (size > kDepth) copy_values(keys, p);
      TileArgs t{.rows = group.rows, .k = count, .a = space_.scores, .a_row = space_.score_row};
      t.b = space_.values;
      t.panel_stride = cut_.tile_keys * tiles_.panel_width;
      t.c_row = group.y_row;
      multiply_panels(t, std::min(kDepth, size - p), y_of(group.row) + p, first);
    }
  }

  void multiply_panels(TileArgs& t, int64_t columns, float* c, bool first) const {
    const int64_t width = tiles_.panel_width;
    const auto* panel = static_cast<const float*>(t.b);
    t.b_row = width;
    t.from_row = t.c_row;
    for (int64_t j = 0; j < columns; j += width, panel += t.panel_stride) {
      t.b = panel;
      t.c = c + j;
      t.from = first ? nullptr : t.c;
      t.columns = std::min(width, columns - j);
      tiles_.multiply(t);
    }
  }

  // The keys that a group's row sees of these.
  KeyRange seen_of(int64_t i, const KeyRange& keys) const {
    const KeyRange& seen = ranges_[static_cast<size_t>(i)];
    const int64_t begin = std::clamp(seen.first, keys.first, keys.end);
    return {begin, std::clamp(seen.end, begin, keys.end)};
  }
  ScoreRow scores_of(int64_t i, const KeyRange& keys, const KeyRange& seen) const {
    return {.scores = space_.scores + i * space_.score_row + seen.first - keys.first,
            .count = static_cast<size_t>(seen.end - seen.first),
            .scale = call_.settle != nullptr ? 1 : call_.scale,
            .softcap = call_.softcap,
            .bias = nullptr,
            .hides = call_.hides};
  }

  // The group's weights; those of earlier keys fade where a larger score has come. First all rows' highest scores, so
  // that no row waits for its own.
  void soften(const Group& group, const KeyRange& keys, bool first) {
    std::array<float, kGroupRows> highest;
    for (int64_t i = 0; i < group.rows; ++i) {
      const KeyRange seen = seen_of(i, keys);
      ScoreRow scores = scores_of(i, keys, seen);
      std::fill(scores.scores - (seen.first - keys.first), scores.scores, 0.0f);
      std::fill(scores.scores + scores.count, scores.scores + (keys.end - seen.first), 0.0f);
      if (scores.count == 0) continue;
      const int64_t row = group.row + i;
      if (call_.bias != nullptr) scores.bias = (*call_.bias)(b_, head_of(row), query_of(row), seen, space_.bias);
      if (call_.settle != nullptr) (*call_.settle)(b_, head_of(row), query_of(row), seen, scores.scores);
      highest[static_cast<size_t>(i)] = functions_.highest(scores);
    }
    for (int64_t i = 0; i < group.rows; ++i) {
      const KeyRange seen = seen_of(i, keys);
      if (seen.first == seen.end) continue;
      ScoreRow scores = scores_of(i, keys, seen);
      if (call_.bias != nullptr || !scores.only_scaled()) scores.scale = 1;
      const auto row = static_cast<size_t>(group.row + i);
      const float fading = functions_.soften(scores, highest[static_cast<size_t>(i)], states_[row]);
      if (!first) fade(group.row + i, fading);
    }
  }

  // The same for even rows.
  void soften_evenly(const Group& group, const KeyRange& keys, bool first) {
    std::array<float, kGroupRows> fading;
    functions_.soften_rows({.scores = space_.scores,
                            .rows = group.rows,
                            .row = space_.score_row,
                            .count = static_cast<size_t>(keys.end - keys.first),
                            .scale = call_.scale,
                            .states = states_.data() + group.row,
                            .fading = fading.data()});
    for (int64_t i = 0; i < group.rows && !first; ++i) fade(group.row + i, fading[static_cast<size_t>(i)]);
  }
  void fade(int64_t row, float fading) const {
    if (fading != 1) functions_.scale(y_of(row), static_cast<size_t>(call_.sizes.value_size), fading);
  }

  void finish(int64_t row) {
    const SoftmaxState& state = states_[static_cast<size_t>(row)];
    if (call_.zero_rows && (state.top == -HUGE_VALF || std::isnan(state.sum))) return add_nothing(row);
    float factor = 1 / state.sum;
    if (state.top == -HUGE_VALF) {  // no key was seen, or none had a score above -infinity
      const KeyRange seen = range_of(query_of(row));
      factor = call_.hides || seen.first >= seen.end ? 1 : std::nanf("");
    }
    functions_.scale(y_of(row), static_cast<size_t>(call_.sizes.value_size), factor);
  }

  // The sum of 0 * v.
  void add_nothing(int64_t row) const {
    float* y = y_of(row);
    std::fill_n(y, call_.sizes.value_size, 0.0f);
    for (int64_t j = 0; j < call_.sizes.keys; ++j)
      for (int64_t d = 0; d < call_.sizes.value_size; ++d) y[d] += 0 * call_.v.at(b_, kv_, j)[d];
  }

  const AttendF32& call_;
  const Cut& cut_;
  const Workspace& space_;
  const GemmTiles& tiles_ = gemm_tiles();
  const AttendRows& functions_ = attend_rows();
  // All rows see all keys, whose scores are only scaled.
  const bool even_ = call_.range == nullptr && call_.settle == nullptr && call_.bias == nullptr && call_.softcap <= 0 &&
                     call_.scale > 0;
  int64_t b_ = 0, kv_ = 0, head_ = 0, heads_ = 0, first_ = 0, queries_ = 0;
  std::array<SoftmaxState, kBlockRows> states_;
  std::array<KeyRange, kGroupRows> ranges_;  // of a group
};

constexpr int64_t kScoreFloats = std::max(kGroupRows * (kTileKeys + kScoreGap), kFewRows*(kFewTileKeys + kScoreGap));
constexpr int64_t kCopyFloats = std::max(kPanelFloats, kDepth* int64_t{kMaxPanelWidth});
constexpr int64_t kBlockFloats = kScoreFloats + 2 * kCopyFloats + kFewTileKeys;

}  // namespace

HeadRows head_rows(const HeadView& view) {
  // References and kernels only read the tensors of inputs through this.
  auto* data = const_cast<float*>(view.tensor->data<float>());
  return {.data = data + view.offset, .batch = view.batch, .head = view.head, .position = view.position};
}

int64_t attend_slot_bytes() { return kBlockFloats * static_cast<int64_t>(sizeof(float)); }

Status attend_f32(KernelContext& ctx, const AttendF32& a, const ScratchParts& scratch) {
  const AttentionSizes& sizes = a.sizes;
  if (sizes.batch == 0 || sizes.heads == 0 || sizes.queries == 0) return {};
  const Cut cut(sizes);
  ScratchSlots slots = scratch.slots(static_cast<size_t>(attend_slot_bytes()));
  const int64_t work =
      cut.queries * cut.heads * std::max<int64_t>(sizes.keys, 1) * (sizes.head_size + sizes.value_size + 16);
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / work);
  const int64_t blocks = sizes.batch * sizes.kv_heads * cut.head_blocks * cut.query_blocks;
  return parallel_ranges(ctx, blocks, grain, [&](int64_t begin, int64_t end) {
    const StopScope stops(ctx.environment().cancel);
    const ScratchSlots::Lease lease(slots);
    auto* memory = reinterpret_cast<float*>(lease.memory());
    const Workspace space{.scores = memory,
                          .keys = memory + kScoreFloats,
                          .values = memory + kScoreFloats + kCopyFloats,
                          .bias = memory + kScoreFloats + 2 * kCopyFloats,
                          .score_row = cut.tile_keys + kScoreGap};
    for (int64_t i = begin; i < end; ++i) Block(a, cut, space, i).run();
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
