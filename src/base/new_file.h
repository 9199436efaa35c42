// A file that takes its name only when it is complete; until then, and after a failure, what had the name keeps it.
#pragma once

#include <string>

#include "base/status.h"

namespace sdx {

class NewFile {
 public:
  explicit NewFile(std::string path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  Status create();
  int descriptor() const { return descriptor_; }
  // Gives the file its name, unless `write_error` (an errno) is set.
  Status keep(int write_error);

 private:
  Status failed(int error) const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace sdx
