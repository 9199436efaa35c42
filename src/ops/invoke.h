// Runs one node once: numbers through the shape rule, outputs allocated, the kernel or the reference called.
// The executor, the constant folder and the tests all go through here.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct Implementation {
  const Contract* contract = nullptr;
  const Kernel* kernel = nullptr;      // null: the reference
  const KernelState* state = nullptr;  // what the kernel prepared
};

// Types and shapes of the outputs for these inputs.
Result<std::vector<OutputSpec>> output_specs(const Contract& contract, const Node& node,
                                             std::span<const Value* const> inputs);

// `outputs` holds one Value for each of the node's outputs; those asked for are defined afterwards. One that is defined
// before, of the right type and shape, is written into: it may be the memory of input Contract::in_place.
Status invoke(const Implementation& implementation, const Node& node, std::span<const Value* const> inputs,
              std::span<const OutputSpec> specs, std::span<Value> outputs, const RunEnvironment& environment,
              SubgraphRunner* subgraphs = nullptr);

}  // namespace sdx::ops
