#include "ops/tensor_parts.h"

#include <cstring>

#include "base/element.h"

namespace sdx::ops {
namespace {

// Appends runs of elements to a new tensor.
class Appender {
 public:
  static Result<Appender> create(DType type, std::span<const int64_t> shape) {
    Appender made;
    made.type_ = type;
    made.shape_ = Shape(shape);
    if (type == DType::string) return made;
    SDX_ASSIGN(made.tensor_, Tensor::allocate(type, shape));
    return made;
  }
  void append(const Tensor& source, int64_t first, int64_t count) {
    const int bits = bit_width(type_);
    if (type_ == DType::string) {
      for (int64_t i = 0; i < count; ++i) strings_.append(source.string_at(first + i));
    } else if (is_packed(type_)) {
      for (int64_t i = 0; i < count; ++i)
        store_packed(bits, tensor_.raw(), written_ + i, load_packed(bits, source.raw(), first + i));
    } else if (count > 0) {
      const int64_t width = bits / 8;
      std::memcpy(tensor_.bytes() + written_ * width, source.bytes() + first * width,
                  static_cast<size_t>(count * width));
    }
    written_ += count;
  }
  Result<Tensor> finish() {
    SDX_CHECK(count_of(shape_) == written_, "a tensor was not put together whole");
    if (type_ == DType::string) return strings_.finish(shape_);
    return std::move(tensor_);
  }

 private:
  DType type_ = DType::undefined;
  Shape shape_;
  Tensor tensor_;
  StringTensorBuilder strings_;
  int64_t written_ = 0;
};

}  // namespace

Result<Tensor> join_parts(DType type, std::span<const Tensor> parts, std::span<const int64_t> shape, int axis) {
  if (!checked_count(shape)) return invalid_argument("the result would have the impossible shape {}", to_text(shape));
  SDX_ASSIGN(Appender joined, Appender::create(type, shape));
  const int64_t outer = count_range(shape, 0, static_cast<size_t>(axis));
  for (int64_t row = 0; row < outer; ++row) {
    for (const Tensor& part : parts) {
      const int64_t run = part.count() / outer;
      joined.append(part, row * run, run);
    }
  }
  return joined.finish();
}

Result<Tensor> take_part(const Tensor& tensor, int axis, int64_t begin, int64_t count, std::span<const int64_t> shape) {
  const int64_t outer = count_range(tensor.shape(), 0, static_cast<size_t>(axis));
  const int64_t inner = count_range(tensor.shape(), static_cast<size_t>(axis) + 1, tensor.shape().size());
  const int64_t size = tensor.dim(axis);
  SDX_CHECK(begin >= 0 && count >= 0 && begin <= size - count, "a part leaves its tensor");
  if (count == size && outer * inner > 0 && checked_count(shape) == tensor.count())
    return tensor.reshaped(Shape(shape));
  const DType type = tensor.dtype();
  if (outer == 1 && type != DType::string && !is_packed(type) && tensor.owner() != nullptr) {
    auto* from = const_cast<std::byte*>(tensor.bytes()) + begin * inner * (bit_width(type) / 8);
    return Tensor::wrap(type, Shape(shape), from, tensor.owner(), tensor.memory());
  }
  SDX_ASSIGN(Appender taken, Appender::create(type, shape));
  for (int64_t row = 0; row < outer; ++row) taken.append(tensor, (row * size + begin) * inner, count * inner);
  return taken.finish();
}

Result<Tensor> zero_tensor(DType type, std::span<const int64_t> shape) {
  if (type == DType::string) {
    const auto count = checked_count(shape);
    if (!count) return invalid_argument("shape {} has too many elements", to_text(shape));
    StringTensorBuilder strings;
    for (int64_t i = 0; i < *count; ++i) strings.append("");
    return strings.finish(shape);
  }
  SDX_ASSIGN(Tensor zeros, Tensor::allocate(type, shape));
  std::memset(zeros.raw(), 0, zeros.byte_size());
  return zeros;
}

}  // namespace sdx::ops
