// How much arithmetic a node does, for rates in profiles.
#pragma once

#include <optional>

#include "graph/graph.h"
#include "runtime/trace_event.h"

namespace sdx::runtime {

// Multiplications and additions of matrix products, convolutions and recurrent networks; nothing for other operators,
// whose time is that of moving bytes.
std::optional<int64_t> count_operations(const Node& node, const TensorList& inputs, const TensorList& outputs);

}  // namespace sdx::runtime
