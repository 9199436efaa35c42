// Concat: the inputs one after another along an axis; all other dimensions are equal.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

// The result along a vector axis carries the elements of shape-carrying inputs.
std::optional<std::vector<Dim>> joined_elements(const InferContext& ctx) {
  std::vector<Dim> joined;
  bool any = false;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    any = any || ctx.input(i).elements;
    const auto part = ctx.elements(i);
    if (!part || joined.size() + part->size() > kMaxTrackedElements) return std::nullopt;
    joined.insert(joined.end(), part->begin(), part->end());
  }
  return any ? std::optional(std::move(joined)) : std::nullopt;
}

Result<Facts> infer_concat(InferContext& ctx) {
  const auto* axis_attribute = ctx.attributes().get<int64_t>("axis");
  if (axis_attribute == nullptr) return ctx.fail("attribute axis is missing");
  std::optional<SymShape> shape;
  int axis = 0;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    if (!ctx.has_rank(i)) return tensor_fact(ctx.dtype(0), std::nullopt);
    const SymShape& own = *ctx.input(i).shape;
    if (own.empty()) return ctx.fail("input {} is a scalar", i);
    if (!shape) {
      SDX_ASSIGN(axis, ctx.axis(*axis_attribute, static_cast<int>(own.size())));
      shape = own;
      continue;
    }
    if (own.size() != shape->size())
      return ctx.fail("input {} has rank {}, input 0 has rank {}", i, own.size(), shape->size());
    for (size_t d = 0; d < own.size(); ++d) {
      if (d == static_cast<size_t>(axis)) {
        (*shape)[d] = ctx.symbols().add((*shape)[d], own[d]);
      } else {
        SDX_ASSIGN((*shape)[d], ctx.same((*shape)[d], own[d], formatted("dimension {} of input {}", d, i)));
      }
    }
  }
  Fact fact = tensor_fact(ctx.dtype(0), std::move(shape));
  if (fact.rank() == 1 && is_integer(fact.dtype)) fact.elements = joined_elements(ctx);
  return fact;
}

Status concat_reference(KernelContext& ctx) {
  const Shape& shape = ctx.output_shape(0);
  const int axis = *normalize_axis(ctx.attr_int("axis", 0), static_cast<int64_t>(shape.size()));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, shape));
  const int64_t outer = count_range(shape, 0, static_cast<size_t>(axis));
  for (int64_t row = 0; row < outer; ++row) {
    for (size_t i = 0; i < ctx.input_count(); ++i) {
      const Tensor& part = ctx.input(i);
      const int64_t run = count_range(part.shape(), static_cast<size_t>(axis), part.shape().size());
      writer.append(part, row * run, run);
    }
  }
  return writer.finish();
}

// Up to opset 3 the axis was 1 by default.
Status concat_1_to_4(UpgradeContext& ctx) {
  if (!ctx.attributes().has("axis")) ctx.attributes().set("axis", int64_t{1});
  return {};
}

}  // namespace

SDX_OP(concat) = {
    .name = "Concat",
    .since = 13,
    .infer = infer_concat,
    .reference = concat_reference,
    .upgrades = {{1, concat_1_to_4}},
    .records_constraints = true,
};

}  // namespace sdx::ops
