// Transpose: dimension i of the result is dimension perm[i] of the input; reversed when perm is absent.
#include "ops/shape/transpose.h"

#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

// Elements of a matrix whose axes change places.
void track_turned(Fact& fact, const std::vector<Dim>& elements) {
  const auto shape = fact.known_shape();
  if (!shape || static_cast<int64_t>(elements.size()) != count_of(*shape)) return;
  std::vector<Dim> turned;
  for (int64_t row = 0; row < (*shape)[0]; ++row)
    for (int64_t column = 0; column < (*shape)[1]; ++column)
      turned.push_back(elements[static_cast<size_t>(column * (*shape)[0] + row)]);
  track(fact, std::move(turned));
}

Result<Facts> infer_transpose(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  const auto perm = ctx.attr_ints("perm");
  const bool given = ctx.attributes().has("perm");
  if (!data.has_rank()) {
    if (!given) return tensor_fact(data.dtype, std::nullopt);
    return tensor_fact(data.dtype, ctx.unknown_shape(static_cast<int>(perm.size())));
  }
  SymShape shape(data.shape->rbegin(), data.shape->rend());
  if (given) {
    if (perm.size() != shape.size())
      return ctx.fail("perm has {} axes, the input has rank {}", perm.size(), shape.size());
    for (const int64_t axis : perm)
      if (axis < 0 || axis >= data.rank()) return ctx.fail("perm holds {}, outside [0, {})", axis, data.rank());
    SDX_TRY(unique_axes(perm, data.rank(), "perm").status());
    for (size_t i = 0; i < shape.size(); ++i) shape[i] = data.dim(static_cast<int>(perm[i]));
  }
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  const auto* elements = tracked_elements(ctx, 0);
  if (elements == nullptr) return fact;
  if (fact.rank() == 2 && (!given || perm[0] == 1)) {
    track_turned(fact, *elements);
  } else {
    track(fact, *elements);
  }
  return fact;
}

Status transpose_reference(KernelContext& ctx) { return write_view(ctx, 0, ctx.input(0), transposed_view(ctx)); }

}  // namespace

SDX_OP(transpose) = {.name = "Transpose",
                     .since = 25,
                     .infer = infer_transpose,
                     .reference = transpose_reference,
                     .records_constraints = true};

}  // namespace sdx::ops
