// Reshape: the same elements under another shape. -1 (once) takes what is left; 0 copies the input's dimension, unless
// allowzero=1.
#include <algorithm>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_reshape(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  const auto target = ctx.elements(1);
  if (!target) return tensor_fact(data.dtype, std::nullopt);
  const bool allow_zero = ctx.attr_int("allowzero", 0) != 0;
  SymShape shape;
  std::optional<size_t> rest;
  Dim product(1);
  for (size_t i = 0; i < target->size(); ++i) {
    Dim dim = (*target)[i];
    if (dim.is(-1)) {
      if (rest) return ctx.fail("shape has more than one -1");
      rest = i;
      shape.push_back(Dim(1));
      continue;
    }
    if (dim.is_known() && dim.known() < -1) return ctx.fail("shape[{}] is {}, below -1", i, dim.known());
    if (dim.is(0) && !allow_zero) {
      if (data.has_rank() && i >= data.shape->size())
        return ctx.fail("shape[{}] is 0 but the input has rank {}", i, data.rank());
      dim = data.has_rank() ? data.dim(static_cast<int>(i)) : ctx.unknown_dim();
    } else if (!dim.is_known()) {
      // Another meaning than a size, -1 or 0, is left to the run; 0 may stand for the very dimension that is here.
      const bool copies = data.has_rank() && i < data.shape->size() && dim == data.dim(static_cast<int>(i));
      dim = ctx.size_of(dim, allow_zero || copies ? 0 : 1);
    }
    product = ctx.symbols().mul(product, dim);
    shape.push_back(dim);
  }
  const bool all_known = std::all_of(shape.begin(), shape.end(), [](const Dim& dim) { return dim.is_known(); });
  if (all_known && !product.is_known()) return ctx.fail("shape has more elements than can be counted");
  if (!data.has_rank()) {
    if (rest) shape[*rest] = ctx.unknown_dim();
    return tensor_fact(data.dtype, std::move(shape));
  }
  Dim total(1);
  for (const Dim& dim : *data.shape) total = ctx.symbols().mul(total, dim);
  if (rest) {
    if (product.is(0) && total.is_known()) return ctx.fail("-1 is ambiguous: the other dimensions hold no element");
    if (product.is_known() && total.is_known() && total.known() % product.known() != 0)
      return ctx.fail("{} elements do not divide into {} for the -1", total.known(), product.known());
    ctx.assume({Constraint::Kind::at_least, product, Dim(1)});
    ctx.assume({Constraint::Kind::divides, total, product});
    shape[*rest] = product.is(0) ? ctx.unknown_dim() : ctx.symbols().floor_div(total, product);
  } else if (ctx.symbols().equal(total, product) == Truth::no) {
    return ctx.fail("{} elements cannot become {}", ctx.symbols().to_text(total), ctx.symbols().to_text(product));
  } else {
    ctx.assume({Constraint::Kind::equal, total, product});
  }
  Fact fact = tensor_fact(data.dtype, std::move(shape));
  if (fact.rank() <= 1) fact.elements = data.elements;
  return fact;
}

Status reshape_reference(KernelContext& ctx) {
  ctx.set_output(0, ctx.input(0).reshaped(ctx.output_shape(0)));
  return {};
}

// Up to opset 4 the shape was an attribute.
Status reshape_1_to_5(UpgradeContext& ctx) {
  ctx.attributes().remove("consumed_inputs");
  ctx.attribute_to_input("shape", 1);
  return {};
}

}  // namespace

SDX_OP(reshape) = {
    .name = "Reshape",
    .since = 14,
    .infer = infer_reshape,
    .reference = reshape_reference,
    .upgrades = {{1, reshape_1_to_5}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .view_of = 0,
};

}  // namespace sdx::ops
