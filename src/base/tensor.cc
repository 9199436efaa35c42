#include "base/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/page_memory.h"

namespace sdx {

Result<std::shared_ptr<void>> allocate_bytes(size_t bytes) {
  void* memory = allocate_block(bytes, kTensorAlignment);
  if (memory == nullptr) return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
  return std::shared_ptr<void>(memory, [bytes](void* freed) { free_block(freed, bytes); });
}

Result<Tensor> Tensor::allocate(DType type, std::span<const int64_t> shape, Allocator* allocator) {
  const auto count = checked_count(shape);
  if (!count) return invalid_argument("shape {} has a negative dimension or too many elements", to_text(shape));
  if (type == DType::undefined || type == DType::string)
    return invalid_argument("a tensor of type {} cannot be allocated by shape", name(type));
  const auto bytes = sdx::byte_size(type, *count);
  if (!bytes) return invalid_argument("a tensor {}{} has more bytes than can be addressed", name(type), to_text(shape));
  SDX_ASSIGN(std::shared_ptr<void> memory, allocator != nullptr ? allocator->allocate(*bytes) : allocate_bytes(*bytes));
  void* data = memory.get();
  return wrap(type, Shape(shape), data, std::move(memory));
}

Tensor Tensor::wrap(DType type, Shape shape, void* data, std::shared_ptr<void> owner, MemoryInfo memory) {
  const auto count = checked_count(shape);
  SDX_CHECK(count.has_value(), "Tensor::wrap: unchecked shape");
  Tensor tensor;
  tensor.type_ = type;
  tensor.shape_ = std::move(shape);
  tensor.count_ = *count;
  if (type == DType::string) {
    const size_t table = static_cast<size_t>(*count + 1) * sizeof(int64_t);
    tensor.bytes_ = table + static_cast<size_t>(static_cast<const int64_t*>(data)[*count]);
  } else {
    const auto bytes = sdx::byte_size(type, *count);
    SDX_CHECK(bytes.has_value(), "Tensor::wrap: unchecked size");
    tensor.bytes_ = *bytes;
  }
  tensor.data_ = data;
  tensor.owner_ = std::move(owner);
  tensor.memory_ = memory;
  return tensor;
}

Tensor Tensor::reshaped(Shape shape) const {
  SDX_CHECK(checked_count(shape) == count_, "Tensor::reshaped: the number of elements changes");
  Tensor view = *this;
  view.shape_ = std::move(shape);
  return view;
}

Result<Tensor> StringTensorBuilder::finish(std::span<const int64_t> shape) const {
  SDX_CHECK(checked_count(shape) == count(), "StringTensorBuilder: shape and number of strings differ");
  const size_t table = offsets_.size() * sizeof(int64_t);
  SDX_ASSIGN(std::shared_ptr<void> memory, allocate_bytes(table + characters_.size()));
  auto* data = static_cast<std::byte*>(memory.get());
  std::memcpy(data, offsets_.data(), table);
  std::memcpy(data + table, characters_.data(), characters_.size());
  return Tensor::wrap(DType::string, Shape(shape), data, std::move(memory));
}

template <typename T>
Tensor make_tensor(DType type, std::span<const int64_t> shape, std::span<const T> values) {
  auto tensor = Tensor::allocate(type, shape);
  if (!tensor.ok()) throw std::bad_alloc();
  SDX_CHECK(static_cast<size_t>(tensor->count()) == values.size(), "make_tensor: shape and number of values differ");
  SDX_CHECK(tensor->byte_size() == values.size_bytes(), "make_tensor: element type and values differ in size");
  if (!values.empty()) std::memcpy(tensor->raw(), values.data(), values.size_bytes());
  return std::move(tensor).value();
}
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const float>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const double>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const int8_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const uint8_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const int16_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const uint16_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const int32_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const uint32_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const int64_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const uint64_t>);
template Tensor make_tensor(DType, std::span<const int64_t>, std::span<const bool>);

Tensor tensor_of_i64(std::span<const int64_t> values, std::span<const int64_t> shape) {
  return make_tensor<int64_t>(DType::i64, shape, values);
}
Tensor vector_i64(std::span<const int64_t> values) {
  const int64_t count = static_cast<int64_t>(values.size());
  return tensor_of_i64(values, {&count, 1});
}
Tensor scalar_i64(int64_t value) { return tensor_of_i64({&value, 1}, {}); }
Tensor scalar_f32(float value) { return make_tensor<float>(DType::f32, {}, {&value, 1}); }

Result<Tensor> clone(const Tensor& tensor) {
  SDX_ASSIGN(std::shared_ptr<void> memory, allocate_bytes(tensor.byte_size()));
  if (tensor.byte_size() > 0) std::memcpy(memory.get(), tensor.raw(), tensor.byte_size());
  void* data = memory.get();
  return Tensor::wrap(tensor.dtype(), tensor.shape(), data, std::move(memory));
}

bool is_aligned(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return true;  // decoded at import
  const size_t width = std::max(bit_width(tensor.dtype()) / 8, 1);
  const size_t wanted = is_complex(tensor.dtype()) ? width / 2 : width;
  return reinterpret_cast<uintptr_t>(tensor.raw()) % wanted == 0;
}

}  // namespace sdx
