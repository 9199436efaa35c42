// Concat of elements of whole bytes.
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

Status run_concat(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), y.rank()));
  const auto width = static_cast<size_t>(bit_width(y.dtype()) / 8);
  const Shape strides = row_major_strides(y.shape());
  std::byte* to = y.bytes();
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    const Tensor& part = ctx.input(i);
    SDX_TRY(copy_strided(ctx, width, {part.shape(), row_major_strides(part.shape()), strides}, part.bytes(), to));
    to += part.dim(static_cast<int>(axis)) * strides[axis] * static_cast<int64_t>(width);
  }
  return {};
}

}  // namespace

SDX_CPU_KERNELS(concat, {.name = "concat_bytes", .can_run = takes_whole_bytes, .run = run_concat});

}  // namespace sdx::ops
