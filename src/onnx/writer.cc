#include "onnx/writer.h"

#include <algorithm>
#include <deque>
#include <filesystem>

#include "base/dtype.h"
#include "base/new_file.h"
#include "onnx/encoder.h"
#include "onnx/proto_walk.h"

namespace sdx::onnx {
namespace {

namespace fs = std::filesystem;

constexpr size_t kProtobufLimit = (size_t{1} << 31) - 1;

template <typename M>
std::string to_bytes(const M& message) {
  const Replaced none;
  Encoder encoder(none);
  std::string text;
  text.reserve(encoder.measure(message));
  Sink sink(text);
  encoder.write(message, sink);
  return text;
}

// The bytes of a tensor where they stand in one piece in the layout of raw_data.
Bytes plain_bytes(const TensorProto& tensor) {
  const auto packed = [](const auto& numbers) {
    return numbers.form() == NumberForm::packed ? std::as_bytes(std::span(numbers.encoded())) : Bytes();
  };
  if (tensor.is_external() || tensor.data_type == static_cast<int32_t>(DType::string)) return {};
  if (!tensor.raw_data.empty()) return tensor.raw_data;
  if (!tensor.float_data.empty()) return packed(tensor.float_data);
  return packed(tensor.double_data);
}

// What the moved tensors become, and the texts that they point to.
struct Moved {
  Replaced replaced;
  std::deque<std::string> texts;
};

void move_tensor(const TensorProto& tensor, Text location, size_t alignment, Sink& sink, Moved& moved) {
  const Bytes bytes = plain_bytes(tensor);
  sink.pad_to(alignment);
  TensorProto reference = tensor;
  reference.raw_data = {};
  reference.float_data = {};
  reference.double_data = {};
  reference.external_data.clear();
  const auto add = [&](Text key, Text value) {
    auto& entry = reference.external_data.emplace_back();
    entry.key = key;
    entry.value = value;
  };
  add("location", location);
  add("offset", moved.texts.emplace_back(std::to_string(sink.total())));
  add("length", moved.texts.emplace_back(std::to_string(bytes.size())));
  reference.data_location = static_cast<int32_t>(DataLocation::external);
  sink.put({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  moved.replaced.emplace(&tensor, std::move(reference));
}

Status write_external(const ModelProto& model, const WriteOptions& options, const std::string& path,
                      const std::string& name, Moved& moved) {
  NewFile file((fs::path(path).parent_path() / name).string());
  SDX_TRY(file.create());
  Sink sink(file.descriptor());
  for_each_message<GraphProto>(model, [&](const GraphProto& graph) {
    for (const auto& tensor : graph.initializer)
      if (plain_bytes(tensor).size() > *options.external_data_over_bytes)
        move_tensor(tensor, name, std::max<size_t>(options.external_alignment, 1), sink, moved);
  });
  const int error = sink.finish();
  return moved.replaced.empty() ? Status() : file.keep(error);
}

Result<std::string> external_name(const std::string& path, const std::string& wanted) {
  const fs::path own = fs::path(path).filename();
  const fs::path name = wanted.empty() ? fs::path(own.string() + ".data") : fs::path(wanted);
  if (name != name.filename() || name == "." || name == ".." || name == own)
    return invalid_argument(
        "\"{}\" cannot be the external file of \"{}\": a plain name is wanted, other than the model's", wanted, path);
  return name.string();
}

Status check_size(size_t bytes, const std::string& remedy) {
  if (bytes <= kProtobufLimit) return {};
  return invalid_argument("the model takes {} bytes, more than the {} that protobuf readers accept; {}", bytes,
                          kProtobufLimit, remedy);
}

}  // namespace

Status write_model(const ModelProto& model, const std::string& path, const WriteOptions& options) {
  Moved moved;
  std::string name;
  if (options.external_data_over_bytes) {
    SDX_ASSIGN(name, external_name(path, options.external_file));
    SDX_TRY(write_external(model, options, path, name, moved));
  }
  Encoder encoder(moved.replaced);
  SDX_TRY(check_size(encoder.measure(model), "write large tensors to an external file"));
  NewFile file(path);
  SDX_TRY(file.create());
  Sink sink(file.descriptor());
  encoder.write(model, sink);
  return file.keep(sink.finish());
}

Result<std::string> write_model_to_string(const ModelProto& model) {
  const Replaced none;
  Encoder encoder(none);
  const size_t bytes = encoder.measure(model);
  SDX_TRY(check_size(bytes, "write it to a path, with large tensors in an external file"));
  std::string text;
  text.reserve(bytes);
  Sink sink(text);
  encoder.write(model, sink);
  return text;
}

std::string write_tensor(const TensorProto& tensor) { return to_bytes(tensor); }
std::string write_sparse_tensor(const SparseTensorProto& tensor) { return to_bytes(tensor); }
std::string write_sequence(const SequenceProto& sequence) { return to_bytes(sequence); }
std::string write_map(const MapProto& map) { return to_bytes(map); }
std::string write_optional(const OptionalProto& optional) { return to_bytes(optional); }
std::string write_type(const TypeProto& type) { return to_bytes(type); }

}  // namespace sdx::onnx
