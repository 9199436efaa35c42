#include "passes/pattern.h"

#include <algorithm>
#include <cmath>

namespace sdx::passes {
namespace {

std::shared_ptr<PatternNode> make(PatternNode::Kind kind) {
  auto made = std::make_shared<PatternNode>();
  made->kind = kind;
  return made;
}

// How far an exporter's constant may be from the number, of itself.
double tolerance(double wanted, DType type) {
  if (2 * wanted == std::round(2 * wanted)) return 0;
  if (type == DType::f64) return 1e-15;
  if (type == DType::f32) return 4e-6;  // six printed digits
  return type == DType::f16 ? 5e-4 : 4e-3;
}

bool is_commutative(std::string_view op) { return op == "Add" || op == "Mul"; }

}  // namespace

Pattern any(std::string_view name) {
  auto made = make(PatternNode::Kind::any);
  made->name = name;
  return made;
}

Pattern weight(std::string_view name) {
  auto made = make(PatternNode::Kind::weight);
  made->name = name;
  return made;
}

Pattern number(double wanted) {
  auto made = make(PatternNode::Kind::number);
  made->wanted = wanted;
  return made;
}

Pattern op(std::string_view op, std::vector<Pattern> inputs, std::string_view name, std::string_view domain) {
  auto made = make(PatternNode::Kind::op);
  made->op = op;
  made->domain = domain;
  made->name = name;
  made->inputs = std::move(inputs);
  return made;
}

Pattern shared(Pattern node) {
  auto made = std::make_shared<PatternNode>(*node);
  made->may_be_shared = true;
  return made;
}

Pattern either(std::vector<Pattern> choices) {
  auto made = make(PatternNode::Kind::either);
  made->inputs = std::move(choices);
  return made;
}

ValueId Match::value(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? kNoValue : found->second;
}

class Matcher {
 public:
  explicit Matcher(const Graph& graph) : graph_(graph) {}

  // Whether the value is what the pattern says, with `match` brought up to date; unchanged where it is not.
  bool matches(ValueId value, const Pattern& pattern, Match& match, bool is_root) const {
    if (value == kNoValue) return false;
    switch (pattern->kind) {
      case PatternNode::Kind::any: return bind(value, *pattern, match);
      case PatternNode::Kind::weight: return weight_of(graph_, value) != nullptr && bind(value, *pattern, match);
      case PatternNode::Kind::number: return is_number(value, pattern->wanted);
      case PatternNode::Kind::op: return matches_node(value, *pattern, match, is_root);
      case PatternNode::Kind::either:
        return std::ranges::any_of(pattern->inputs,
                                   [&](const Pattern& choice) { return matches(value, choice, match, is_root); });
    }
    return false;
  }

  // Every value between the nodes is used by them alone.
  bool is_closed(const Match& match, ValueId root) const {
    for (const NodeId id : match.nodes()) {
      for (const ValueId output : graph_.node(id).outputs) {
        if (output == kNoValue || output == root) continue;
        if (graph_.is_output(output)) return false;
        for (const NodeId user : graph_.value(output).users)
          if (std::ranges::find(match.nodes(), user) == match.nodes().end()) return false;
      }
    }
    return true;
  }

 private:
  static bool bind(ValueId value, const PatternNode& pattern, Match& match) {
    if (pattern.name.empty()) return true;
    const auto [known, fresh] = match.values_.emplace(pattern.name, value);
    return fresh || known->second == value;
  }

  bool is_number(ValueId value, double wanted) const {
    const auto found = uniform_value(graph_, value);
    return found && std::abs(*found - wanted) <= tolerance(wanted, graph_.fact(value).dtype) * std::abs(wanted);
  }

  bool matches_node(ValueId value, const PatternNode& pattern, Match& match, bool is_root) const {
    const NodeId id = producer_of(graph_, value);
    if (id == kNoNode || !is_op(graph_.node(id), pattern.op, pattern.domain)) return false;
    const Node& node = graph_.node(id);
    if (node.outputs[0] != value || node.inputs.size() != pattern.inputs.size()) return false;
    Match trial = match;
    if (!bind(value, pattern, trial)) return false;
    const bool known = std::ranges::find(trial.nodes_, id) != trial.nodes_.end();
    if (!known && (is_root || !pattern.may_be_shared)) trial.nodes_.push_back(id);
    if (inputs_match(node, pattern, trial, false) ||
        (is_commutative(pattern.op) && node.inputs.size() == 2 && inputs_match(node, pattern, trial, true))) {
      match = std::move(trial);
      return true;
    }
    return false;
  }

  bool inputs_match(const Node& node, const PatternNode& pattern, Match& match, bool turned) const {
    Match trial = match;
    for (size_t i = 0; i < pattern.inputs.size(); ++i) {
      const size_t at = turned ? pattern.inputs.size() - 1 - i : i;
      if (!matches(node.inputs[at], pattern.inputs[i], trial, false)) return false;
    }
    match = std::move(trial);
    return true;
  }

  const Graph& graph_;
};

std::optional<Match> find(const Graph& graph, NodeId root, const Pattern& pattern) {
  const Node& node = graph.node(root);
  if (!node.alive || node.outputs.empty()) return std::nullopt;
  const Matcher matcher(graph);
  Match match;
  if (!matcher.matches(node.outputs[0], pattern, match, true)) return std::nullopt;
  if (!matcher.is_closed(match, node.outputs[0])) return std::nullopt;
  return match;
}

}  // namespace sdx::passes
