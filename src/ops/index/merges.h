// Updates merged into elements, for the kernels of scattering operators.
#pragma once

#include "ops/index/reduction.h"

namespace sdx::ops {

struct Merges {
  // y[places[i]] = reduced(y[places[i]], updates[i]), in order.
  void (*places)(void* y, const void* updates, const int64_t* places, int64_t count) = nullptr;
  // y[i] = reduced(y[i], updates[i]).
  void (*row)(void* y, const void* updates, int64_t count) = nullptr;
  int64_t width = 0;  // of an element, in bytes
};

// Replacing: elements of whole bytes. Else float32, float64, int32 and int64.
Verdict takes_merges(const NodeFacts& facts);
Result<Merges> merges_of(const KernelContext& ctx);

}  // namespace sdx::ops
