#include "passes/rewrite.h"

#include <algorithm>

#include "ops/checked_infer.h"

namespace sdx::passes {
namespace {

void append_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

std::vector<std::string> origins_of(const Graph& graph, std::span<const NodeId> nodes) {
  std::vector<std::string> origins;
  for (const NodeId id : nodes) append_new(origins, graph.node(id).origins);
  return origins;
}

}  // namespace

std::string_view name(Level level) {
  constexpr std::string_view kNames[] = {"none", "basic", "extended", "layout"};
  return kNames[static_cast<size_t>(level)];
}

std::string_view name(Exactness exactness) {
  constexpr std::string_view kNames[] = {"bits", "rounding", "codes"};
  return kNames[static_cast<size_t>(exactness)];
}

Result<std::vector<NodeId>> PassContext::order() const {
  SDX_ASSIGN(std::vector<NodeId> order, graph_.topological_order());
  std::erase_if(order, [&](NodeId id) { return !graph_.node(id).provider.empty(); });
  return order;
}

void PassContext::note(std::string what, std::vector<std::string> origins) {
  journal_.rewrites.push_back({pass_.name, std::move(what), std::move(origins)});
}

void PassContext::decline(NodeId node, std::string_view reason) {
  constexpr size_t kMost = 10'000;
  if (journal_.keeps_declines && journal_.declines.size() < kMost)
    journal_.declines.push_back({pass_.name, graph_.node(node).label(), std::string(reason)});
}

Attributes make_attributes(std::initializer_list<Attribute> list) {
  Attributes attributes;
  for (const Attribute& attribute : list) attributes.set(attribute.name, attribute.content);
  return attributes;
}

Rewrite& Rewrite::take(NodeId node) {
  if (std::ranges::find(taken_, node) == taken_.end()) taken_.push_back(node);
  return *this;
}

ValueId Rewrite::constant(std::string_view name, Tensor tensor) {
  const auto id = static_cast<ValueId>(kFirstLocal + locals_.size());
  locals_.push_back({.name = std::string(name), .fact = Fact::constant_of(std::move(tensor))});
  return id;
}

ValueId Rewrite::numbers(std::string_view name, std::span<const int64_t> values) {
  auto made = Tensor::allocate(DType::i64, Shape{static_cast<int64_t>(values.size())});
  SDX_CHECK(made.ok(), "a few numbers find no memory");
  std::ranges::copy(values, made->data<int64_t>());
  return constant(name, std::move(made).value());
}

ValueId Rewrite::add(NewNode given) {
  const auto first = static_cast<ValueId>(kFirstLocal + locals_.size());
  Node node;
  node.domain = given.domain;
  node.op = given.op;
  node.inputs = std::move(given.inputs);
  node.attributes = std::move(given.attributes);
  for (size_t i = 0; i < given.outputs; ++i) {
    node.outputs.push_back(static_cast<ValueId>(first + i));
    locals_.push_back({.name = {}, .fact = {}, .node = nodes_.size()});
  }
  nodes_.push_back(std::move(node));
  return first;
}

void Rewrite::become(ValueId old, ValueId made) { local(made).becomes = old; }
void Rewrite::forward(ValueId old, ValueId existing) { forwards_.emplace_back(old, existing); }

const Fact& Rewrite::fact_of(ValueId value) { return is_local(value) ? local(value).fact : ctx_.graph().fact(value); }

bool Rewrite::decline(std::string_view reason) {
  if (!taken_.empty()) ctx_.decline(taken_.back(), formatted("{}: {}", what_, reason));
  return false;
}

void Rewrite::omit_unused_outputs() {
  for (const Node& node : nodes_)
    for (const ValueId input : node.inputs)
      if (is_local(input)) local(input).used = true;
  for (const auto& [old, existing] : forwards_)
    if (is_local(existing)) local(existing).used = true;
  for (Node& node : nodes_) {
    for (ValueId& output : node.outputs)
      if (!local(output).used && local(output).becomes == kNoValue) output = kNoValue;
    while (node.outputs.size() > 1 && node.outputs.back() == kNoValue) node.outputs.pop_back();
  }
}

// Facts of what the new nodes make.
bool Rewrite::infer() {
  for (Node& node : nodes_) {
    const ops::OpEntry* entry = ops::find_op(node.domain, node.op);
    if (entry == nullptr) return decline(formatted("no operator {}", node.op));
    node.opset = entry->contract->since;
    std::vector<const Fact*> inputs;
    for (const ValueId input : node.inputs) inputs.push_back(input == kNoValue ? nullptr : &fact_of(input));
    ops::InferContext infer(node, inputs, ctx_.graph().symbols(), nullptr, &node.constraints);
    auto inferred = ops::checked_infer(*entry->contract, infer);
    if (!inferred.ok()) return decline(inferred.status().message());
    for (size_t i = 0; i < node.outputs.size() && i < inferred->list.size(); ++i)
      if (node.outputs[i] != kNoValue) local(node.outputs[i]).fact = std::move(inferred->list[i]);
  }
  return true;
}

// What a value is known to be stays so, where the new node makes just that.
bool Rewrite::check_becoming() {
  const SymbolTable& symbols = ctx_.graph().symbols();
  for (Local& made : locals_) {
    if (made.becomes == kNoValue) continue;
    const Fact& old = ctx_.graph().fact(made.becomes);
    if (old.kind != made.fact.kind || old.dtype != made.fact.dtype) return decline("the type would change");
    if (!old.has_rank()) continue;
    if (!made.fact.has_rank() || old.rank() != made.fact.rank()) return decline("the rank would not be known");
    for (int axis = 0; axis < old.rank(); ++axis) {
      const Truth same = symbols.equal(old.dim(axis), made.fact.dim(axis));
      if (same == Truth::no) return decline("the shape would change");
      if (same == Truth::unknown)
        nodes_[made.node].constraints.push_back({Constraint::Kind::equal, old.dim(axis), made.fact.dim(axis)});
    }
    made.fact = old;
    made.fact.constant = {};
  }
  return true;
}

bool Rewrite::can_forward(ValueId old, ValueId existing) const {
  const Graph& graph = ctx_.graph();
  if (!graph.is_output(old)) return true;
  // The producer makes it under its name instead.
  const ValueInfo& value = graph.value(existing);
  return value.producer != kNoNode && !value.is_output && !has_subgraph(graph.node(value.producer));
}

void Rewrite::do_forward(ValueId old, ValueId existing) {
  Graph& graph = ctx_.graph();
  if (!graph.is_output(old)) return graph.replace_uses(old, existing);
  graph.replace_uses(existing, old);
  graph.take_production(old, existing);
}

bool Rewrite::apply() {
  if (!ctx_.may_rewrite()) return false;
  Graph& graph = ctx_.graph();
  for (const NodeId id : taken_)
    if (!graph.node(id).provider.empty()) return decline(formatted("a node is {}'s", graph.node(id).provider));
  omit_unused_outputs();
  if (!infer() || !check_becoming()) return false;
  for (const auto& [old, existing] : forwards_)
    if (!can_forward(old, existing)) return decline("an output of the graph would lose its name");
  const std::vector<std::string> origins = origins_of(graph, taken_);
  for (const NodeId id : taken_) graph.remove_node(id);
  for (Local& made : locals_) {
    if (made.becomes != kNoValue) {
      made.id = made.becomes;
      graph.value(made.id).fact = std::move(made.fact);
    } else if (made.node == SIZE_MAX) {
      made.id = graph.add_initializer(made.name, std::move(made.fact.constant));
    } else if (made.used) {
      made.id = graph.add_value(origins.empty() ? what_ : origins[0], std::move(made.fact));
    }
  }
  std::ranges::sort(taken_);
  size_t place = taken_.size();
  for (size_t i = nodes_.size(); i-- > 0;) {  // the last one where the last one was
    Node node = std::move(nodes_[i]);
    for (auto* list : {&node.inputs, &node.outputs})
      for (ValueId& value : *list)
        if (is_local(value)) value = local(value).id;
    node.name = origins.empty() ? std::string() : origins[0];
    node.origins = origins;
    if (place > 0) {
      graph.refill_node(taken_[--place], std::move(node));
    } else {
      graph.add_node(std::move(node));
    }
  }
  for (const auto& [old, existing] : forwards_) do_forward(old, existing);
  ctx_.note(what_, origins);
  return true;
}

}  // namespace sdx::passes
