#include "onnx/export_opset.h"

#include <algorithm>

#include "onnx/check_schema.h"
#include "onnx/import_types.h"
#include "ops/graph_inference.h"

namespace sdx::onnx {
namespace {

int opset_of(const Opsets& opsets, const std::string& domain) {
  const auto found = opsets.find(domain);
  return found == opsets.end() ? 1 : static_cast<int>(found->second);
}

// The opset at which the form that began at `since` ends; where an operator ends with it, that very opset.
int end_of_form(const std::string& domain, const std::string& op, int since) {
  for (int opset = since + 1; opset <= newest_opset(domain); ++opset) {
    const ops::OpFacts* facts = ops::find_facts(domain, op, opset);
    if (facts != nullptr && facts->since > since) return facts->since;
  }
  return since;
}

// Applies the steps that lead from the form in force at the node's opset to the one in force at `opset`.
Status upgrade_to(ops::UpgradeContext& ctx, int opset) {
  Node& node = ctx.node();
  const ops::OpEntry* entry = ops::find_op(node.domain, node.op);
  const ops::OpFacts* facts = facts_at_or_after(node);
  if (entry == nullptr || facts == nullptr) return {};
  for (const ops::Upgrade& upgrade : entry->contract->upgrades) {
    if (upgrade.apply == nullptr || upgrade.from < facts->since) continue;
    const std::string op = node.op;
    if (end_of_form(node.domain, op, upgrade.from) > opset) continue;
    SDX_TRY(upgrade.apply(ctx));
    if (node.op != op) break;
  }
  return {};
}

bool has_steps_from(const Node& node, int since) {
  const ops::OpEntry* entry = ops::find_op(node.domain, node.op);
  return entry != nullptr && std::ranges::any_of(entry->contract->upgrades, [&](const ops::Upgrade& upgrade) {
           return upgrade.apply != nullptr && upgrade.from >= since;
         });
}

// Values of a graph by others that stand for them in a scratch graph, with their facts and names.
class StandIns {
 public:
  StandIns(Graph& scratch, const Graph& graph) : scratch_(scratch), graph_(graph) {}
  ValueId of(ValueId value) {
    if (value == kNoValue) return kNoValue;
    const auto [known, fresh] = made_.emplace(value, kNoValue);
    if (!fresh) return known->second;
    known->second = scratch_.add_value(graph_.value(value).name, graph_.fact(value));
    scratch_.value(known->second).is_initializer = graph_.value(value).is_initializer;
    return known->second;
  }
  std::vector<ValueId> of(const std::vector<ValueId>& values) {
    std::vector<ValueId> list;
    for (const ValueId value : values) list.push_back(of(value));
    return list;
  }

 private:
  Graph& scratch_;
  const Graph& graph_;
  std::map<ValueId, ValueId> made_;
};

bool same_shapes(const Graph& graph, const std::vector<ValueId>& values) {
  for (const ValueId value : values) {
    if (value == kNoValue) continue;
    if (!graph.fact(value).shape || *graph.fact(value).shape != graph.fact(values[0]).shape) return false;
  }
  return true;
}

// What older versions of an operator take in the same form as newer ones, but not as widely.
bool allowed_before_widening(const Graph& graph, const Node& node, int opset) {
  if (!node.domain.empty()) return true;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, node.op) != names.end();
  };
  // Operands did not broadcast.
  if (opset < 7 && is_one_of({"Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less"}) &&
      !same_shapes(graph, node.inputs))
    return false;
  if (opset < 8 && is_one_of({"Sum", "Max", "Min", "Mean"}) && !same_shapes(graph, node.inputs)) return false;
  if (opset < 7 && node.op == "PRelu") return false;
  if (opset < 7 && node.op == "Gemm" && !same_shapes(graph, {node.outputs[0], node.inputs.back()})) return false;
  // Axes did not count from the end.
  if (opset < 11) {
    if (node.attributes.get_int("axis", 0) < 0) return false;
    if (std::ranges::any_of(node.attributes.get_ints("axes"), [](int64_t axis) { return axis < 0; })) return false;
  }
  return true;
}

}  // namespace

std::string domain_of(const Graph& graph, const Unit& unit) {
  return unit.form == nullptr ? graph.node(unit.nodes[0]).domain : canonical_domain(unit.form->node->domain);
}

std::unique_ptr<Graph> Speller::new_scratch() {
  if (!symbols_) symbols_ = imported_.graph.symbols();
  return std::make_unique<Graph>(*symbols_);
}

