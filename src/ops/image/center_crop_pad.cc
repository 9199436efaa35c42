// CenterCropPad: along each of `axes`, the middle of the input cut to the size wanted, or zeros around it.
// What is odd goes to the end.
#include "ops/op.h"
#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_center_crop_pad(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  Shape axes = all_axes(x.rank());
  if (ctx.attributes().has("axes")) {
    SDX_ASSIGN(axes, unique_axes(ctx.attr_ints("axes"), x.rank(), "axes"));
  }
  const auto sizes = ctx.elements(1);
  if (!sizes) return tensor_fact(x.dtype, ctx.unknown_shape(x.rank()));
  if (sizes->size() != axes.size()) return ctx.fail("shape has {} elements for {} axes", sizes->size(), axes.size());
  SymShape shape = *x.shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    const Dim& size = (*sizes)[i];
    if (size.is_known() && size.known() < 0) return ctx.fail("shape[{}] is {}, below 0", i, size.known());
    shape[static_cast<size_t>(axes[i])] = ctx.size_of(size);
  }
  return tensor_fact(x.dtype, std::move(shape));
}

struct CenterWriter {
  const Tensor& x;
  const Tensor& zero;
  const Shape& to;
  Shape strides, to_strides;
  ElementWriter& writer;

  void write(size_t axis, int64_t at) {
    if (axis == to.size()) return writer.append(x, at);
    const int64_t size = x.shape()[axis], wanted = to[axis];
    const int64_t kept = std::min(size, wanted), before = (wanted - kept) / 2, first = (size - kept) / 2;
    writer.repeat(zero, 0, before * to_strides[axis]);
    if (axis + 1 == to.size()) {
      writer.append(x, at + first, kept);
    } else {
      for (int64_t i = 0; i < kept; ++i) write(axis + 1, at + (first + i) * strides[axis]);
    }
    writer.repeat(zero, 0, (wanted - kept - before) * to_strides[axis]);
  }
};

Status center_crop_pad_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const Shape& to = ctx.output_shape(0);
  SDX_ASSIGN(const Tensor zero, zero_element(x.dtype()));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, to));
  if (count_of(to) > 0)
    CenterWriter{x, zero, to, row_major_strides(x.shape()), row_major_strides(to), writer}.write(0, 0);
  return writer.finish();
}

}  // namespace

SDX_OP(center_crop_pad) = {
    .name = "CenterCropPad",
    .since = 18,
    .infer = infer_center_crop_pad,
    .reference = center_crop_pad_reference,
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
