// OneHot: a new axis of size `depth`, which holds values[1] at the index and values[0] elsewhere. Negative indices
// count from the end; an index outside leaves values[0] everywhere.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

int64_t as_integer(const Tensor& tensor, int64_t i) {
  return is_floating(tensor.dtype()) ? double_to_i64(load_double(tensor, i)) : load_i64(tensor, i);
}

Result<Facts> infer_one_hot(InferContext& ctx) {
  const Fact &indices = ctx.input(0), &values = ctx.input(2);
  if (values.has_rank() && (values.rank() != 1 || (values.dim(0).is_known() && !values.dim(0).is(2))))
    return ctx.fail("values have shape {}, [2] is wanted", to_text(values, ctx.symbols()));
  if (values.has_rank()) ctx.assume({Constraint::Kind::equal, values.dim(0), Dim(2)});
  Dim depth = ctx.unknown_dim();
  if (const Tensor* constant = ctx.constant(1)) {
    if (constant->count() != 1) return ctx.fail("depth has {} elements, one is wanted", constant->count());
    depth = Dim(as_integer(*constant, 0));
    if (depth.known() < 0) return ctx.fail("depth is {}, below 0", depth.known());
  } else if (const auto& tracked = ctx.input(1).elements; tracked && tracked->size() == 1) {
    depth = ctx.size_of((*tracked)[0]);
  }
  if (!indices.has_rank()) return tensor_fact(values.dtype, std::nullopt);
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", -1), indices.rank() + 1));
  SymShape shape = *indices.shape;
  shape.insert(shape.begin() + axis, depth);
  return tensor_fact(values.dtype, std::move(shape));
}

Status one_hot_reference(KernelContext& ctx) {
  const Tensor &indices = ctx.input(0), &values = ctx.input(2);
  const int64_t depth = as_integer(ctx.input(1), 0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -1), indices.rank() + 1));
  Shape shape = indices.shape();
  shape.insert(axis, depth);
  const int64_t outer = count_range(shape, 0, axis), inner = count_range(shape, axis + 1, shape.size());
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, shape));
  if (count_of(shape) == 0) return writer.finish();
  if (inner == 1) {
    for (int64_t row = 0; row < outer; ++row) {
      int64_t hot = as_integer(indices, row);
      if (hot < 0 && hot >= -depth) hot += depth;
      const bool inside = hot >= 0 && hot < depth;
      writer.repeat(values, 0, inside ? hot : depth);
      if (!inside) continue;
      writer.append(values, 1);
      writer.repeat(values, 0, depth - hot - 1);
    }
    return writer.finish();
  }
  for (int64_t row = 0; row < outer; ++row) {
    for (int64_t d = 0; d < depth; ++d) {
      for (int64_t i = 0; i < inner; ++i) {
        const int64_t index = as_integer(indices, row * inner + i);
        writer.append(values, index == d || index == d - depth ? 1 : 0);
      }
    }
  }
  return writer.finish();
}

}  // namespace

SDX_OP(one_hot) = {
    .name = "OneHot",
    .since = 28,
    .infer = infer_one_hot,
    .reference = one_hot_reference,
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
