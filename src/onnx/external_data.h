// Where tensors with data outside the model's file find them. Only files inside the model's own folders are ever
// opened: absolute locations, ".." and links that lead out are refused.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fork.h"
#include "base/mapped_file.h"
#include "onnx/proto.h"

namespace sdx::onnx {

enum class Checksums : uint8_t { ignore, verify };

using Blobs = std::map<std::string, std::shared_ptr<MappedFile>, std::less<>>;

class ExternalData {
 public:
  // A piece of a file; `file` keeps it alive.
  struct Piece {
    std::byte* data = nullptr;
    size_t bytes = 0;
    std::shared_ptr<MappedFile> file;
  };

  // `folders`: where locations are looked up, in this order, and what they may not lead out of; none: there are no
  // files. `blobs`: memory that stands for files, by location; they come first.
  ExternalData(std::vector<std::string> folders, Blobs blobs, Checksums checksums);

  // The data of a tensor whose location is external and that takes `wanted` bytes.
  Result<Piece> find(const TensorProto& tensor, size_t wanted);
  // The files that were opened so far.
  std::vector<std::shared_ptr<MappedFile>> files() const;

 private:
  Result<std::shared_ptr<MappedFile>> file_at(std::string_view location);
  Result<std::string> resolve(const std::string& location) const;
  Status verify(const std::string& location, const MappedFile& file, std::string_view checksum);

  std::vector<std::string> folders_;
  Blobs blobs_;
  Checksums checksums_;
  mutable TakeoverMutex mutex_;
  Blobs open_;
  std::map<std::string, std::string> digests_;
};

// The folder that `path` names its file in, and the one that the file really lies in (both resolved, one where equal).
std::vector<std::string> folders_of(const std::string& path);

}  // namespace sdx::onnx
