// The structs of proto.h to protobuf bytes: fields in the order of their numbers, then the unknown ones as they were
// read. read(write(read(x))) equals read(x).
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "onnx/proto.h"

namespace sdx::onnx {

struct WriteOptions {
  // Initializers with more bytes than this go to the external file. Nothing: all stay inside.
  std::optional<size_t> external_data_over_bytes;
  std::string external_file{};       // beside the model; empty: the model's own name and ".data"
  size_t external_alignment = 4096;  // of each tensor's offset
};

// Replaces the file at `path` only when all is written. A model over 2 GB is refused: no protobuf reader takes it.
Status write_model(const ModelProto& model, const std::string& path, const WriteOptions& options = {});
Result<std::string> write_model_to_string(const ModelProto& model);

std::string write_tensor(const TensorProto& tensor);
std::string write_sparse_tensor(const SparseTensorProto& tensor);
std::string write_sequence(const SequenceProto& sequence);
std::string write_map(const MapProto& map);
std::string write_optional(const OptionalProto& optional);
std::string write_type(const TypeProto& type);

// Field by field; numbers by their bits, however they were encoded.
bool same(const ModelProto& a, const ModelProto& b);

}  // namespace sdx::onnx
