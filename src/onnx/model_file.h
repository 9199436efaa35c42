// A model as it stands in its file: the mapped bytes, the messages that point into them, and where its external data
// are. Everything that was made from a Model keeps the memory it uses alive by itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "onnx/external_data.h"
#include "onnx/proto.h"
#include "onnx/tensor_proto.h"

namespace sdx::onnx {

struct OpenOptions {
  std::string external_folder{};  // where external data are looked up; empty: beside the model's file
  Blobs external_blobs{};         // files in memory, by location
  Checksums checksums = Checksums::ignore;
};

enum class Ownership : uint8_t { copy, lend };

// Where a weight's bytes lie on disk: the same place is the same weight, for every session of the process.
struct FilePlace {
  FileIdentity file;
  uint64_t offset = 0;
  friend bool operator==(const FilePlace&, const FilePlace&) = default;
};

class Model {
 public:
  std::string path;  // empty: from bytes
  std::shared_ptr<MappedFile> file;
  ModelProto proto;
  std::vector<std::shared_ptr<void>> kept;  // what messages that were changed later point into
  bool is_shared = false;                   // sessions may have it in common: its messages are not changed

  // What reading touched of the mapped files no longer counts as resident.
  void give_pages_back();
  bool read_part(const void* data, size_t bytes, void* to) const;  // see MappedFile
  void give_pages_back(const void* data, size_t bytes);            // those that this memory lies in
  bool is_as_on_disk() const;  // the files with its external data are those that were mapped, unchanged
  TensorSource source() const { return {file, &*external_}; }
  Result<Tensor> tensor(const TensorProto& message, std::string_view what = "initializer") const {
    return tensor_from_proto(message, source(), what);
  }
  // Nothing for data outside the model's files (decoded copies, memory of the caller).
  std::optional<FilePlace> place_of(const void* data) const;

 private:
  friend Result<std::shared_ptr<Model>> open_model(const std::string&, OpenOptions);
  friend Result<std::shared_ptr<Model>> model_from_bytes(Bytes, Ownership, OpenOptions);
  mutable std::optional<ExternalData> external_;  // opens files when they are first asked for
};

Result<std::shared_ptr<Model>> open_model(const std::string& path, OpenOptions options = {});
// The same file, unchanged since, is read once for all who hold its model.
Result<std::shared_ptr<Model>> open_model_shared(const std::string& path);
Result<std::shared_ptr<Model>> model_from_bytes(Bytes bytes, Ownership ownership, OpenOptions options = {});

// Makes every tensor with external data point to them as raw_data, so that the model can be written anywhere. Copies
// nothing.
Status bring_external_data_inside(Model& model);
// The same for a message made from the model's; `kept` owns what it points to then.
Status bring_external_data_inside(const Model& model, ModelProto& proto, std::vector<std::shared_ptr<void>>& kept);

}  // namespace sdx::onnx
