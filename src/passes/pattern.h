// Pattern: a small tree of operators to look for, from its last node back.
//
//   const Pattern x = any("x");
//   const Pattern gelu = op("Mul", {op("Mul", {x, op("Add", {op("Erf", {op("Div", {x, number(std::sqrt(2.0))})}),
//   number(1)})}),
//                                  number(0.5)});
//   if (const auto match = find(graph, node, gelu)) match->value("x");
//
// Operands of Add and Mul are tried in both orders. A name stands for one value, wherever it appears. What the nodes in
// between make is used within the pattern only.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "passes/patterns.h"

namespace sdx::passes {

struct PatternNode;
using Pattern = std::shared_ptr<const PatternNode>;

struct PatternNode {
  enum class Kind : uint8_t { any, weight, number, op, either } kind = Kind::any;
  std::string name;             // of the value, "": not asked for; of a node: of its first output
  std::string op, domain;       // of a node
  std::vector<Pattern> inputs;  // of a node, as many as it has; of `either`: the choices
  double wanted = 0;            // of a number: halves exactly, others as exporters round them in its type
  bool may_be_shared = false;   // a node whose output others use too: it stays
};

Pattern any(std::string_view name);
Pattern weight(std::string_view name);  // a weight
Pattern number(double wanted);          // a weight that is this number everywhere
Pattern op(std::string_view op, std::vector<Pattern> inputs, std::string_view name = "", std::string_view domain = "");
Pattern shared(Pattern node);  // a node that may have other users
Pattern either(std::vector<Pattern> choices);

class Match {
 public:
  ValueId value(std::string_view name) const;  // kNoValue: the branch taken does not have it
  // The node whose first output has that name.
  NodeId node(const Graph& graph, std::string_view name) const { return producer_of(graph, value(name)); }
  const std::vector<NodeId>& nodes() const { return nodes_; }  // that the pattern replaces, the root first

 private:
  friend class Matcher;
  std::map<std::string, ValueId, std::less<>> values_;
  std::vector<NodeId> nodes_;
};

std::optional<Match> find(const Graph& graph, NodeId root, const Pattern& pattern);

}  // namespace sdx::passes
