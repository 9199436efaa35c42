// Pad with a constant, elements of whole bytes: the output is filled, then the data is copied into its place.
#include <cstring>

#include "ops/shape/pad.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

Verdict takes_constant_padding(const NodeFacts& facts) {
  if (facts.attr_string("mode", "constant") != "constant") return no("only mode constant");
  return takes_whole_bytes(facts);
}

Status run_pad(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const auto width = static_cast<size_t>(bit_width(y.dtype()) / 8);
  const std::byte zero[16] = {};
  const std::byte* fill = ctx.has_input(2) ? ctx.input(2).bytes() : zero;
  const Shape y_strides = row_major_strides(y.shape());
  SDX_TRY(copy_strided(ctx, width, {y.shape(), Shape(y.shape().size()), y_strides}, fill, y.bytes()));
  const Padding padding = padding_of(ctx);
  StridedView from = dense_view(x.shape());
  int64_t to = 0;
  for (size_t i = 0; i < from.shape.size(); ++i) {
    const int64_t cut = std::max<int64_t>(-padding.before[i], 0);
    from.offset += cut * from.strides[i];
    from.shape[i] -= cut + std::max<int64_t>(-padding.after[i], 0);
    to += std::max<int64_t>(padding.before[i], 0) * y_strides[i];
    if (from.shape[i] <= 0) return {};
  }
  const auto bytes = static_cast<int64_t>(width);
  return copy_strided(ctx, width, {from.shape, from.strides, y_strides}, x.bytes() + from.offset * bytes,
                      y.bytes() + to * bytes);
}

}  // namespace

SDX_CPU_KERNELS(pad, {.name = "pad_constant_bytes", .can_run = takes_constant_padding, .run = run_pad});

}  // namespace sdx::ops
