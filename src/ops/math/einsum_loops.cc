#include "ops/math/einsum_loops.h"

#include <map>

namespace sdx::ops {

Result<EinsumLoops> einsum_loops(KernelContext& ctx) {
  const size_t operands = ctx.input_count();
  std::vector<int> ranks;
  for (size_t i = 0; i < operands; ++i) ranks.push_back(ctx.input(i).rank());
  SDX_ASSIGN(const EinsumEquation equation, EinsumEquation::parse(ctx.attr_string("equation", ""), ranks));
  std::map<EinsumLabel, EinsumLoop> by_label;
  for (size_t i = 0; i < operands; ++i) {
    const Shape& shape = ctx.input(i).shape();
    const Shape strides = row_major_strides(shape);
    for (size_t d = 0; d < shape.size(); ++d) {
      EinsumLoop& loop = by_label[equation.operands[i][d]];
      loop.steps.resize(operands);
      if (shape[d] == 1) continue;
      loop.size = shape[d];
      loop.steps[i] += strides[d];
    }
  }
  EinsumLoops loops;
  for (const EinsumLabel label : equation.output) {
    loops.output.push_back(by_label.at(label));
    by_label.erase(label);
  }
  for (auto& [label, loop] : by_label) loops.summed.push_back(std::move(loop));
  return loops;
}

void EinsumOdometer::next() {
  for (size_t l = loops_.size(); l-- > 0;) {
    const EinsumLoop& loop = loops_[l];
    const bool wraps = ++position_[l] == loop.size;
    for (size_t i = 0; i < offsets_.size(); ++i)
      offsets_[i] += wraps ? -loop.steps[i] * (loop.size - 1) : loop.steps[i];
    if (!wraps) return;
    position_[l] = 0;
  }
}

}  // namespace sdx::ops
