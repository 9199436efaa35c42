// Runs a compiled group node by node with the engine's references.
#pragma once

#include "providers/testing/locked_memory.h"

namespace sdx::providers {

// `memory` (null: the CPU's) holds the group's weights and all that it makes. What no contract knows is Twice of the
// domain "test": 2 x of floats.
Result<std::shared_ptr<const Executable>> interpret_group(const Graph& graph, const LockedMemory* memory);

// Fails where an operand is not in the memory that it should be in.
Status check_operands(KernelContext& ctx, const LockedMemory* memory, HostOperands host);
const Tensor* tensor_of_output(KernelContext& ctx, size_t i);  // null: it is not there yet
// Puts a tensor that was made elsewhere into the memory.
Result<Value> moved_into(Value value, const LockedMemory* memory, const RunEnvironment& environment);

}  // namespace sdx::providers
