// What the standard says of a node, checked against the node: arity, attributes, types.
#include "onnx/check_schema.h"

#include "onnx/importer.h"

namespace sdx::onnx {
namespace {

Status check_arity(const Node& node, const ops::OpFacts& facts) {
  const auto most = [](int n) { return n == ops::kUnbounded ? std::string("any number") : std::to_string(n); };
  const auto count = static_cast<int>(node.inputs.size());
  if (count < facts.min_inputs || count > facts.max_inputs)
    return invalid_graph("{} inputs are given, {} {} takes {} to {}", count, node.op, facts.since, facts.min_inputs,
                         most(facts.max_inputs));
  const auto outputs = static_cast<int>(node.outputs.size());
  if (outputs < facts.min_outputs || outputs > facts.max_outputs)
    return invalid_graph("{} outputs are asked for, {} {} has {} to {}", outputs, node.op, facts.since,
                         facts.min_outputs, most(facts.max_outputs));
  for (size_t i = 0; i < node.inputs.size() && i < facts.inputs.size(); ++i)
    if (node.inputs[i] == kNoValue && facts.inputs[i].option == ops::FormalOption::single)
      return invalid_graph("input {} ({}) is required", i, facts.inputs[i].name);
  return {};
}

Status check_attributes(const Node& node, const ops::OpFacts& facts) {
  for (const Attribute& attribute : node.attributes.list()) {
    const ops::AttributeFacts* known = ops::find_attribute(facts, attribute.name);
    if (known == nullptr) return invalid_graph("{} {} has no attribute \"{}\"", node.op, facts.since, attribute.name);
    if (known->kind != attribute.kind())
      return invalid_graph("attribute \"{}\" is of kind {}, {} is wanted", attribute.name,
                           static_cast<int>(attribute.kind()), static_cast<int>(known->kind));
  }
  for (const ops::AttributeFacts& known : facts.attributes)
    if (known.required && !node.attributes.has(known.name))
      return invalid_graph("the required attribute \"{}\" is missing", known.name);
  return {};
}

bool allows(const ops::TypeConstraint& constraint, const Fact& fact) {
  const auto has = [](uint64_t set, DType type) { return type == DType::undefined || contains(set, type); };
  const DType inner = fact.inner.empty() ? DType::undefined : fact.inner[0].dtype;
  switch (fact.kind) {
    case ValueKind::none:
    case ValueKind::sparse: return true;
    case ValueKind::tensor:
      return has(constraint.tensor_types, fact.dtype) &&
             (constraint.tensor_types != 0 || fact.dtype == DType::undefined);
    case ValueKind::sequence:
      return constraint.maps || (constraint.sequence_types != 0 && has(constraint.sequence_types, inner));
    case ValueKind::optional: {
      const uint64_t set = constraint.optional_types | constraint.optional_sequence_types;
      return set != 0 && has(set, inner);
    }
    case ValueKind::map: return constraint.maps;
  }
  return true;
}

Status check_types(const Graph& graph, const Node& node, const ops::OpFacts& facts) {
  std::vector<const Fact*> bound(facts.constraints.size(), nullptr);
  for (size_t i = 0; i < node.inputs.size() && !facts.inputs.empty(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    const ops::Formal& formal = facts.inputs[std::min(i, facts.inputs.size() - 1)];
    if (formal.constraint < 0) continue;
    const Fact& fact = graph.fact(node.inputs[i]);
    const ops::TypeConstraint& constraint = facts.constraints[static_cast<size_t>(formal.constraint)];
    const std::string& value = graph.value(node.inputs[i]).name;
    if (!allows(constraint, fact))
      return invalid_graph("input {} \"{}\" is {}, which {} {} does not take for {}", i, value, to_text(type_of(fact)),
                           node.op, facts.since, formal.name);
    const Fact*& first = bound[static_cast<size_t>(formal.constraint)];
    if (fact.kind == ValueKind::none || fact.dtype == DType::undefined || !formal.homogeneous) continue;
    if (first != nullptr && (first->kind != fact.kind || first->dtype != fact.dtype))
      return invalid_graph("input {} \"{}\" is {}, another input of type {} is {}", i, value, to_text(type_of(fact)),
                           constraint.name, to_text(type_of(*first)));
    first = &fact;
  }
  return {};
}

Status check_outputs(const Graph& graph, const Node& node, const ops::OpFacts& facts) {
  for (size_t i = 0; i < node.outputs.size() && !facts.outputs.empty(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    const ops::Formal& formal = facts.outputs[std::min(i, facts.outputs.size() - 1)];
    if (formal.constraint < 0) continue;
    const Fact& fact = graph.fact(node.outputs[i]);
    if (!allows(facts.constraints[static_cast<size_t>(formal.constraint)], fact))
      return invalid_graph("output {} \"{}\" is {}, which {} {} does not make", i, graph.value(node.outputs[i]).name,
                           to_text(type_of(fact)), node.op, facts.since);
  }
  return {};
}

}  // namespace

bool is_standard_domain(std::string_view domain) {
  return domain.empty() || domain == "ai.onnx.ml" || domain == "ai.onnx.preview" ||
         domain == "ai.onnx.preview.training";
}

int newest_opset(std::string_view domain) { return domain.empty() ? kNewestOpset : kNewestMlOpset; }

const ops::OpFacts* facts_at_or_after(const Node& node) {
  const ops::OpFacts* facts = ops::find_facts(node.domain, node.op, node.opset);
  if (!is_standard_domain(node.domain)) return facts;
  for (int opset = node.opset + 1; facts == nullptr && opset <= newest_opset(node.domain); ++opset)
    facts = ops::find_facts(node.domain, node.op, opset);
  return facts;
}

Status check_schema(const Graph& graph, const Node& node, const ops::OpFacts& facts) {
  SDX_TRY(check_arity(node, facts));
  SDX_TRY(check_attributes(node, facts));
  return check_types(graph, node, facts);
}

Status check_schema_and_outputs(const Graph& graph, const Node& node, const ops::OpFacts& facts) {
  SDX_TRY(check_schema(graph, node, facts));
  return check_outputs(graph, node, facts);
}

}  // namespace sdx::onnx
