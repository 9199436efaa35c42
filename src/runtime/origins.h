// What the model's own nodes are, by the names that origins have.
#pragma once

#include <map>
#include <string>

#include "onnx/proto.h"

namespace sdx::runtime {

// The operator of each node, subgraphs included, by its name, or by that of its first output where it has none.
std::map<std::string, std::string> operators_by_origin(const onnx::GraphProto& graph);

}  // namespace sdx::runtime
