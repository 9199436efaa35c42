// Elementwise operators between transposes work on what was not transposed yet, where that leaves fewer transposes:
// those in front of them move behind, and meet the ones that are there. An operand that no transpose is in front of
// gets one, where it is still fewer.
#include <algorithm>
#include <map>
#include <set>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

using Perm = std::vector<int64_t>;

constexpr size_t kMostNodes = 200;  // of one rewrite: each new node keeps the names of all that went

constexpr std::string_view kElementwise[] = {
    "Abs",
    "Add",
    "And",
    "Cast",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Div",
    "Elu",
    "Equal",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "Greater",
    "GreaterOrEqual",
    "HardSigmoid",
    "HardSwish",
    "IsNaN",
    "LeakyRelu",
    "Less",
    "LessOrEqual",
    "Log",
    "Max",
    "Mean",
    "Min",
    "Mish",
    "Mul",
    "Neg",
    "Not",
    "Or",
    "PRelu",
    "Pow",
    "Reciprocal",
    "Relu",
    "Round",
    "Selu",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Sub",
    "Sum",
    "Swish",
    "Tanh",
    "ThresholdedRelu",
    "Where",
    "Xor",
};

bool is_elementwise(const Node& node) {
  return node.domain.empty() && node.provider.empty() && node.alive && node.outputs.size() == 1 &&
         node.outputs[0] != kNoValue && std::ranges::find(kElementwise, node.op) != std::end(kElementwise);
}

// Empty where it moves nothing, or nobody knows.
Perm perm_of(const Graph& graph, const Node& node) {
  if (!is_op(node, "Transpose")) return {};
  const auto given = node.attributes.get_ints("perm");
  Perm perm(given.begin(), given.end());
  const Fact& x = graph.fact(node.inputs[0]);
  if (!node.attributes.has("perm") && x.has_rank())
    for (int64_t axis = x.rank(); axis-- > 0;) perm.push_back(axis);
  return std::ranges::is_sorted(perm) ? Perm() : perm;
}

// What happens to the transposes around some operators.
struct Balance {
  int64_t before = 0, after = 0;
};

// Operands of theirs, beside those that were transposed.
enum class Others : uint8_t {
  simple,  // see is_simple
  any,     // are transposed the other way
};

class Pushing {
 public:
  Pushing(PassContext& ctx, const Perm& perm, const std::vector<size_t>& place, Others others)
      : ctx_(ctx), graph_(ctx.graph()), perm_(perm), place_(place), others_(others) {}

  // All operators that can work on what was not transposed by `perm`, from the given transposes on; in groups that have
  // nothing to do with each other.
  void run(const std::vector<NodeId>& transposes) {
    std::set<std::pair<size_t, NodeId>> next;
    const auto follow = [&](ValueId value) {
      for (const NodeId user : graph_.value(value).users)
        if (user < place_.size()) next.emplace(place_[user], user);
    };
    for (const NodeId id : transposes) follow(graph_.node(id).outputs[0]);
    while (!next.empty()) {
      const NodeId id = next.begin()->second;
      next.erase(next.begin());
      if (inside_.contains(id) || !takes(graph_.node(id))) continue;
      inside_.insert(id);
      order_.push_back(id);
      follow(graph_.node(id).outputs[0]);
    }
    std::set<NodeId> done;
    for (const NodeId id : order_) {
      if (done.contains(id)) continue;
      const std::vector<NodeId> group = group_of(id);
      done.insert(group.begin(), group.end());
      push(group);
    }
  }

 private:
  bool is_transposed(ValueId value) const {
    const NodeId producer = producer_of(graph_, value);
    return producer != kNoNode && (inside_.contains(producer) || perm_of(graph_, graph_.node(producer)) == perm_);
  }

  // An operand that can be brought into the order before the transpose without moving elements.
  bool is_simple(ValueId value) const {
    const Fact& fact = graph_.fact(value);
    if (!fact.has_rank() || fact.rank() > static_cast<int>(perm_.size())) return false;
    if (fact.rank() == 0) return true;
    const Tensor* weight = weight_of(graph_, value);
    if (weight == nullptr) return false;
    const auto wide = [](int64_t size) { return size != 1; };
    return std::ranges::count_if(weight->shape(), wide) <= 1;
  }

  bool takes(const Node& node) const {
    if (!is_elementwise(node)) return false;
    const Fact& y = graph_.fact(node.outputs[0]);
    if (!y.has_rank() || y.rank() != static_cast<int>(perm_.size())) return false;
    bool any = false;
    for (const ValueId input : node.inputs) {
      if (input == kNoValue) continue;
      if (is_transposed(input)) {
        any = true;
        if (!same_dims(input, node.outputs[0])) return false;
      } else if (!is_simple(input) && (others_ == Others::simple || !same_dims(input, node.outputs[0]))) {
        return false;
      }
    }
    return any;
  }

