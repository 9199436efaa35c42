#include "base/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace sdx {
namespace {
constinit std::atomic<unsigned> files_made{0};
}

NewFile::NewFile(std::string path)
    : path_(std::move(path)), temporary_(formatted("{}.{}.{}.part", path_, getpid(), files_made.fetch_add(1))) {}

NewFile::~NewFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

Status NewFile::create() {
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  return descriptor_ >= 0 ? Status() : failed(errno);
}

Status NewFile::keep(int write_error) {
  if (write_error != 0) return failed(write_error);
  int error = close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
  if (error == 0 && rename(temporary_.c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) return {};
  unlink(temporary_.c_str());
  return failed(error);
}

Status NewFile::failed(int error) const {
  return make_error(Code::fail, "cannot write file \"{}\": {}", path_, std::generic_category().message(error));
}

}  // namespace sdx
