// A broadcast of N operands cut into rows: within a row each operand is contiguous or one value.
#pragma once

#include <array>
#include <span>

#include "base/shape.h"

namespace sdx::ops {

template <size_t N>
class BroadcastRowsOf {
 public:
  using Dims = std::span<const int64_t>;

  template <typename... Shapes>
  requires(sizeof...(Shapes) == N) explicit BroadcastRowsOf(Dims out, const Shapes&... operands) {
    const std::array<Dims, N> shapes{Dims(operands)...};
    std::array<Shape, N> strides;
    for (size_t i = 0; i < N; ++i) strides[i] = row_major_strides(shapes[i]);
    // Neighbouring dimensions are one level where all operands step through them evenly.
    for (size_t axis = 0; axis < out.size(); ++axis) {
      if (out[axis] == 1) continue;
      Level level{out[axis], {}};
      bool joins = !outer_.empty();
      for (size_t i = 0; i < N; ++i) {
        const size_t offset = out.size() - shapes[i].size();
        const bool repeats = axis < offset || shapes[i][axis - offset] == 1;
        level.strides[i] = repeats ? 0 : strides[i][axis - offset];
        joins = joins && outer_.back().strides[i] == level.strides[i] * level.size;
      }
      if (joins) {
        level.size *= outer_.back().size;
        outer_.back() = level;
      } else {
        outer_.push_back(level);
      }
    }
    for (size_t i = 0; i < N; ++i) steps_[i] = 1;
    if (!outer_.empty()) {
      const Level inner = outer_.back();
      outer_.pop_back();
      row_size_ = inner.size;
      for (size_t i = 0; i < N; ++i) steps_[i] = inner.strides[i] == 0 ? 0 : 1;
    }
    for (const Level& level : outer_) rows_ *= level.size;
  }

  int64_t rows() const { return rows_; }
  int64_t row_size() const { return row_size_; }
  int step(size_t operand) const { return steps_[operand]; }  // 0: one value for the whole row

  // Neighbouring rows that lie one behind the other in each operand, or are the same row of it: how many; 1 where
  // some operand steps otherwise.
  int64_t even_rows() const {
    if (outer_.empty()) return 1;
    for (size_t i = 0; i < N; ++i)
      if (outer_.back().strides[i] != 0 && (steps_[i] == 0 || outer_.back().strides[i] != row_size_)) return 1;
    return outer_.back().size;
  }
  bool repeats(size_t operand) const { return !outer_.empty() && outer_.back().strides[operand] == 0; }

  // Offsets of the operands where a row begins.
  std::array<int64_t, N> offsets(int64_t row) const {
    std::array<int64_t, N> at{};
    for (size_t level = outer_.size(); level-- > 0;) {
      const int64_t position = row % outer_[level].size;
      row /= outer_[level].size;
      for (size_t i = 0; i < N; ++i) at[i] += position * outer_[level].strides[i];
    }
    return at;
  }

 private:
  struct Level {
    int64_t size = 0;
    std::array<int64_t, N> strides{};
  };
  SmallVector<Level, 6> outer_;  // outermost first
  int64_t rows_ = 1, row_size_ = 1;
  std::array<int, N> steps_;
};

using BroadcastRows = BroadcastRowsOf<2>;

}  // namespace sdx::ops
