// The ABI's numbers of element types and value kinds. They differ from the standard's above FLOAT4E2M1.
#pragma once

#include "base/value.h"
#include "onnxruntime_c_api.h"

namespace sdx::abi {

// UNDEFINED for the 6-bit types, which the ABI lacks.
ONNXTensorElementDataType element_type_of(DType type);
// undefined for numbers that the ABI lacks.
DType dtype_of(ONNXTensorElementDataType type);

ONNXType onnx_type_of(ValueKind kind);
ValueKind kind_of(ONNXType type);

}  // namespace sdx::abi
