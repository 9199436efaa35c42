#include "ops/reference.h"

#include <cstring>

namespace sdx::ops {

Status reference_unary(KernelContext& ctx, double (*f)(double), int64_t (*g)(int64_t)) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t count = x.count();
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
  SDX_CHECK(first >= 0 && first + count <= source.count() && written_ + count <= total_,
            "a run of elements leaves its tensor");
  if (bits_ == 0) {
    for (int64_t i = 0; i < count; ++i) strings_.append(source.string_at(first + i));
  } else if (bits_ % 8 != 0) {
    for (int64_t i = 0; i < count; ++i)
      store_packed(bits_, data_, written_ + i, load_packed(bits_, source.raw(), first + i));
  } else {
    const int64_t width = bits_ / 8;
    std::memcpy(data_ + written_ * width, source.bytes() + first * width, static_cast<size_t>(count * width));
  }
  written_ += count;
}

void ElementWriter::repeat(const Tensor& source, int64_t at, int64_t count) {
  for (int64_t i = 0; i < count; ++i) append(source, at, 1);
}

Status ElementWriter::finish() {
  SDX_CHECK(written_ == total_, "an output was not written whole");
  if (bits_ != 0) return {};
  SDX_ASSIGN(Tensor strings, strings_.finish(shape_));
  ctx_.set_output(index_, std::move(strings));
  return {};
}

Shape read_ints(const Tensor& tensor) {
  Shape values;
  for (int64_t i = 0; i < tensor.count(); ++i) values.push_back(load_i64(tensor, i));
  return values;
}

}  // namespace sdx::ops
