// Protobuf bytes to the structs of proto.h. The structs point into the bytes.
// Bounded: 100 levels of messages, and memory in proportion to the bytes. No exception escapes.
// An error names the field and the offset: "graph.node[12].attribute[3].t: length 5000 at offset 812 runs past the end
// ...".
#pragma once

#include "base/status.h"
#include "onnx/proto.h"

namespace sdx::onnx {

Result<ModelProto> read_model(Bytes bytes);

// Values, as in test data files. Empty bytes are an empty message.
Result<TensorProto> read_tensor(Bytes bytes);
Result<SparseTensorProto> read_sparse_tensor(Bytes bytes);
Result<SequenceProto> read_sequence(Bytes bytes);
Result<MapProto> read_map(Bytes bytes);
Result<OptionalProto> read_optional(Bytes bytes);
Result<TypeProto> read_type(Bytes bytes);

}  // namespace sdx::onnx
