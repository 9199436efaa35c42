#include "onnx/sink.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <protozero/varint.hpp>

namespace sdx::onnx {
namespace {
constexpr size_t kBuffer = size_t{1} << 16;
constexpr size_t kLargestWrite = size_t{1} << 30;
}  // namespace

size_t varint_size(uint64_t number) { return static_cast<size_t>(protozero::length_of_varint(number)); }

void Sink::put(std::string_view bytes) {
  total_ += bytes.size();
  if (file_ >= 0 && buffer_->size() + bytes.size() > kBuffer) flush();
  if (file_ >= 0 && bytes.size() > kBuffer) {
    write_all(bytes);
  } else {
    buffer_->append(bytes);
  }
}

void Sink::put_varint(uint64_t number) {
  char bytes[protozero::max_varint_length];
  const int length = protozero::write_varint(static_cast<char*>(bytes), number);
  put({bytes, static_cast<size_t>(length)});
}

void Sink::pad_to(size_t alignment) {
  const std::string zeros(std::min(alignment, kBuffer), '\0');
  size_t missing = (alignment - total_ % alignment) % alignment;
  for (; missing > zeros.size(); missing -= zeros.size()) put(zeros);
  put(std::string_view(zeros).substr(0, missing));
}

int Sink::finish() {
  if (file_ >= 0) flush();
  return error_;
}

void Sink::flush() {
  write_all(*buffer_);
  buffer_->clear();
}

void Sink::write_all(std::string_view bytes) {
  while (!bytes.empty() && error_ == 0) {
    const ssize_t written = ::write(file_, bytes.data(), std::min(bytes.size(), kLargestWrite));
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
}

}  // namespace sdx::onnx
