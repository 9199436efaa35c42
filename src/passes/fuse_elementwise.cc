// Elementwise operators behind one another become one node that works tile by tile.
#include <algorithm>

#include "passes/elementwise_steps.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// The nodes of one program: what makes a value of the last one's shape and is wanted by the others alone.
class Group {
 public:
  Group(const Graph& graph, NodeId last) : graph_(graph), y_(graph.node(last).outputs[0]), members_{last} {}

  void grow() {
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t i = 0; i < members_.size() && !grown; ++i)
        for (const ValueId value : graph_.node(members_[i]).inputs) grown = grown || take(value);
    }
  }
  const std::vector<NodeId>& members() const { return members_; }

 private:
  bool take(ValueId value) {
    if (value == kNoValue) return false;
    const NodeId maker = producer_of(graph_, value);
    if (maker == kNoNode || has(maker) || graph_.node(maker).outputs.size() != 1) return false;
    if (!elementwise_of(graph_, maker) || !same_type_and_dims(graph_, value, y_)) return false;
    if (graph_.is_output(value) || !used_by_members(value)) return false;
    members_.push_back(maker);
    if (program_of(graph_, members_)) return true;
    members_.pop_back();
    return false;
  }
  bool has(NodeId id) const { return std::find(members_.begin(), members_.end(), id) != members_.end(); }
  bool used_by_members(ValueId value) const {
    const auto& users = graph_.value(value).users;
    return std::all_of(users.begin(), users.end(), [&](NodeId user) { return has(user); });
  }

  const Graph& graph_;
  const ValueId y_;
  std::vector<NodeId> members_;
};

void fuse(PassContext& ctx, NodeId last) {
  const Graph& graph = ctx.graph();
  if (!elementwise_of(graph, last)) return;
  Group group(graph, last);
  group.grow();
  if (group.members().size() < 2) return;
  const auto program = program_of(graph, group.members());
  std::string what;
  Rewrite rewrite(ctx, "");
  for (size_t i = group.members().size(); i-- > 0;) {
    const NodeId id = group.members()[i];
    what += what.empty() ? graph.node(id).op : formatted(" + {}", graph.node(id).op);
    rewrite.take(id);
  }
  rewrite.rename(what);
  rewrite.become(graph.node(last).outputs[0],
                 rewrite.add({.op = "Elementwise",
                              .domain = kOwn,
                              .inputs = program->inputs,
                              .attributes = make_attributes({{"steps", program->texts}})}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(std::vector<NodeId> order, ctx.order());
  std::reverse(order.begin(), order.end());
  for (const NodeId id : order)
    if (ctx.graph().node(id).alive) fuse(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_elementwise{"fuse_elementwise", Level::layout, Exactness::bits,
                                      "makes one node of elementwise operators behind one another", run};

}  // namespace sdx::passes
