// A broadcast of N operands cut into rows: within a row each operand is contiguous or one value.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
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

  // The operand steps through all rows as the result does.
  bool is_whole(size_t operand) const {
    if (steps_[operand] == 0) return false;
    int64_t stride = row_size_;
    for (size_t level = outer_.size(); level-- > 0; stride *= outer_[level].size)
      if (outer_[level].strides[operand] != stride) return false;
    return true;
  }

  // Writes `count` rows of an operand, from `row` on, one after another with what they repeat. For short rows. There
  // must be room for kSlack elements more.
  static constexpr int64_t kSlack = 3;
  template <typename T>
  void expand(size_t operand, const T* data, int64_t row, int64_t count, T* to) const {
    const Level one{1, {}};
    const Level& inner = outer_.empty() ? one : outer_.back();
    while (count > 0) {
      const int64_t run = std::min(count, inner.size - row % inner.size);
      const T* from = data + offsets(row)[operand];
      const int64_t stride = inner.strides[operand];
      if (steps_[operand] == 0) {
        repeat_each(from, stride, run, to);
      } else if (stride == row_size_) {
        std::copy_n(from, run * row_size_, to);
      } else {
        copy_each(from, stride, run, to);
      }
      to += run * row_size_;
      row += run;
      count -= run;
    }
  }

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
  // A short row is stored with what follows it, which the next row overwrites: whole vectors, without a loop.
  template <typename T>
  void repeat_each(const T* from, int64_t stride, int64_t rows, T* to) const {
    constexpr int64_t kPart = 16 / static_cast<int64_t>(sizeof(T));  // elements stored at once
    if (row_size_ > kSlack + 1 && row_size_ >= kPart) {
      for (int64_t r = 0; r < rows; ++r) {
        T part[kPart];
        std::fill_n(part, kPart, from[r * stride]);
        T* const row = to + r * row_size_;
        for (int64_t i = 0; i + kPart <= row_size_; i += kPart) std::memcpy(row + i, part, sizeof part);
        std::memcpy(row + row_size_ - kPart, part, sizeof part);
      }
      return;
    }
    if (row_size_ > kSlack + 1) {
      for (int64_t r = 0; r < rows; ++r) std::fill_n(to + r * row_size_, row_size_, from[r * stride]);
      return;
    }
    for (int64_t r = 0; r < rows; ++r) {
      const T row[kSlack + 1] = {from[r * stride], from[r * stride], from[r * stride], from[r * stride]};
      std::copy_n(row, kSlack + 1, to + r * row_size_);
    }
  }
  template <typename T>
  void copy_each(const T* from, int64_t stride, int64_t rows, T* to) const {
    if (row_size_ > kSlack + 1 || stride != 0) {
      for (int64_t r = 0; r < rows; ++r) std::copy_n(from + r * stride, row_size_, to + r * row_size_);
      return;
    }
    T row[kSlack + 1] = {};
    std::copy_n(from, row_size_, row);
    for (int64_t r = 0; r < rows; ++r) std::copy_n(row, kSlack + 1, to + r * row_size_);
  }

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
