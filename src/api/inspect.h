// A model as JSON, as sardonyx.h describes it.
#pragma once

#include "runtime/session.h"

namespace sdx::api {

std::string inspect_model(const onnx::Model& model, const Graph& graph, const std::map<std::string, int64_t>& opsets,
                          const std::vector<std::string>& warnings);

}  // namespace sdx::api
