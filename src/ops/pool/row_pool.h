// Pools over any number of spatial axes: lines of outputs along the innermost one, several at a time.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/pool/pooling.h"
#include "ops/pool/row_steps.h"

namespace sdx::ops {

// Which input rows each line of outputs reaches, and how planes are cut into blocks: some whole planes, or some lines
// of one, or a part of a line.
class PoolLines {
 public:
  static constexpr int64_t kLargest = 65536;  // elements that a window spans along an axis, its stride, its dilation

  explicit PoolLines(const PoolSizes& sizes, size_t element_bytes);

  const Windows& windows() const { return w_; }
  int64_t planes() const { return planes_; }
  int64_t lines() const { return lines_; }  // of a plane
  int64_t width() const { return w_.in.back(); }
  int64_t out_width() const { return w_.out.back(); }
  int64_t in_count() const { return count_of(w_.in); }
  Shape position(int64_t line) const;  // along the outer axes

  struct Block {
    int64_t plane, planes, line, lines, column, columns;
  };
  int64_t blocks() const { return line_blocks_ * tiles_ * ((planes_ + block_.planes - 1) / block_.planes); }
  Block block(int64_t index) const;
  int64_t planes_at_once() const { return block_.planes; }
  int64_t block_work() const;  // elements that are put together
  // Places for columns of a line, some of which padding takes; windows begin at every stride-th of them.
  int64_t pitch() const { return steps_ * w_.strides.back(); }
  int64_t steps() const { return steps_; }  // results of a line and what is between it and the next one

  // The input rows behind lines: offsets, and where those of each line begin.
  struct Reached {
    std::vector<int64_t> offsets, starts;
  };
  void reach(int64_t line, int64_t lines, Reached& reached) const;

 private:
  int64_t planes_, lines_ = 1, steps_ = 1, tiles_ = 1, line_blocks_ = 1;
  Block block_ = {};  // the largest
  Windows w_, outer_;
};

// Where rows come from and results go: tensors of T, or functions.
template <typename T>
struct RowEnds {
  const T* x = nullptr;
  T* y = nullptr;
  const FunctionRef<void(int64_t from, size_t count, T* to)>* load = nullptr;
  const FunctionRef<void(int64_t at, size_t count, T* results)>* store = nullptr;
  const FunctionRef<const T*(int64_t line)>* factors = nullptr;  // of the results of a line
};

Verdict can_run_row_pool(const NodeFacts& facts);
template <typename T>
Dim row_pool_scratch(const ScratchFacts& facts);
template <typename T>
Status run_row_pool(KernelContext& ctx, const PoolLines& lines, const RowSteps<T>& steps, const RowEnds<T>& ends);

}  // namespace sdx::ops