  bool same_dims(ValueId a, ValueId b) const {
    const Fact &x = graph_.fact(a), &y = graph_.fact(b);
    if (!x.has_rank() || x.rank() != y.rank()) return false;
    for (int axis = 0; axis < x.rank(); ++axis)
      if (graph_.symbols().equal(x.dim(axis), y.dim(axis)) != Truth::yes) return false;
    return true;
  }

  // With whatever shares a value or a transpose with it.
  std::vector<NodeId> group_of(NodeId start) const {
    std::set<NodeId> found = {start};
    std::set<ValueId> seen;
    std::vector<NodeId> open = {start};
    const auto reach = [&](NodeId id) {
      if (id != kNoNode && inside_.contains(id) && found.insert(id).second) open.push_back(id);
    };
    while (!open.empty()) {
      const Node& node = graph_.node(open.back());
      open.pop_back();
      for (const ValueId input : node.inputs) {
        if (input == kNoValue || !is_transposed(input) || !seen.insert(input).second) continue;
        reach(producer_of(graph_, input));
        for (const NodeId user : graph_.value(input).users) reach(user);
      }
      if (seen.insert(node.outputs[0]).second)
        for (const NodeId user : graph_.value(node.outputs[0]).users) reach(user);
    }
    std::vector<NodeId> group(found.begin(), found.end());
    std::ranges::sort(group, {}, [&](NodeId id) { return place_[id]; });
    return group;
  }

  // Who sees a value of the group from outside.
  struct Seen {
    bool plainly = false;  // as it is
    std::vector<NodeId> transposes;
  };
  Seen seen_outside(ValueId value, const std::set<NodeId>& group) const {
    Seen seen{.plainly = graph_.is_output(value), .transposes = {}};
    for (const NodeId user : graph_.value(value).users) {
      if (group.contains(user)) continue;
      if (perm_of(graph_, graph_.node(user)).empty()) {
        seen.plainly = true;
      } else {
        seen.transposes.push_back(user);
      }
    }
    return seen;
  }

  // The order in which a transpose behind the group reads what was not transposed.
  Perm composed(NodeId transpose) const {
    Perm both;
    for (const int64_t axis : perm_of(graph_, graph_.node(transpose))) both.push_back(perm_[static_cast<size_t>(axis)]);
    return both;
  }

  void push(const std::vector<NodeId>& nodes) {
    for (const NodeId id : nodes)
      if (!takes(graph_.node(id))) return;  // another rewrite was there
    const std::set<NodeId> group(nodes.begin(), nodes.end());
    std::set<NodeId> sources;
    std::set<ValueId> others;
    Balance balance;
    bool meets = false;
    for (const NodeId id : nodes) {
      for (const ValueId input : graph_.node(id).inputs) {
        if (input == kNoValue || group.contains(producer_of(graph_, input))) continue;
        if (is_transposed(input)) {
          sources.insert(producer_of(graph_, input));
        } else if (!is_simple(input)) {
          others.insert(input);
        }
      }
      const Seen seen = seen_outside(graph_.node(id).outputs[0], group);
      balance.after += seen.plainly ? 1 : 0;
      balance.before += static_cast<int64_t>(seen.transposes.size());
      for (const NodeId transpose : seen.transposes) {
        const bool undoes = std::ranges::is_sorted(composed(transpose));
        balance.after += undoes ? 0 : 1;
        meets = meets || undoes;
      }
    }
    balance.after += static_cast<int64_t>(others.size());
    Rewrite rewrite(ctx_, "");
    for (const NodeId id : sources) {
      const ValueId y = graph_.node(id).outputs[0];
      const bool goes = !graph_.is_output(y) &&
                        std::ranges::all_of(graph_.value(y).users, [&](NodeId user) { return group.contains(user); });
      ++balance.before;
      if (goes) {
        rewrite.take(id);
      } else {
        ++balance.after;
      }
    }
    if (nodes.size() + sources.size() > kMostNodes) {
      ctx_.decline(nodes[0],
                   formatted("Transpose + {}: more than {} nodes hang together", graph_.node(nodes[0]).op, kMostNodes));
      return;
    }
    if (balance.after >= balance.before) {
      if (meets && (others_ == Others::simple || !others.empty()))
        ctx_.decline(nodes[0], formatted("Transpose + {}: {} transposes, {} if they moved behind",
                                         graph_.node(nodes[0]).op, balance.before, balance.after));
      return;
    }
    rebuild(rewrite, nodes, group);
    rewrite.rename(formatted("Transpose behind {}", graph_.node(nodes[0]).op));
    if (rewrite.apply())
      for (const NodeId id : nodes) inside_.erase(id);  // may be other nodes now
  }

