// The inner loops of attention over float32 rows, one table of functions per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

// Scores of one query with some keys.
struct ScoreRow {
  float* scores;
  size_t count;
  float scale, softcap;
  const float* bias;  // null: none
  bool hides;         // a bias of -infinity hides a key whatever its score

  bool only_scaled() const { return bias == nullptr && softcap <= 0 && scale > 0; }
};

// A softmax over keys that come piece by piece: weights so far are exp(score - top), and `sum` of them. Where nothing
// is seen yet, top is -infinity and sum 0, or NaN.
struct SoftmaxState {
  float top, sum;
};

// Scores of some queries that see the same keys, `row` apart; they are only scaled, by a positive number.
struct ScoreRows {
  float* scores;
  int64_t rows, row;
  size_t count;
  float scale;
  SoftmaxState* states;  // one a row
  float* fading;         // what soften() returns, one a row
};

// Some queries, or their outputs, `row` apart, against keys or values `kv_row` apart.
struct FewRows {
  int64_t count;
  float* rows;
  int64_t row;
  const float* kv;
  int64_t kv_row, keys, size;
  float* scores;
  int64_t score_row;
};

struct AttendRows {
  // Returns the highest score. Unless they are only scaled, the scores that are meant lie in the row then.
  float (*highest)(const ScoreRow&);
  // Scores, which are only scaled, become weights. Returns what earlier weights, and all sums with them, are to be
  // multiplied by.
  float (*soften)(const ScoreRow&, float highest, SoftmaxState&);
  void (*soften_rows)(const ScoreRows&);  // both for each row
  void (*scale)(float* y, size_t count, float factor);
  void (*few_scores)(const FewRows&);  // scores = rows kv^T
  void (*few_values)(const FewRows&);  // rows += scores kv
};
const AttendRows& attend_rows();  // of the best level in force

}  // namespace sdx::ops
