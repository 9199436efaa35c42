// A kernel of a custom operator, for one node.
#pragma once

#include "abi/kernel.h"
#include "providers/provider.h"

namespace sdx::providers {

// `graph` has the node alone. Fails where the operator makes no kernel.
Result<std::shared_ptr<const Executable>> make_custom_kernel(const OrtCustomOp& op, const Graph& graph,
                                                             const OrtApi& api, const OrtLogger* logger);

}  // namespace sdx::providers
