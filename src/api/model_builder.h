// From the model editor's descriptions to a model that sessions load.
#pragma once

#include "abi/model_builder.h"
#include "onnx/model_file.h"

namespace sdx::api {

// Adds nodes, initializers and opsets to a model; inputs and outputs, where the description sets them, replace its own.
Status add_to_model(const OrtModel& description, onnx::Model& model);
Result<std::shared_ptr<onnx::Model>> build_model(const OrtModel& description);

}  // namespace sdx::api
