// Compress: the slices along an axis (elements, without one) whose condition holds. A condition that is shorter than
// the axis leaves out the rest.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_compress(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  if (ctx.has_rank(1) && ctx.rank(1) != 1) return ctx.fail("the condition has rank {}, 1 is wanted", ctx.rank(1));
  if (!ctx.attributes().has("axis")) return tensor_fact(x.dtype, SymShape{ctx.unknown_dim()});
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), x.rank()));
  SymShape shape = *x.shape;
  shape[static_cast<size_t>(axis)] = ctx.unknown_dim();
  return tensor_fact(x.dtype, std::move(shape));
}

Status compress_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &condition = ctx.input(1);
  const bool flat = !ctx.attributes().has("axis");
  const auto axis = flat ? 0 : static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), x.rank()));
  Shape shape = flat ? Shape{x.count()} : x.shape();
  const int64_t size = shape[axis];
  if (condition.count() > size)
    return invalid_argument("the condition has {} elements, the axis {}", condition.count(), size);
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < condition.count(); ++i)
    if (load_i64(condition, i) != 0) kept.push_back(i);
  shape[axis] = static_cast<int64_t>(kept.size());
  const int64_t outer = count_range(shape, 0, axis), inner = count_range(shape, axis + 1, shape.size());
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, shape));
  for (int64_t row = 0; row < outer; ++row)
    for (const int64_t at : kept) writer.append(x, (row * size + at) * inner, inner);
  return writer.finish();
}

}  // namespace

SDX_OP(compress) = {.name = "Compress",
                    .since = 28,
                    .infer = infer_compress,
                    .reference = compress_reference,
                    .records_constraints = true};

}  // namespace sdx::ops
