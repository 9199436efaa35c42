// Split: parts along an axis: of the sizes in `split`, else num_outputs equal ones of which the last may be smaller.
#include "ops/shape/split.h"

#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

// Sizes of the parts; the axis has `size` elements.
Result<std::vector<Dim>> part_sizes(InferContext& ctx, const Dim& size) {
  const size_t outputs = ctx.output_count();
  SymbolTable& symbols = ctx.symbols();
  std::vector<Dim> parts;
  if (ctx.has_input(1)) {
    if (ctx.attributes().has("num_outputs"))
      return ctx.fail("input split and attribute num_outputs exclude each other");
    const auto given = ctx.elements(1);
    if (given && given->size() != outputs)
      return ctx.fail("split has {} elements for {} outputs", given->size(), outputs);
    Dim total(0);
    for (size_t i = 0; i < outputs; ++i) {
      parts.push_back(given ? ctx.size_of((*given)[i]) : ctx.unknown_dim());
      if (parts[i].is_known() && parts[i].known() < 0) return ctx.fail("split[{}] is {}, below 0", i, parts[i].known());
      total = symbols.add(total, parts[i]);
    }
    if (symbols.equal(total, size) == Truth::no)
      return ctx.fail("the parts hold {}, the axis has {}", symbols.to_text(total), symbols.to_text(size));
    ctx.assume({Constraint::Kind::equal, total, size});
    return parts;
  }
  const int64_t count = ctx.attr_int("num_outputs", static_cast<int64_t>(outputs));
  if (count != static_cast<int64_t>(outputs))
    return ctx.fail("num_outputs is {}, the node has {} outputs", count, outputs);
  const Dim part = symbols.ceil_div(size, Dim(count));
  Dim left = size;
  for (int64_t i = 0; i < count; ++i) {
    const Dim own = size.is_known() ? Dim(std::max<int64_t>(0, std::min(part.known(), left.known())))
                    : i + 1 < count ? part
                                    : left;
    parts.push_back(own);
    left = symbols.sub(left, own);
  }
  return parts;  // where nothing were left for the last of several, it would be below 0: the run asks again
}

Result<Facts> infer_split(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  std::vector<Fact> facts(ctx.output_count(), tensor_fact(data.dtype, std::nullopt));
  if (!data.has_rank()) return Facts(std::move(facts));
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_ASSIGN(const std::vector<Dim> parts, part_sizes(ctx, data.dim(axis)));
  const auto* values = tracked_elements(ctx, 0);
  size_t at = 0;
  for (size_t i = 0; i < facts.size(); ++i) {
    facts[i].shape = data.shape;
    (*facts[i].shape)[static_cast<size_t>(axis)] = parts[i];
    if (values == nullptr || data.rank() != 1 || !parts[i].is_known()) {
      values = nullptr;
      continue;
    }
    const auto begin = values->begin() + static_cast<int64_t>(at);
    track(facts[i], {begin, begin + parts[i].known()});
    at += static_cast<size_t>(parts[i].known());
  }
  return Facts(std::move(facts));
}

Status split_reference(KernelContext& ctx) { return write_parts(ctx, write_view); }

// Opset 1 took the sizes as an input of the data's type as well.
Status split_1_to_2(UpgradeContext& ctx) {
  if (ctx.has_input(1)) {
    ctx.attributes().remove("split");
    ctx.set_input(1, ctx.add("Cast", {ctx.input(1)}, {attr("to", static_cast<int64_t>(DType::i64))}));
  }
  return {};
}

// Up to opset 12 the sizes were an attribute.
Status split_11_to_13(UpgradeContext& ctx) {
  ctx.attribute_to_input("split", 1);
  return {};
}

Status split_13_to_18(UpgradeContext& ctx) {
  if (!ctx.has_input(1)) ctx.attributes().set("num_outputs", static_cast<int64_t>(ctx.node().outputs.size()));
  return {};
}

}  // namespace

SDX_OP(split) = {
    .name = "Split",
    .since = 18,
    .infer = infer_split,
    .reference = split_reference,
    .upgrades = {{1, split_1_to_2}, {11, split_11_to_13}, {13, split_13_to_18}},
    .records_constraints = true,
    .needs_values = input_bit(1),
};

}  // namespace sdx::ops
