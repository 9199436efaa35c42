// What a step's kernel keeps of its constants, made on first use, once for all sessions that have the same weights.
#pragma once

#include "plan/program.h"

namespace sdx::plan {

// `pointers` point into `facts`, which may be changed.
Status prepare_once(const Candidate& candidate, const Node& node, std::span<Fact> facts,
                    std::span<const Fact* const> pointers, WeightSource* weights);

// The constant's value as a kernel wants it: aligned to its element, in memory that the source approves of.
Result<const Value*> kernel_value(const Constant& constant, WeightSource* weights);

}  // namespace sdx::plan
