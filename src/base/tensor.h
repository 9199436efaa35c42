// Tensor: element type, dense row-major shape, memory, owner. Copies share the memory; nothing here is deep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"

namespace sdx {

enum class Device : uint8_t { cpu, gpu, npu };

struct MemoryInfo {
  Device device = Device::cpu;
  int32_t device_id = 0;
  uint32_t vendor_id = 0;
  friend bool operator==(const MemoryInfo&, const MemoryInfo&) = default;
};

inline constexpr size_t kTensorAlignment = 64;

// Where the memory of a run's tensors comes from. Safe to call from any thread.
class Allocator {
 public:
  virtual ~Allocator() = default;
  // Uninitialised, aligned to kTensorAlignment; freed with the last owner, which may outlive the allocator.
  virtual Result<std::shared_ptr<void>> allocate(size_t bytes) = 0;
};

// `bytes` of uninitialised memory aligned to kTensorAlignment, or RUNTIME_EXCEPTION that says how much was asked for.
Result<std::shared_ptr<void>> allocate_bytes(size_t bytes);

// Strings are one buffer: count + 1 int64 offsets, then the bytes they point into. Build them with StringTensorBuilder.
class Tensor {
 public:
  Tensor() = default;

  // Uninitialised memory of its own. Fails on a negative or overflowing shape, for strings, and when out of memory.
  // A null allocator is allocate_bytes.
  static Result<Tensor> allocate(DType type, std::span<const int64_t> shape, Allocator* allocator = nullptr);
  // Memory of somebody else, kept alive by `owner` (null: the caller outlives the tensor). `data` may be unaligned.
  static Tensor wrap(DType type, Shape shape, void* data, std::shared_ptr<void> owner, MemoryInfo memory = {});

  bool defined() const { return type_ != DType::undefined; }
  DType dtype() const { return type_; }
  const Shape& shape() const { return shape_; }
  int rank() const { return static_cast<int>(shape_.size()); }
  int64_t dim(int axis) const { return shape_[static_cast<size_t>(axis)]; }
  int64_t count() const { return count_; }
  size_t byte_size() const { return bytes_; }  // of strings: offsets and characters together
  const MemoryInfo& memory() const { return memory_; }
  const std::shared_ptr<void>& owner() const { return owner_; }

  const void* raw() const { return data_; }
  void* raw() { return data_; }
  const std::byte* bytes() const { return static_cast<const std::byte*>(data_); }
  std::byte* bytes() { return static_cast<std::byte*>(data_); }
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  template <typename T>
  T* data() {
    return static_cast<T*>(data_);
  }
  template <typename T>
  std::span<const T> values() const {
    return {data<T>(), static_cast<size_t>(count_)};
  }

  std::string_view string_at(int64_t index) const {
    const auto* offsets = data<int64_t>();
    const char* characters = reinterpret_cast<const char*>(offsets + count_ + 1);
    return {characters + offsets[index], static_cast<size_t>(offsets[index + 1] - offsets[index])};
  }

  // The same type and shape over other memory of the same owner, or of none.
  void move_to(void* data) { data_ = data; }
  // The same memory under another shape of the same count.
  Tensor reshaped(Shape shape) const;

 private:
  DType type_ = DType::undefined;
  MemoryInfo memory_;
  Shape shape_;
  int64_t count_ = 0;
  size_t bytes_ = 0;
  void* data_ = nullptr;
  std::shared_ptr<void> owner_;
};

// Collects strings in order and turns them into one tensor.
class StringTensorBuilder {
 public:
  void append(std::string_view text) {
    characters_.append(text);
    offsets_.push_back(static_cast<int64_t>(characters_.size()));
  }
  int64_t count() const { return static_cast<int64_t>(offsets_.size()) - 1; }
  Result<Tensor> finish(std::span<const int64_t> shape) const;  // the shape's count must equal count()

 private:
  std::vector<int64_t> offsets_{0};
  std::string characters_;
};

// Helpers for constants, tests and shape arithmetic. They throw std::bad_alloc when out of memory.
Tensor tensor_of_i64(std::span<const int64_t> values, std::span<const int64_t> shape);
Tensor vector_i64(std::span<const int64_t> values);
Tensor scalar_i64(int64_t value);
Tensor scalar_f32(float value);
template <typename T>
Tensor make_tensor(DType type, std::span<const int64_t> shape, std::span<const T> values);

Result<Tensor> clone(const Tensor& tensor);  // a deep copy, aligned
// To its element, as kernels want it; strings, packed elements and bytes always are.
bool is_aligned(const Tensor& tensor);

}  // namespace sdx
