// Where the lanes of BlockedGather's output come from.
#pragma once

#include <span>
#include <vector>

#include "ops/layout/blocked.h"

namespace sdx::ops {

// Lanes [lane, lane + count) of a block of y from lanes [from, from + count) of a block of an input.
struct GatherRun {
  size_t input = 0;
  int64_t block = 0, from = 0, lane = 0, count = 0;
};
// The runs of each block of y in turn, and where those of each block begin (one more at the end).
struct GatherRuns : KernelState {
  std::vector<GatherRun> runs;
  std::vector<size_t> begins;
  GatherRuns(std::span<const int64_t> channels, std::span<const int64_t> order);
};

}  // namespace sdx::ops
