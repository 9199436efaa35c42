// OrtLoraAdapter: tensors by the names of a model's inputs, out of onnxruntime's adapter file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abi/value.h"

struct OrtLoraAdapter {
  struct Parameter {
    std::string name;
    OrtValue value;
  };
  std::vector<Parameter> parameters;
};

namespace sdx::abi {

// A FlatBuffer with the identifier TORT:
// Adapter{format_version:int, adapter_version:int, model_version:int, parameters:[Parameter]},
// Parameter{name:string, dims:[long], data_type:int, raw_data:[ubyte]}. Every offset is checked before it is followed;
// what it holds is copied.
Result<std::unique_ptr<OrtLoraAdapter>> read_adapter(std::span<const std::byte> bytes);

}  // namespace sdx::abi
