// A list of a size known when it is made: up to N elements live in it, more on the heap. For any type that can be
// moved.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sdx {

template <typename T, size_t N>
class Few {
 public:
  // `most`: how many push_back may add.
  explicit Few(size_t most) : many_(most > N ? most : 0), items_(many_.empty() ? few_.data() : many_.data()) {}
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;
  ~Few() = default;

  void push_back(T item) { items_[size_++] = std::move(item); }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  size_t size() const { return size_; }
  std::span<const T> all() const { return {items_, size_}; }

 private:
  std::array<T, N> few_{};
  std::vector<T> many_;
  T* items_;
  size_t size_ = 0;
};

}  // namespace sdx
