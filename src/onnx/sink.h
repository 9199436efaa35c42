// Where written bytes go: a string, or a file behind a small buffer that large pieces pass by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sdx::onnx {

size_t varint_size(uint64_t number);

class Sink {
 public:
  explicit Sink(std::string& text) : buffer_(&text) {}
  explicit Sink(int file_descriptor) : file_(file_descriptor) {}
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void put(std::string_view bytes);
  void put_varint(uint64_t number);
  void pad_to(size_t alignment);  // with zeros
  size_t total() const { return total_; }
  // Writes out what is left. 0, or the errno of the first write that failed.
  int finish();

 private:
  void flush();
  void write_all(std::string_view bytes);

  int file_ = -1;
  int error_ = 0;
  size_t total_ = 0;
  std::string own_;
  std::string* buffer_ = &own_;
};

}  // namespace sdx::onnx
