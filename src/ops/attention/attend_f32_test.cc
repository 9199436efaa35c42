#include "ops/attention/attend_f32.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/thread_pool.h"

namespace sdx::ops {
namespace {

// Sizes around those of tiles and blocks, whatever the batch.
struct Problem {
  AttentionSizes sizes;
  float softcap = 0;
  int64_t window = 0;  // keys that a query sees, up to its own; 0: all
  bool biased = false, sinks = false, hides = true;
  float magnitude = 1;  // of q and k
  float scale = 0.3f;
};

class Attend {
 public:
  explicit Attend(const Problem& problem) : p_(problem) {
    const AttentionSizes& s = p_.sizes;
    q_ = numbers(s.batch * s.heads * s.queries * s.head_size);
    k_ = numbers(s.batch * s.kv_heads * s.keys * s.head_size);
    for (auto* values : {&q_, &k_})
      for (float& x : *values) x *= p_.magnitude;
    v_ = numbers(s.batch * s.kv_heads * s.keys * s.value_size);
    bias_ = numbers(s.batch * s.heads * s.queries * s.keys);
    sinks_ = numbers(s.heads);
    y_.assign(static_cast<size_t>(s.batch * s.heads * s.queries * s.value_size), 7.0f);
    for (float& x : bias_)
      if (random_() % 5 == 0) x = -HUGE_VALF;
  }

  Status run(ThreadPool* pool) {
    const AttentionSizes& s = p_.sizes;
    AttendF32 call{.sizes = s, .q = rows(q_, s.heads, s.queries, s.head_size)};
    call.k = rows(k_, s.kv_heads, s.keys, s.head_size);
    call.v = rows(v_, s.kv_heads, s.keys, s.value_size);
    call.y = rows(y_, s.heads, s.queries, s.value_size);
    call.scale = p_.scale;
    call.softcap = p_.softcap;
    call.hides = p_.hides;
    if (p_.sinks) call.sinks = sinks_.data();
    const auto range_of = [&](int64_t, int64_t i) { return range(i); };
    const FunctionRef<KeyRange(int64_t, int64_t)> range = range_of;
    if (p_.window > 0) call.range = &range;
    const auto bias_of = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer) -> const float* {
      const float* row = bias_.data() + ((b * s.heads + h) * s.queries + i) * s.keys + keys.first;
      if (i % 2 == 0) return row;
      std::copy_n(row, keys.end - keys.first, buffer);
      return buffer;
    };
    const FunctionRef<const float*(int64_t, int64_t, int64_t, KeyRange, float*)> bias = bias_of;
    if (p_.biased) call.bias = &bias;
    std::vector<std::byte> memory(static_cast<size_t>(3 * attend_slot_bytes()) + kTensorAlignment);
    void* start = memory.data();
    size_t room = memory.size();
    std::align(kTensorAlignment, memory.size() - kTensorAlignment, start, room);
    const Node node;
    RunEnvironment environment;
    environment.pool = pool;
    KernelContext ctx(node, {}, {}, {}, environment);
    return attend_f32(ctx, call, ScratchParts({static_cast<std::byte*>(start), memory.size() - kTensorAlignment}));
  }

  // softmax(softcap * tanh(scale * q k' / softcap) + bias) v in double; a sink takes part in the sum alone.
  void check() const {
    const AttentionSizes& s = p_.sizes;
    for (int64_t row = 0; row < s.batch * s.heads * s.queries; ++row) {
      const int64_t i = row % s.queries, h = row / s.queries % s.heads, b = row / s.queries / s.heads;
      const int64_t kv = b * s.kv_heads + h / (s.heads / s.kv_heads);
      const KeyRange seen = range(i);
      std::vector<double> weights(static_cast<size_t>(s.keys));
      double top = p_.sinks ? static_cast<double>(sinks_[static_cast<size_t>(h)]) : -HUGE_VAL;
      for (int64_t j = seen.first; j < seen.end; ++j) {
        double score = 0;
        for (int64_t d = 0; d < s.head_size; ++d)
          score += at(q_, row * s.head_size + d) * at(k_, (kv * s.keys + j) * s.head_size + d);
        score *= static_cast<double>(p_.scale);
        const auto cap = static_cast<double>(p_.softcap);
        if (cap > 0) score = cap * std::tanh(score / cap);
        if (p_.biased) score += at(bias_, row * s.keys + j);
        weights[static_cast<size_t>(j)] = score;
        top = std::max(top, score);
      }
      double sum = p_.sinks ? std::exp(static_cast<double>(sinks_[static_cast<size_t>(h)]) - top) : 0;
      for (int64_t j = seen.first; j < seen.end; ++j)
        sum += weights[static_cast<size_t>(j)] = std::exp(weights[static_cast<size_t>(j)] - top);
      for (int64_t d = 0; d < s.value_size; ++d) {
        double wanted = 0;
        for (int64_t j = seen.first; j < seen.end; ++j)
          wanted += weights[static_cast<size_t>(j)] / sum * at(v_, (kv * s.keys + j) * s.value_size + d);
        if (top == -HUGE_VAL && (p_.hides || seen.first >= seen.end)) wanted = 0;
        const double found = at(y_, row * s.value_size + d);
        if (std::isnan(wanted)) {
          ASSERT_TRUE(std::isnan(found)) << "row " << row << " channel " << d << " found " << found;
        } else {
          ASSERT_NEAR(found, wanted, 2e-5) << "row " << row << " channel " << d;
        }
      }
    }
  }
  const std::vector<float>& y() const { return y_; }

