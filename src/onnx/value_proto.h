// Values to and from the messages that hold one alone: test data files, saved inputs and outputs.
#pragma once

#include <string>

#include "base/mapped_file.h"
#include "base/value.h"
#include "onnx/proto.h"

namespace sdx::onnx {

// `expected` says which message the bytes are: nothing inside them does. Tensors point into the file.
// An empty sequence or optional has an element type only as far as its message says one.
Result<Value> value_from_proto(const std::shared_ptr<MappedFile>& file, ValueKind expected);
// Every tensor in memory of its own, aligned; nothing points into the bytes.
Result<Value> value_from_bytes(Bytes bytes, ValueKind expected);

// The bytes of a TensorProto, SequenceProto, MapProto, OptionalProto or SparseTensorProto.
Result<std::string> value_to_proto(const Value& value, Text name);
std::string tensor_to_proto(const Tensor& tensor, Text name);

// The message of a tensor. It points to the tensor's memory and to `name`, which the caller keeps.
TensorProto tensor_message(const Tensor& tensor, Text name);

}  // namespace sdx::onnx
