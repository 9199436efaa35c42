// Questions to an OrtCustomOp, with the answers of its older versions.
#pragma once

#include "base/value.h"
#include "onnxruntime_c_api.h"

namespace sdx::providers {

// What a status of the operator's says; frees it.
Status take_status(const OrtApi& api, OrtStatus* status);

// The formal operand that stands for the node's operand `index`: the last one where that is variadic. -1: there is
// none.
int formal_input(const OrtCustomOp& op, size_t index);
int formal_output(const OrtCustomOp& op, size_t index);
// How many operands a node must have at least.
size_t least_inputs(const OrtCustomOp& op);
DType input_type(const OrtCustomOp& op, size_t formal);  // undefined: any
DType output_type(const OrtCustomOp& op, size_t formal);
bool serves_version(const OrtCustomOp& op, int opset);

}  // namespace sdx::providers