 private:
  static double at(const std::vector<float>& list, int64_t i) {
    return static_cast<double>(list[static_cast<size_t>(i)]);
  }
  KeyRange range(int64_t i) const {
    if (p_.window == 0) return {0, p_.sizes.keys};
    const int64_t end = std::clamp<int64_t>(p_.sizes.keys - p_.sizes.queries + i + 1, 0, p_.sizes.keys);
    return {std::max<int64_t>(0, end - p_.window), end};
  }
  static HeadRows rows(std::vector<float>& data, int64_t heads, int64_t positions, int64_t size) {
    return {data.data(), heads * positions * size, positions * size, size};
  }
  std::vector<float> numbers(int64_t count) {
    std::vector<float> made(static_cast<size_t>(count));
    for (float& x : made) x = static_cast<float>(random_() % 2000) * 1e-3f - 1;
    return made;
  }

  const Problem p_;
  std::mt19937 random_{static_cast<uint32_t>(p_.sizes.keys * 31 + p_.sizes.queries)};
  std::vector<float> q_, k_, v_, bias_, sinks_, y_;
};

AttentionSizes sizes(int64_t heads, int64_t kv_heads, int64_t queries, int64_t keys, int64_t head, int64_t value) {
  return {.batch = 2,
          .heads = heads,
          .kv_heads = kv_heads,
          .queries = queries,
          .keys = keys,
          .head_size = head,
          .value_size = value};
}

void check(const Problem& problem) {
  Attend alone(problem), together(problem);
  ASSERT_TRUE(alone.run(nullptr).ok());
  alone.check();
  const auto pool = ThreadPool::shared(3);
  ASSERT_TRUE(together.run(pool.get()).ok());
  for (size_t i = 0; i < alone.y().size(); ++i) {
    const float a = alone.y()[i], b = together.y()[i];
    ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << "three threads, element " << i;
  }
}

TEST(AttendF32, SizesAroundTilesAndBlocks) {
  const AttentionSizes all[] = {
      sizes(1, 1, 1, 1, 1, 1),       sizes(2, 2, 1, 300, 64, 64),    sizes(8, 2, 1, 513, 64, 33),
      sizes(4, 4, 8, 257, 80, 64),   sizes(3, 3, 9, 256, 64, 64),    sizes(6, 2, 9, 255, 16, 100),
      sizes(2, 1, 193, 300, 32, 32), sizes(1, 1, 385, 31, 8, 8),     sizes(40, 1, 1, 70, 16, 16),
      sizes(200, 1, 3, 40, 8, 8),    sizes(1, 1, 20, 70, 600, 530),  sizes(2, 2, 5, 0, 4, 4),
      sizes(2, 2, 30, 0, 4, 4),      sizes(1, 1, 12, 40, 0, 5),      sizes(8, 1, 1, 2051, 24, 40),
      sizes(3, 3, 2, 1025, 64, 72),  sizes(14, 2, 1, 1100, 80, 129), sizes(1, 1, 1600, 300, 8, 8)};
  for (const AttentionSizes& one : all) {
    SCOPED_TRACE(::testing::Message() << one.heads << "/" << one.kv_heads << " heads, " << one.queries << " queries, "
                                      << one.keys << " keys");
    check({.sizes = one});
    check({.sizes = one, .biased = true});
    check({.sizes = one, .window = 20, .biased = true, .sinks = true});
    check({.sizes = one, .softcap = 0.7f, .window = 290, .hides = false});
    if (one.keys > 1024) check({.sizes = one, .window = 1030, .biased = true});
  }
}

TEST(AttendF32, LargeScores) {
  for (const float magnitude : {20.0f, 1e6f, 1e15f, 1.8e19f}) {
    for (const int64_t queries : {1, 30}) {
      SCOPED_TRACE(::testing::Message() << magnitude << ", " << queries << " queries");
      check({.sizes = sizes(2, 2, queries, 300, 1, 8), .magnitude = magnitude, .scale = 1});
    }
  }
}

TEST(AttendF32, WhatNobodySees) {
  for (const int64_t queries : {2, 40}) {
    for (const bool hides : {true, false}) {
      Problem problem{.sizes = sizes(2, 2, queries, 20, 8, 8), .window = 1, .biased = true, .hides = hides};
      check(problem);  // one key in five is hidden, so that some queries see none
    }
  }
}

}  // namespace
}  // namespace sdx::ops
