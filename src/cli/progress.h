// A line on stderr that says how far long work is. Silent where stderr is no terminal or the work is quick.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace sdx::cli {

class Progress {
 public:
  Progress(std::string what, size_t total)
      : what_(std::move(what)), total_(total), shown_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() {
    if (printed_) std::fprintf(stderr, "\r\033[K");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void step() {
    ++done_;
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    printed_ = true;
    std::fprintf(stderr, "\r%s %zu of %zu\033[K", what_.c_str(), done_, total_);
  }

 private:
  std::string what_;
  size_t total_, done_ = 0;
  bool shown_, printed_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace sdx::cli
