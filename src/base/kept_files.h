// While a KeptFiles lives, files that are read part by part (see MappedFile::read_part) stay open instead of being
// opened for every part. When the last one of the process ends they are closed.
#pragma once

#include <memory>

#include "base/mapped_file.h"

namespace sdx {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }  // negative: none

 private:
  int number_;
};

class KeptFiles {
 public:
  KeptFiles();
  ~KeptFiles();
  KeptFiles(const KeptFiles&) = delete;
  KeptFiles& operator=(const KeptFiles&) = delete;

  // The file that was opened before, or the one at the path; null: there is none, or not the same.
  static std::shared_ptr<const FileDescriptor> open(const std::string& path, const FileIdentity& identity);
};

}  // namespace sdx
