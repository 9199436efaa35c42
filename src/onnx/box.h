// Box<T>: an optional T on the heap, copied deeply. For messages that may contain themselves.
#pragma once

#include <memory>
#include <utility>

namespace sdx::onnx {

template <typename T>
class Box {
 public:
  Box() = default;
  Box(Box&&) noexcept = default;
  Box& operator=(Box&&) noexcept = default;
  Box(const Box& other) : content_(other.content_ ? std::make_unique<T>(*other.content_) : nullptr) {}
  Box& operator=(const Box& other) {
    if (this != &other) content_ = Box(other).content_release();
    return *this;
  }
  ~Box() = default;

  explicit operator bool() const { return content_ != nullptr; }
  T& operator*() { return *content_; }
  const T& operator*() const { return *content_; }
  T* operator->() { return content_.get(); }
  const T* operator->() const { return content_.get(); }
  T* get() { return content_.get(); }
  const T* get() const { return content_.get(); }
  void reset() { content_.reset(); }
  // The content, made first where there is none.
  T& make() {
    if (!content_) content_ = std::make_unique<T>();
    return *content_;
  }

 private:
  std::unique_ptr<T> content_release() { return std::move(content_); }
  std::unique_ptr<T> content_;
};

}  // namespace sdx::onnx
