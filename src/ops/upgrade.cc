#include "ops/upgrade.h"

#include "base/element.h"

namespace sdx::ops {

void UpgradeContext::set_input(size_t i, ValueId value) {
  if (node_.inputs.size() <= i) node_.inputs.resize(i + 1, kNoValue);
  node_.inputs[i] = value;
}

ValueId UpgradeContext::constant(Tensor tensor) {
  const std::string base = node_.name.empty() ? node_.op : node_.name;
  return graph_.add_initializer(base + "/constant", std::move(tensor));
}

ValueId UpgradeContext::scalar(DType type, double value) {
  auto tensor = Tensor::allocate(type, {});
  SDX_CHECK(tensor.ok(), "a scalar cannot be allocated");
  store_double(*tensor, 0, value);
  return constant(std::move(tensor).value());
}

Node UpgradeContext::make(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                          std::string_view domain) const {
  Node made;
  made.op = op;
  made.domain = domain;
  made.name = node_.name;
  made.origins = node_.origins;
  made.group = node_.group;
  made.inputs = std::move(inputs);
  made.attributes.list() = std::move(attributes);
  return made;
}

ValueId UpgradeContext::add(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                            std::string_view domain) {
  return add_many(op, std::move(inputs), 1, std::move(attributes), domain)[0];
}

std::vector<ValueId> UpgradeContext::add_many(std::string_view op, std::vector<ValueId> inputs, size_t outputs,
                                              std::vector<Attribute> attributes, std::string_view domain) {
  Node made = make(op, std::move(inputs), std::move(attributes), domain);
  const std::string base = node_.name.empty() ? node_.op : node_.name;
  for (size_t i = 0; i < outputs; ++i) made.outputs.push_back(graph_.add_value(formatted("{}/{}", base, op)));
  std::vector<ValueId> values = made.outputs;
  before_.push_back(std::move(made));
  return values;
}

ValueId UpgradeContext::intercept_output(size_t i) {
  const std::string base = node_.name.empty() ? node_.op : node_.name;
  const ValueId inner = graph_.add_value(base + "/inner");
  node_.outputs[i] = inner;
  return inner;
}

void UpgradeContext::add_after(std::string_view op, std::vector<ValueId> inputs, ValueId output,
                               std::vector<Attribute> attributes) {
  Node made = make(op, std::move(inputs), std::move(attributes), "");
  made.outputs.push_back(output);
  after_.push_back(std::move(made));
}

void UpgradeContext::become(std::string_view op, std::vector<ValueId> inputs, std::vector<Attribute> attributes,
                            std::string_view domain) {
  node_.op = op;
  node_.domain = domain;
  node_.inputs = std::move(inputs);
  node_.attributes.list() = std::move(attributes);
}

void UpgradeContext::attribute_to_input(std::string_view attribute, size_t i) {
  if (const auto* list = attributes().get<std::vector<int64_t>>(attribute)) {
    set_input(i, ints(*list));
  } else if (const auto* one = attributes().get<int64_t>(attribute)) {
    set_input(i, scalar(*one));
  }
  attributes().remove(attribute);
}

Status drop_consumed_inputs(UpgradeContext& ctx) {
  ctx.attributes().remove("consumed_inputs");
  return {};
}

// With broadcast=1 the second operand's dimensions line up with the first's from `axis` on (default: at the end).
Status upgrade_axis_broadcast(UpgradeContext& ctx) {
  ctx.attributes().remove("consumed_inputs");
  const auto* axis_attribute = ctx.attributes().get<int64_t>("axis");
  const std::optional<int64_t> axis = axis_attribute ? std::optional<int64_t>(*axis_attribute) : std::nullopt;
  const bool broadcast = ctx.attributes().get_int("broadcast", 0) != 0;
  ctx.attributes().remove("axis");
  ctx.attributes().remove("broadcast");
  if (!broadcast || !axis) return {};
  if (!ctx.has_input(0) || !ctx.has_input(1)) return ctx.fail("two inputs are wanted");
  const Fact &a = ctx.fact(0), &b = ctx.fact(1);
  if (!a.has_rank() || !b.has_rank())
    return ctx.fail("attribute axis needs the ranks of both inputs, which are not known");
  const int64_t from = *axis < 0 ? *axis + a.rank() : *axis;
  const int64_t trailing = a.rank() - from - b.rank();
  if (from < 0 || trailing < 0)
    return ctx.fail("axis {} does not fit operands of rank {} and {}", *axis, a.rank(), b.rank());
  if (trailing == 0) return {};
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < trailing; ++i) axes.push_back(b.rank() + i);
  ctx.set_input(1, ctx.add("Unsqueeze", {ctx.input(1), ctx.ints(axes)}));
  return {};
}

}  // namespace sdx::ops