// Whether a canonical node is in the form in force at the opset, with the same meaning there.
bool Speller::says(const Graph& graph, const Node& node, const Opsets& opsets) {
  if (!is_standard_domain(node.domain)) return true;
  const int opset = opset_of(opsets, node.domain);
  const ops::OpFacts* facts = ops::find_facts(node.domain, node.op, opset);
  if (facts == nullptr) return ops::find_facts(node.domain, node.op, newest_opset(node.domain)) == nullptr;
  if (facts->deprecated || !check_schema_and_outputs(graph, node, *facts).ok()) return false;
  const ops::OpFacts& newest = *ops::find_facts(node.domain, node.op, std::max(opset, newest_opset(node.domain)));
  if (&newest == facts) return true;
  if (!allowed_before_widening(graph, node, opset)) return false;
  for (const ops::AttributeFacts& attribute : newest.attributes) {
    const ops::AttributeFacts* then = ops::find_attribute(*facts, attribute.name);
    if (then == nullptr || node.attributes.has(attribute.name)) continue;
    if (then->has_default != attribute.has_default || then->default_value != attribute.default_value) return false;
  }
  if (!has_steps_from(node, facts->since)) return true;
  const auto scratch = new_scratch();
  StandIns stand_ins(*scratch, graph);
  Node older = node;
  older.opset = opset;
  older.inputs = stand_ins.of(node.inputs);
  older.outputs = stand_ins.of(node.outputs);
  const Node before = older;
  ops::UpgradeContext ctx(*scratch, older);
  if (!upgrade_to(ctx, newest_opset(node.domain)).ok()) return false;
  return ctx.before().empty() && ctx.after().empty() && older.inputs == before.inputs &&
         older.outputs == before.outputs && fingerprint(older) == fingerprint(before);
}

// The model's node in the form that it has at a later opset.
std::optional<Spelling> Speller::rewritten(const Graph& graph, const Unit& unit, const Opsets& opsets) {
  const FirstForm& form = *unit.form;
  Spelling spelling;
  spelling.scratch = new_scratch();
  Graph& scratch = *spelling.scratch;
  StandIns stand_ins(scratch, graph);
  spelling.inputs = stand_ins.of(unit.inputs);
  spelling.outputs = stand_ins.of(unit.outputs);
  Node node;
  node.domain = canonical_domain(form.node->domain);
  node.op = form.node->op_type;
  node.name = graph.node(unit.nodes[0]).name;
  node.origins = graph.node(unit.nodes[0]).origins;
  node.opset = form.opset;
  node.inputs = spelling.inputs;
  node.outputs = spelling.outputs;
  for (const AttributeProto& attribute : form.node->attribute) {
    auto made = attribute_from_proto(attribute, model_, scratch.symbols());
    if (!made.ok()) return std::nullopt;
    node.attributes.list().push_back(std::move(made).value());
  }
  const int opset = opset_of(opsets, node.domain);
  ops::UpgradeContext ctx(scratch, node);
  if (!upgrade_to(ctx, opset).ok()) return std::nullopt;
  const ops::OpFacts* facts = ops::find_facts(node.domain, node.op, opset_of(opsets, node.domain));
  if (facts == nullptr || facts->deprecated) return std::nullopt;
  ops::InferenceBudget budget;
  const auto add = [&](Node helper) {
    const NodeId id = scratch.add_node(std::move(helper));
    return ops::infer_node(scratch, id, budget).ok() && says(scratch, scratch.node(id), opsets);
  };
  for (Node& before : ctx.before())
    if (!add(std::move(before))) return std::nullopt;
  if (!check_schema(scratch, node, *facts).ok() || !allowed_before_widening(scratch, node, opset)) return std::nullopt;
  scratch.add_node(std::move(node));
  for (Node& after : ctx.after())
    if (!add(std::move(after))) return std::nullopt;
  return spelling;
}

std::optional<Spelling> Speller::spell(const Graph& graph, const Unit& unit, const Opsets& opsets) {
  if (unit.form != nullptr) {
    Spelling first;
    first.as_first = true;
    const std::string domain = canonical_domain(unit.form->node->domain);
    if (unit.form->is_call() || !is_standard_domain(domain)) return first;
    if (opset_of(opsets, domain) == unit.form->opset) return first;
    if (!unit.is_plain() && opset_of(opsets, domain) > unit.form->opset && !has_subgraphs(*unit.form->node))
      if (auto later = rewritten(graph, unit, opsets)) return later;
  }
  for (const NodeId id : unit.nodes)
    if (!says(graph, graph.node(id), opsets)) return std::nullopt;
  return Spelling();
}

}  // namespace sdx::onnx
