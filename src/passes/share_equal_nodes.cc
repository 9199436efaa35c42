// Common subexpressions: of nodes with the same operator, inputs and attributes one remains; of equal small weights
// too.
#include <algorithm>
#include <map>

#include "graph/attribute_text.h"
#include "ops/op.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

class Sharing {
 public:
  explicit Sharing(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  Status run() {
    share_weights();
    SDX_ASSIGN(const std::vector<NodeId> order, ctx_.order());
    for (const NodeId id : order) share_node(id);
    return {};
  }

 private:
  void share_weights() {
    std::map<std::string, ValueId> known;
    for (ValueId id = 0; id < graph_.value_slots(); ++id) {
      const ValueInfo& value = graph_.value(id);
      const Tensor* weight = weight_of(graph_, id);
      if (!value.is_initializer || value.is_output || value.users.empty() || weight == nullptr ||
          weight->dtype() == DType::string || weight->byte_size() > kSmallTensor)
        continue;
      const auto [first, fresh] = known.emplace(tensor_text(*weight), id);
      if (fresh || !ctx_.may_rewrite()) continue;
      ctx_.note(formatted("weight {}, the same as {}", value.name, graph_.value(first->second).name), users_of(value));
      graph_.replace_uses(id, first->second);
    }
  }

  // In the model's names.
  std::vector<std::string> users_of(const ValueInfo& value) const {
    std::vector<std::string> names;
    for (const NodeId user : value.users)
      for (const std::string& origin : graph_.node(user).origins)
        if (std::ranges::find(names, origin) == names.end()) names.push_back(origin);
    return names;
  }

  // Operator and inputs.
  std::optional<std::string> key_of(const Node& node) const {
    const ops::OpEntry* op = ops::find_op(node.domain, node.op);
    if (op == nullptr || op->contract->draws_random || has_subgraph(node)) return std::nullopt;
    std::string key = node.domain + "." + node.op;
    for (const ValueId input : node.inputs) key += formatted(" {}", static_cast<int64_t>(input));
    return key + formatted(" ->{}", node.outputs.size());
  }

  static std::optional<std::string> attributes_of(const Node& node) {
    std::vector<const Attribute*> attributes;
    for (const Attribute& attribute : node.attributes.list()) attributes.push_back(&attribute);
    std::ranges::sort(attributes, {}, [](const Attribute* attribute) { return attribute->name; });
    std::string text;
    for (const Attribute* attribute : attributes) {
      const auto content = attribute_text(*attribute);
      if (!content) return std::nullopt;
      text += formatted(" {}=", attribute->name) + *content;
    }
    return text;
  }

  // The first node like this one, itself where there is none before it. Attributes, which may be megabytes, are looked
  // at where there is a choice.
  NodeId first_like(NodeId id) {
    const auto key = key_of(graph_.node(id));
    if (!key) return id;
    Alike& alike = alike_[*key];
    if (alike.first == kNoNode) {
      alike.first = id;
      return id;
    }
    if (alike.by_attributes.empty())
      if (const auto text = attributes_of(graph_.node(alike.first))) alike.by_attributes.emplace(*text, alike.first);
    const auto text = attributes_of(graph_.node(id));
    return text ? alike.by_attributes.emplace(*text, id).first->second : id;
  }

  void share_node(NodeId id) {
    const Node& node = graph_.node(id);
    const NodeId first = first_like(id);
    if (first == id) return;
    const Node& kept = graph_.node(first);
    Rewrite rewrite(ctx_, node.op);
    rewrite.take(id);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId output = node.outputs[i];
      if (output == kNoValue || (graph_.value(output).users.empty() && !graph_.is_output(output))) continue;
      if (kept.outputs[i] == kNoValue) return;
      rewrite.forward(output, kept.outputs[i]);
    }
    rewrite.apply();
  }

  PassContext& ctx_;
  Graph& graph_;
  struct Alike {
    NodeId first = kNoNode;
    std::map<std::string, NodeId> by_attributes;
  };
  std::map<std::string, Alike> alike_;  // by operator and inputs
};

Status run(PassContext& ctx) { return Sharing(ctx).run(); }

}  // namespace

constinit const Pass share_equal_nodes{"share_equal_nodes", Level::basic, Exactness::bits,
                                       "computes once what several nodes compute alike", run};

}  // namespace sdx::passes
