// What the sequence operators share: checked access to sequences and positions.
#pragma once

#include "ops/control/subgraph_facts.h"

namespace sdx::ops {

Result<const Sequence*> sequence_input(const KernelContext& ctx, size_t i);

// The position input i holds, negative ones counted from the end, in [0, count) or, where `end_too`, in [0, count].
enum class PositionRange : uint8_t { elements, elements_and_end };
Result<size_t> position_input(const KernelContext& ctx, size_t i, size_t count, PositionRange range);

// Shape rule: input i is a sequence (or not known yet).
Status check_sequence(const InferContext& ctx, size_t i);
Status check_position(const InferContext& ctx, size_t i);
// The fact of input i's elements, as they are (see element_of for one taken out).
Fact elements_fact(const InferContext& ctx, size_t i);

}  // namespace sdx::ops
