// An Einsum at run time: its letters as loops over the operands' memory.
#pragma once

#include "kernel/kernel.h"
#include "ops/math/einsum_equation.h"

namespace sdx::ops {

// A letter as a loop: its size and, for each operand, the step in elements.
struct EinsumLoop {
  int64_t size = 1;
  std::vector<int64_t> steps;
};

// Output letters in order, and those that are summed over.
struct EinsumLoops {
  std::vector<EinsumLoop> output, summed;
};

Result<EinsumLoops> einsum_loops(KernelContext& ctx);
Status reference_einsum(KernelContext& ctx);

// Steps through loops in row-major order, keeping each operand's offset.
class EinsumOdometer {
 public:
  EinsumOdometer(const std::vector<EinsumLoop>& loops, size_t operands)
      : loops_(loops), position_(loops.size()), offsets_(operands) {}
  const std::vector<int64_t>& offsets() const { return offsets_; }
  void next();

 private:
  const std::vector<EinsumLoop>& loops_;
  std::vector<int64_t> position_, offsets_;
};

}  // namespace sdx::ops
