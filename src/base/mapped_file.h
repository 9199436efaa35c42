// Bytes that stay where they are while anybody holds them: a file mapped private and writable, or memory of the caller.
// Mapping reads no page. A file that another program truncates while it is mapped cannot be defended against here:
// who fears that copies it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace sdx {

// Which file it is, whatever its name; all zero for memory.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t bytes = 0;
  int64_t modified_ns = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class MappedFile {
 public:
  // An empty file gives an empty span. Refuses what is not a regular file.
  static Result<std::shared_ptr<MappedFile>> open(const std::string& path);
  // The same file, unchanged since, is mapped once for the whole process; it cannot be written to.
  static Result<std::shared_ptr<MappedFile>> open_shared(const std::string& path);
  static Result<std::shared_ptr<MappedFile>> copy_of(std::span<const std::byte> bytes);
  // The caller keeps the bytes alive and unchanged for as long as anything made from them lives.
  static std::shared_ptr<MappedFile> lend(std::span<const std::byte> bytes);

  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::span<std::byte> writable_bytes();  // not for lent memory
  bool writable() const { return kind_ != Kind::lent && !shared_; }
  // Of a mapped file that nobody asked to write: its pages no longer count as resident; the next access maps them
  // again.
  void give_pages_back();
  void give_pages_back(const void* data, size_t bytes);  // those that this part of it lies in
  // Copies a part of it through the file, as long as that is still the one that was mapped: its pages stay unmapped,
  // which is faster for what is read once. False: nothing was copied.
  bool read_part(const void* data, size_t bytes, void* to) const;
  bool is_as_on_disk() const;  // its path names the file that was mapped, unchanged; memory is always as it is
  const std::string& path() const { return path_; }  // empty for memory
  const FileIdentity& identity() const { return identity_; }

 private:
  enum class Kind : uint8_t { mapped, copied, lent };
  MappedFile(Kind kind, std::byte* data, size_t size) : kind_(kind), data_(data), size_(size) {}

  Kind kind_;
  std::byte* data_;
  size_t size_;
  bool may_be_changed_ = false;
  bool shared_ = false;
  std::shared_ptr<void> copy_;
  std::string path_;
  FileIdentity identity_;
};

}  // namespace sdx
