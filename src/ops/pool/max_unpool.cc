// MaxUnpool: zeros, with x's elements at the places that I names in the tensor of the inferred shape
// ((in - 1) * stride + kernel - pads). A given output_shape holds that tensor in its first corner.
#include "ops/pool/unpooling.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

// Along every spatial axis.
Result<SymShape> unpooled_shape(InferContext& ctx) {
  const int rank = ctx.rank(0);
  if (rank < 3) return ctx.fail("x has rank {}; batch, channels and spatial axes are wanted", rank);
  SDX_ASSIGN(const WindowAttributes w, read_windows(ctx.attributes(), static_cast<size_t>(rank) - 2, {}));
  SymShape shape = *ctx.input(0).shape;
  for (size_t axis = 0; axis < w.kernel.size(); ++axis) {
    const int64_t rest = w.kernel[axis] - w.strides[axis] - w.begin[axis] - w.end[axis];
    Dim& dim = shape[2 + axis];
    dim = ctx.symbols().add(ctx.symbols().mul(dim, Dim(w.strides[axis])), Dim(rest));
    if (dim.is_known() && dim.known() < 0) return ctx.fail("pads leave nothing of spatial axis {}", axis);
    ctx.assume({Constraint::Kind::at_least, dim, Dim(0)});
  }
  return shape;
}

Result<Facts> infer_max_unpool(InferContext& ctx) {
  if (!ctx.has_rank(0)) return tensor_fact(ctx.dtype(0), std::nullopt);
  if (ctx.has_rank(1)) {
    if (ctx.rank(1) != ctx.rank(0)) return ctx.fail("I has rank {}, x has rank {}", ctx.rank(1), ctx.rank(0));
    for (int axis = 0; axis < ctx.rank(0); ++axis)
      SDX_TRY(ctx.same(ctx.dim(0, axis), ctx.dim(1, axis), "dimensions of x and I").status());
  }
  SDX_ASSIGN(SymShape shape, unpooled_shape(ctx));
  if (!ctx.has_input(2)) return tensor_fact(ctx.dtype(0), std::move(shape));
  const auto given = ctx.elements(2);
  if (!given) return tensor_fact(ctx.dtype(0), ctx.unknown_shape(ctx.rank(0)));
  if (given->size() != shape.size())
    return ctx.fail("output_shape has {} entries; {} are wanted", given->size(), shape.size());
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const Dim& dim = (*given)[axis];
    if (ctx.symbols().less(dim, shape[axis]) == Truth::yes)
      return ctx.fail("output_shape[{}] is {}, less than the unpooled {}", axis, ctx.symbols().to_text(dim),
                      ctx.symbols().to_text(shape[axis]));
    ctx.assume({Constraint::Kind::at_least, dim, shape[axis]});
    shape[axis] = ctx.size_of(dim);
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status max_unpool_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &indices = ctx.input(1);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const UnpoolSizes sizes, unpool_sizes(ctx));
  const Shape &inner = sizes.inner, strides = row_major_strides(y.shape());
  for (int64_t i = 0; i < y.count(); ++i) store_double(y, i, 0);
  for (int64_t i = 0; i < x.count(); ++i) {
    int64_t index = load_i64(indices, i), at = 0;
    if (index < 0 || index >= sizes.count)
      return invalid_argument("I[{}] is {}, outside [0, {})", i, index, sizes.count);
    for (size_t axis = inner.size(); axis-- > 0;) {
      at += index % inner[axis] * strides[axis];
      index /= inner[axis];
    }
    store_double(y, at, load_double(x, i));
  }
  return {};
}

}  // namespace

Result<UnpoolSizes> unpool_sizes(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const WindowAttributes w, read_windows(ctx.attributes(), static_cast<size_t>(x.rank()) - 2, {}));
  Shape inner(x.shape());
  for (size_t axis = 0; axis < w.kernel.size(); ++axis)
    inner[2 + axis] = (inner[2 + axis] - 1) * w.strides[axis] + w.kernel[axis] - w.begin[axis] - w.end[axis];
  const auto count = checked_count(inner);
  if (!count) return invalid_argument("the unpooled shape {} is impossible", to_text(inner));
  return UnpoolSizes{.inner = inner, .count = *count};
}

SDX_OP(max_unpool) = {
    .name = "MaxUnpool",
    .since = 22,
    .infer = infer_max_unpool,
    .reference = max_unpool_reference,
    .records_constraints = true,
    .needs_values = input_bit(2),
};

}  // namespace sdx::ops
