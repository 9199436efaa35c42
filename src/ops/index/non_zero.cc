// NonZero: the coordinates of the elements that are not zero (NaN is not; of strings: not empty), as [rank, n], in
// row-major order.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_non_zero(InferContext& ctx) {
  const Dim rank = ctx.has_rank(0) ? Dim(ctx.rank(0)) : ctx.unknown_dim();
  return tensor_fact(DType::i64, SymShape{rank, ctx.unknown_dim()});
}

bool is_set(const Tensor& x, int64_t i) {
  if (x.dtype() == DType::string) return !x.string_at(i).empty();
  if (is_complex(x.dtype())) return load_complex(x.dtype(), x.raw(), i) != 0.0;
  return is_floating(x.dtype()) ? load_double(x, i) != 0 : load_i64(x, i) != 0;
}

Status non_zero_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  std::vector<int64_t> found;
  for (int64_t i = 0; i < x.count(); ++i)
    if (is_set(x, i)) found.push_back(i);
  const auto count = static_cast<int64_t>(found.size());
  SDX_ASSIGN(Tensor* const y, ctx.allocate_output(0, Shape{static_cast<int64_t>(x.rank()), count}));
  const Shape strides = row_major_strides(x.shape());
  for (size_t axis = 0; axis < strides.size(); ++axis)
    for (int64_t i = 0; i < count; ++i)
      y->data<int64_t>()[static_cast<int64_t>(axis) * count + i] =
          found[static_cast<size_t>(i)] / strides[axis] % x.shape()[axis];
  return {};
}

}  // namespace

SDX_OP(non_zero) = {.name = "NonZero",
                    .since = 13,
                    .infer = infer_non_zero,
                    .reference = non_zero_reference,
                    .records_constraints = true};

}  // namespace sdx::ops
