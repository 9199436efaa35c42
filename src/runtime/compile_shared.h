// Sessions of one file share what was compiled of it: a second one adds nothing but what its own runs need.
#pragma once

#include "runtime/compiled.h"

namespace sdx::runtime {

// As Compiled::create. Of a model that sessions share (onnx::open_model_shared): the one that a session has already, if
// the options are the same. Others who ask for the same meanwhile wait.
Result<std::shared_ptr<const Compiled>> compile_shared(std::shared_ptr<onnx::Model> model,
                                                       const CompileOptions& options);

}  // namespace sdx::runtime
