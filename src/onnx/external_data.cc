#include "onnx/external_data.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "base/sha1.h"

namespace sdx::onnx {
namespace {

namespace fs = std::filesystem;

struct Description {
  std::string_view location;
  std::string_view checksum;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

Result<uint64_t> parse_number(std::string_view key, std::string_view text) {
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || stop != text.data() + text.size())
    return invalid_graph("external data: {} \"{}\" is no number of bytes", key, text);
  return number;
}

Result<Description> describe(const TensorProto& tensor) {
  Description description;
  for (const auto& entry : tensor.external_data) {
    if (entry.key == "location") description.location = entry.value;
    if (entry.key == "checksum") description.checksum = entry.value;
    if (entry.key == "offset") {
      SDX_ASSIGN(description.offset, parse_number(entry.key, entry.value));
    }
    if (entry.key == "length") {
      SDX_ASSIGN(description.length, parse_number(entry.key, entry.value));
    }
  }
  if (description.location.empty()) return invalid_graph("external data without a location");
  return description;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [at_folder, at_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return at_folder == folder.end() && at_file != file.end();
}

std::string plain(const std::string& location) { return fs::path(location).lexically_normal().string(); }

bool same_text_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

ExternalData::ExternalData(std::vector<std::string> folders, Blobs blobs, Checksums checksums)
    : folders_(std::move(folders)), checksums_(checksums) {
  for (auto& [name, blob] : blobs) blobs_.emplace(plain(name), std::move(blob));
}

Result<ExternalData::Piece> ExternalData::find(const TensorProto& tensor, size_t wanted) {
  SDX_ASSIGN(const Description description, describe(tensor));
  if (description.length && *description.length != wanted)
    return invalid_graph("its shape and type need {} bytes, its external data say length {}", wanted,
                         *description.length);
  const std::lock_guard lock(mutex_);
  SDX_ASSIGN(std::shared_ptr<MappedFile> file, file_at(description.location));
  const size_t size = file->bytes().size();
  if (description.offset > size || wanted > size - description.offset)
    return invalid_graph("{} bytes at offset {} run past the end of external data \"{}\" ({} bytes)", wanted,
                         description.offset, description.location, size);
  if (checksums_ == Checksums::verify && !description.checksum.empty())
    SDX_TRY(verify(std::string(description.location), *file, description.checksum));
  // Lent memory stays unwritten: who changes weights in place asks MappedFile::writable first.
  return Piece{const_cast<std::byte*>(file->bytes().data()) + description.offset, wanted, std::move(file)};
}

std::vector<std::shared_ptr<MappedFile>> ExternalData::files() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<MappedFile>> files;
  for (const auto& [location, file] : open_) files.push_back(file);
  return files;
}

Result<std::shared_ptr<MappedFile>> ExternalData::file_at(std::string_view location) {
  const std::string name(location);
  if (name.find('\0') != std::string::npos)
    return invalid_graph("external data \"{}\": the location contains a zero byte", name.c_str());
  if (name.find("_ORT_MEM_ADDR_") != std::string::npos)
    return invalid_graph("external data \"{}\": a model may not point into memory", name);
  const std::string key = plain(name);
  if (const auto open = open_.find(key); open != open_.end()) return open->second;
  std::shared_ptr<MappedFile> file;
  if (const auto blob = blobs_.find(key); blob != blobs_.end()) {
    file = blob->second;
  } else {
    SDX_ASSIGN(const std::string path, resolve(name));
    SDX_ASSIGN(file, MappedFile::open_shared(path));
  }
  open_.emplace(key, file);
  return file;
}

Result<std::string> ExternalData::resolve(const std::string& location) const {
  const fs::path relative(location);
  if (relative.is_absolute())
    return make_error(Code::fail, "external data \"{}\": the location must be relative to the model's folder",
                      location);
  if (std::find(relative.begin(), relative.end(), "..") != relative.end())
    return make_error(Code::fail, "external data \"{}\": the location may not contain \"..\"", location);
  if (folders_.empty())
    return make_error(
        Code::fail, "external data \"{}\": a model given as bytes has no folder; give the folder, or the file's bytes",
        location);
  for (const auto& folder : folders_) {
    std::error_code error;
    const fs::path target = fs::canonical(fs::path(folder) / relative, error);
    if (error) continue;
    for (const auto& allowed : folders_)
      if (lies_in(target, allowed)) return target.string();
    return make_error(Code::fail, "external data \"{}\" is a link that leads out of the model's folder, to \"{}\"",
                      location, target.string());
  }
  return make_error(Code::fail, "external data \"{}\": there is no such file in \"{}\"", location, folders_[0]);
}

Status ExternalData::verify(const std::string& location, const MappedFile& file, std::string_view checksum) {
  auto [digest, fresh] = digests_.try_emplace(location);
  if (fresh) digest->second = sha1_hex(file.bytes());
  if (same_text_ignoring_case(digest->second, checksum)) return {};
  return invalid_graph("external data \"{}\": the model wants checksum {}, the file has {}", location, checksum,
                       digest->second);
}

std::vector<std::string> folders_of(const std::string& path) {
  std::vector<std::string> folders;
  std::error_code error;
  const fs::path parent = fs::path(path).parent_path();
  const fs::path named = fs::canonical(parent.empty() ? fs::path(".") : parent, error);
  if (!error) folders.push_back(named.string());
  const fs::path real = fs::canonical(path, error);
  if (!error && (folders.empty() || real.parent_path().string() != folders[0]))
    folders.push_back(real.parent_path().string());
  return folders;
}

}  // namespace sdx::onnx
