#include "ops/reference.h"

#include <cstring>

#include "base/stop_point.h"

namespace sdx::ops {

namespace {

// Numbers of one floating type, which may be unaligned, without asking for it at each.
template <typename T>
void map_floats(const Tensor& x, Tensor& y, double (*f)(double)) {
  const std::byte* from = x.bytes();
  auto* to = static_cast<std::byte*>(y.raw());
  for (int64_t i = 0; i < x.count(); ++i, from += sizeof(T), to += sizeof(T)) {
    stop_point();
    T value;
    std::memcpy(&value, from, sizeof(T));
    value = static_cast<T>(f(static_cast<double>(value)));
    std::memcpy(to, &value, sizeof(T));
  }
}

}  // namespace

Status reference_unary(KernelContext& ctx, double (*f)(double), int64_t (*g)(int64_t)) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t count = x.count();
  if (x.dtype() == y.dtype() && x.dtype() == DType::f64) {
    map_floats<double>(x, y, f);
    return {};
  }
  if (x.dtype() == y.dtype() && x.dtype() == DType::f32) {
    map_floats<float>(x, y, f);
    return {};
  }
  if (g != nullptr && !is_floating(x.dtype())) {
    for (int64_t i = 0; i < count; ++i) store_i64(y, i, g(load_i64(x, i)));
  } else {
    for (int64_t i = 0; i < count; ++i) store_double(y, i, f(load_double(x, i)));
  }
  return {};
}

Tensor reference_binary(const Tensor& a, const Tensor& b, Tensor out, const BinaryFunctions& functions) {
  BroadcastWalker walk(out.shape(), {a.shape(), b.shape()});
  const int64_t count = out.count();
  if (is_floating(a.dtype())) {
    SDX_CHECK(functions.f != nullptr, "no rule for floating types");
    for (int64_t i = 0; i < count; ++i, walk.next())
      store_double(out, i, functions.f(load_double(a, walk.operand(0)), load_double(b, walk.operand(1))));
  } else if (is_unsigned_integer(a.dtype()) && functions.h != nullptr) {
    for (int64_t i = 0; i < count; ++i, walk.next())
      store_i64(out, i,
                static_cast<int64_t>(functions.h(static_cast<uint64_t>(load_i64(a, walk.operand(0))),
                                                 static_cast<uint64_t>(load_i64(b, walk.operand(1))))));
  } else {
    SDX_CHECK(functions.g != nullptr, "no rule for integer types");
    for (int64_t i = 0; i < count; ++i, walk.next())
      store_i64(out, i, functions.g(load_i64(a, walk.operand(0)), load_i64(b, walk.operand(1))));
  }
  return out;
}

Status reference_binary(KernelContext& ctx, const BinaryFunctions& functions) {
  reference_binary(ctx.input(0), ctx.input(1), ctx.output(0), functions);
  return {};
}

BroadcastWalker::BroadcastWalker(Dims out_shape, std::span<const Dims> operand_shapes)
    : shape_(out_shape), position_(out_shape.size()), offsets_(operand_shapes.size()) {
  for (const auto operand : operand_shapes) {
    const Shape own = row_major_strides(operand);
    Shape strides(out_shape.size());
    const size_t offset = out_shape.size() - operand.size();
    for (size_t i = 0; i < operand.size(); ++i) strides[offset + i] = operand[i] == 1 ? 0 : own[i];
    strides_.push_back(std::move(strides));
  }
}

void BroadcastWalker::next() {
  stop_point();
  for (size_t axis = shape_.size(); axis-- > 0;) {
    ++position_[axis];
    for (size_t i = 0; i < offsets_.size(); ++i) offsets_[i] += strides_[i][axis];
    if (position_[axis] < shape_[axis]) return;
    for (size_t i = 0; i < offsets_.size(); ++i) offsets_[i] -= strides_[i][axis] * shape_[axis];
    position_[axis] = 0;
  }
}

Result<ElementWriter> ElementWriter::create(KernelContext& ctx, size_t index, std::span<const int64_t> shape) {
  ElementWriter writer(ctx, index);
  const auto total = checked_count(shape);
  if (!total) return invalid_argument("output {} would have the impossible shape {}", index, to_text(shape));
  writer.shape_ = Shape(shape);
  writer.total_ = *total;
  const DType type = ctx.output_dtype(index);
  writer.bits_ = bit_width(type);
  if (type == DType::string) return writer;
  if (ctx.output_shape_known(index)) {
    SDX_CHECK(ctx.output_shape(index) == writer.shape_, "the shape rule and the reference disagree");
    writer.data_ = ctx.output(index).bytes();
  } else {
    SDX_ASSIGN(Tensor * out, ctx.allocate_output(index, shape));
    writer.data_ = out->bytes();
  }
  return writer;
}

void ElementWriter::append(const Tensor& source, int64_t first, int64_t count) {
  if (count <= 0) return;
  stop_point(count);
  SDX_CHECK(first >= 0 && first + count <= source.count() && written_ + count <= total_,
            "a run of elements leaves its tensor");
  if (bits_ == 0) {
    for (int64_t i = 0; i < count; ++i) strings_.append(source.string_at(first + i));
  } else if (bits_ % 8 != 0) {
    append_packed(source, first, count);
  } else {
    const int64_t width = bits_ / 8;
    std::memcpy(data_ + written_ * width, source.bytes() + first * width, static_cast<size_t>(count * width));
  }
  written_ += count;
}

void ElementWriter::append_packed(const Tensor& source, int64_t first, int64_t count) {
  const int64_t from_bit = first * bits_, to_bit = written_ * bits_;
  int64_t done = 0;
  if (from_bit % 8 == 0 && to_bit % 8 == 0) {
    const int64_t whole_bytes = count * bits_ / 8;
    std::memcpy(data_ + to_bit / 8, source.bytes() + from_bit / 8, static_cast<size_t>(whole_bytes));
    done = whole_bytes * 8 / bits_;
  }
  for (; done < count; ++done)
    store_packed(bits_, data_, written_ + done, load_packed(bits_, source.raw(), first + done));
}

void ElementWriter::repeat(const Tensor& source, int64_t at, int64_t count) {
  if (count <= 0) return;
  if (bits_ == 0 || bits_ % 8 != 0) {
    for (int64_t i = 0; i < count; ++i) append(source, at, 1);
    return;
  }
  // The first element, then doubling what is there.
  const int64_t width = bits_ / 8;
  std::byte* begin = data_ + written_ * width;
  append(source, at, 1);
  SDX_CHECK(written_ + count - 1 <= total_, "a run of elements leaves its tensor");
  for (int64_t done = 1; done < count;) {
    const int64_t more = std::min(done, count - done);
    std::memcpy(begin + done * width, begin, static_cast<size_t>(more * width));
    done += more;
  }
  written_ += count - 1;
}

Status ElementWriter::finish() {
  SDX_CHECK(written_ == total_, "an output was not written whole");
  if (bits_ != 0) return {};
  SDX_ASSIGN(Tensor strings, strings_.finish(shape_));
  ctx_.set_output(index_, std::move(strings));
  return {};
}

Result<Tensor> zero_element(DType type) {
  if (type == DType::string) {
    StringTensorBuilder builder;
    builder.append("");
    return builder.finish({});
  }
  SDX_ASSIGN(Tensor zero, Tensor::allocate(type, {}));
  std::memset(zero.raw(), 0, zero.byte_size());
  return zero;
}

Shape read_ints(const Tensor& tensor) {
  Shape values;
  for (int64_t i = 0; i < tensor.count(); ++i) values.push_back(load_i64(tensor, i));
  return values;
}

}  // namespace sdx::ops
