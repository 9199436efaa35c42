#include "ops/shape/strided.h"

#include "ops/reference.h"

namespace sdx::ops {

StridedView dense_view(std::span<const int64_t> shape) { return {Shape(shape), row_major_strides(shape), 0}; }

StridedView permuted(const StridedView& view, std::span<const int64_t> perm) {
  StridedView out;
  out.offset = view.offset;
  for (const int64_t axis : perm) {
    out.shape.push_back(view.shape[static_cast<size_t>(axis)]);
    out.strides.push_back(view.strides[static_cast<size_t>(axis)]);
  }
  return out;
}

StridedView collapsed(const StridedView& view) {
  StridedView out;
  out.offset = view.offset;
  for (size_t i = 0; i < view.shape.size(); ++i) {
    if (view.shape[i] == 1) continue;
    if (!out.shape.empty() && out.strides.back() == view.strides[i] * view.shape[i]) {
      out.shape.back() *= view.shape[i];
      out.strides.back() = view.strides[i];
    } else {
      out.shape.push_back(view.shape[i]);
      out.strides.push_back(view.strides[i]);
    }
  }
  return out;
}

Status write_view(KernelContext& ctx, size_t index, const Tensor& source, const StridedView& full) {
  const Shape& shape = ctx.output_shape_known(index) ? ctx.output_shape(index) : full.shape;
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, index, shape));
  if (count_of(full.shape) == 0) return writer.finish();
  StridedView view = collapsed(full);
  const int64_t size = view.shape.empty() ? 1 : view.shape.back();
  const int64_t step = view.shape.empty() ? 1 : view.strides.back();
  if (!view.shape.empty()) {
    view.shape.pop_back();
    view.strides.pop_back();
  }
  Shape position(view.shape.size());
  int64_t at = view.offset;
  for (int64_t row = count_of(view.shape); row > 0; --row) {
    if (step == 1) {
      writer.append(source, at, size);
    } else if (step == 0) {
      writer.repeat(source, at, size);
    } else {
      for (int64_t i = 0; i < size; ++i) writer.append(source, at + i * step);
    }
    for (size_t axis = view.shape.size(); axis-- > 0;) {
      at += view.strides[axis];
      if (++position[axis] < view.shape[axis]) break;
      at -= view.strides[axis] * view.shape[axis];
      position[axis] = 0;
    }
  }
  return writer.finish();
}

Verdict takes_whole_bytes(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(0));
  return bits >= 8 && bits % 8 == 0 ? yes() : no("only elements of whole bytes");
}

Status copy_view(KernelContext& ctx, size_t index, const Tensor& source, const StridedView& view) {
  Tensor& out = ctx.output(index);
  SDX_CHECK(out.count() == count_of(view.shape), "the shape rule and the kernel disagree");
  const auto width = static_cast<size_t>(bit_width(source.dtype()) / 8);
  return copy_strided(ctx, width, {view.shape, view.strides, row_major_strides(view.shape)},
                      source.bytes() + view.offset * static_cast<int64_t>(width), out.bytes());
}

}  // namespace sdx::ops
