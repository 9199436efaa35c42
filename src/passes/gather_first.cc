// Rows are looked up in a table before they are converted and scaled, not after: an embedding that is stored in 8 bits
// is never made in floats.
#include <algorithm>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool is_maker(const Node& node) { return is_op(node, "Cast") || is_op(node, "Mul"); }

class LookingUp {
 public:
  LookingUp(PassContext& ctx, NodeId gather) : graph_(ctx.graph()), gather_(gather), rewrite_(ctx, "Gather first") {}

  void run() {
    const Node& node = graph_.node(gather_);
    const Fact& table = graph_.fact(node.inputs[0]);
    if (node.attributes.get_int("axis", 0) != 0 || !table.has_rank() || table.rank() != 2) return;
    rows_ = table.dim(0);
    rewrite_.take(gather_);
    const auto made = looked_up(node.inputs[0], 0);
    if (!made || *made == kNoValue) return;
    rewrite_.become(node.outputs[0], *made);
    rewrite_.apply();
  }

 private:
  static constexpr int kMaxDepth = 4;

  ValueId gathered(ValueId table) {
    return rewrite_.add({.op = "Gather", .inputs = {table, graph_.node(gather_).inputs[1]}});
  }

  // The rows of `table`, which has a row for each index; nullopt where that cannot be said.
  std::optional<ValueId> looked_up(ValueId table, int depth) {
    if (depth > 0 && weight_of(graph_, table) != nullptr) return gathered(table);
    const NodeId maker = producer_of(graph_, table);
    if (maker == kNoNode || depth == kMaxDepth || !is_maker(graph_.node(maker)) || !has_one_use(graph_, table))
      return std::nullopt;
    const Node node = graph_.node(maker);
    rewrite_.take(maker);
    std::vector<ValueId> inputs = node.inputs;
    for (ValueId& input : inputs) {
      const auto made = operand(input, depth);
      if (!made) return std::nullopt;
      input = *made;
    }
    return rewrite_.add({.op = node.op, .inputs = inputs, .attributes = node.attributes});
  }

  // An operand with a row for each index is looked up; one without rows stays.
  std::optional<ValueId> operand(ValueId value, int depth) {
    const Fact& fact = graph_.fact(value);
    if (!fact.has_rank() || fact.rank() > 2) return std::nullopt;
    if (fact.rank() < 2) return weight_of(graph_, value) != nullptr ? std::optional(value) : std::nullopt;
    if (fact.dim(0) == rows_ && !rows_.is(1)) return looked_up(value, depth + 1);
    return std::nullopt;
  }

  const Graph& graph_;
  const NodeId gather_;
  Rewrite rewrite_;
  Dim rows_;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (ctx.graph().node(id).alive && is_op(ctx.graph().node(id), "Gather")) LookingUp(ctx, id).run();
  return {};
}

}  // namespace

constinit const Pass gather_first{"gather_first", Level::basic, Exactness::bits,
                                  "looks rows up before they are converted and scaled", run};

}  // namespace sdx::passes