  void rebuild(Rewrite& rewrite, const std::vector<NodeId>& nodes, const std::set<NodeId>& group) {
    std::map<ValueId, ValueId> moved;
    for (const NodeId id : nodes) {
      const Node& node = graph_.node(id);
      std::vector<ValueId> inputs = node.inputs;
      for (ValueId& input : inputs) {
        if (input == kNoValue) continue;
        if (const auto known = moved.find(input); known != moved.end()) {
          input = known->second;
        } else if (is_transposed(input)) {
          input = graph_.node(producer_of(graph_, input)).inputs[0];
        } else if (is_simple(input)) {
          input = turned_back(rewrite, input);
        } else {
          ValueId& other = moved[input];
          input = other = transposed(rewrite, input, inverse());
        }
      }
      rewrite.take(id);
      const ValueId made = rewrite.add({.op = node.op, .inputs = inputs, .attributes = node.attributes});
      const ValueId y = node.outputs[0];
      moved[y] = made;
      const Seen seen = seen_outside(y, group);
      if (seen.plainly) rewrite.become(y, transposed(rewrite, made, perm_));
      bool is_taken = false;
      for (const NodeId transpose : seen.transposes) {
        const Perm both = composed(transpose);
        rewrite.take(transpose);
        ValueId result = made;
        if (!std::ranges::is_sorted(both)) {
          result = transposed(rewrite, made, both);
        } else if (is_taken) {
          result = rewrite.add({.op = "Identity", .inputs = {made}});
        } else {
          is_taken = true;
        }
        rewrite.become(graph_.node(transpose).outputs[0], result);
      }
    }
  }

  Perm inverse() const {
    Perm back(perm_.size());
    for (size_t axis = 0; axis < perm_.size(); ++axis)
      back[static_cast<size_t>(perm_[axis])] = static_cast<int64_t>(axis);
    return back;
  }

  static ValueId transposed(Rewrite& rewrite, ValueId value, const Perm& perm) {
    return rewrite.add({.op = "Transpose", .inputs = {value}, .attributes = make_attributes({{"perm", perm}})});
  }

  // A simple operand beside what was not transposed: its one dimension that counts is at another axis.
  ValueId turned_back(Rewrite& rewrite, ValueId value) const {
    const Fact& fact = graph_.fact(value);
    const size_t rank = perm_.size();
    std::vector<int64_t> shape(rank, 1);
    bool is_single = true;
    for (size_t axis = 0; axis < static_cast<size_t>(fact.rank()); ++axis) {
      const int64_t size = fact.dim(static_cast<int>(axis)).known();
      if (size == 1) continue;
      shape[static_cast<size_t>(perm_[rank - static_cast<size_t>(fact.rank()) + axis])] = size;
      is_single = false;
    }
    if (is_single) return value;
    Attributes attributes;
    if (std::ranges::count(shape, 0) > 0) attributes.set("allowzero", int64_t{1});
    const ValueId to = rewrite.numbers("shape", shape);
    return rewrite.add({.op = "Reshape", .inputs = {value, to}, .attributes = attributes});
  }

  PassContext& ctx_;
  const Graph& graph_;
  const Perm perm_;
  const std::vector<size_t>& place_;  // of each node in the order of the graph
  const Others others_;
  std::set<NodeId> inside_;
  std::vector<NodeId> order_;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  const Graph& graph = ctx.graph();
  std::vector<size_t> place(graph.node_slots(), 0);
  std::map<Perm, std::vector<NodeId>> transposes;
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    if (Perm perm = perm_of(graph, graph.node(order[i])); !perm.empty())
      transposes[std::move(perm)].push_back(order[i]);
  }
  for (const auto& [perm, nodes] : transposes) {
    for (const Others others : {Others::simple, Others::any}) {
      if (!ctx.may_rewrite()) return {};
      std::vector<NodeId> alive;
      for (const NodeId id : nodes)
        if (perm_of(graph, graph.node(id)) == perm) alive.push_back(id);
      Pushing(ctx, perm, place, others).run(alive);
    }
  }
  return {};
}

}  // namespace

constinit const Pass push_transposes{"push_transposes", Level::basic, Exactness::bits,
                                     "moves transposes behind elementwise operators where fewer are left then", run};

}  // namespace sdx::passes
