// Rotary embedding spelled out, x * cos + turned(x) * sin, becomes RotateHalf: turned(x) is (-x2, x1) of the halves of
// the last axis, or of neighbours. Heads that were brought in front for it are turned behind it instead, where
// attention takes the transpose in.
#include <algorithm>
#include <array>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

constexpr std::array<int64_t, 4> kSwapped = {0, 2, 1, 3};

// Channels first, first + step, ... of a value.
struct Channels {
  ValueId of = kNoValue;
  int64_t first = 0, count = 0, step = 1;
};

class Fusing {
 public:
  explicit Fusing(PassContext& ctx, NodeId last) : ctx_(ctx), graph_(ctx.graph()), last_(last) {}

  void run() {
    const Node& add = graph_.node(last_);
    const Fact& y = graph_.fact(add.outputs[0]);
    if (!y.has_rank() || y.rank() != 4 || y.dtype != DType::f32) return;
    taken_ = {last_};
    if (!find(add.inputs[0], add.inputs[1]) && !find(add.inputs[1], add.inputs[0])) return;
    if (!is_closed()) return ctx_.decline(last_, "RotateHalf: what is between its nodes is used elsewhere");
    Rewrite rewrite(ctx_, "rotary embedding");
    for (const NodeId id : taken_) rewrite.take(id);
    Attributes attributes;
    if (interleaved_) attributes.set("interleaved", int64_t{1});
    const Node* turn = made_by(graph_, x_, "Transpose");
    ValueId x = x_;
    if (turn != nullptr && !std::ranges::equal(turn->attributes.get_ints("perm"), kSwapped)) turn = nullptr;
    if (turn != nullptr) {
      if (is_used_by_taken_only(x_)) rewrite.take(producer_of(graph_, x_));
      x = turn->inputs[0];
      attributes.set("by_position", int64_t{1});
    }
    ValueId made =
        rewrite.add({.op = "RotateHalf", .domain = kOwn, .inputs = {x, cos_, sin_}, .attributes = attributes});
    if (turn != nullptr)
      made = rewrite.add(
          {.op = "Transpose",
           .inputs = {made},
           .attributes = make_attributes({{"perm", std::vector<int64_t>(kSwapped.begin(), kSwapped.end())}})});
    rewrite.become(add.outputs[0], made);
    rewrite.apply();
  }

 private:
  // x * cos and turned(x) * sin.
  bool find(ValueId straight, ValueId turned) {
    const Node *by_cos = made_by(graph_, straight, "Mul"), *by_sin = made_by(graph_, turned, "Mul");
    if (by_cos == nullptr || by_sin == nullptr) return false;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      std::vector<NodeId> nodes = {last_, producer_of(graph_, straight), producer_of(graph_, turned)};
      const auto x = turned_of(by_sin->inputs[i], nodes);
      if (!x) continue;
      for (const size_t j : {size_t{0}, size_t{1}}) {
        if (by_cos->inputs[j] != *x) continue;
        x_ = *x, cos_ = by_cos->inputs[1 - j], sin_ = by_sin->inputs[1 - i];
        taken_ = nodes;
        return graph_.fact(cos_).has_rank() && graph_.fact(sin_).has_rank();
      }
    }
    return false;
  }

  // What the value is the turned channels of.
  std::optional<ValueId> turned_of(ValueId value, std::vector<NodeId>& nodes) {
    const auto step = [&](ValueId made, std::string_view op) {
      const Node* node = made_by(graph_, made, op);
      if (node != nullptr) nodes.push_back(producer_of(graph_, made));
      return node;
    };
    interleaved_ = false;
    const ValueId whole = value;
    if (const Node* reshape = made_by(graph_, value, "Reshape")) {
      interleaved_ = true;
      nodes.push_back(producer_of(graph_, value));
      value = reshape->inputs[0];
    }
    const Node* concat = step(value, "Concat");
    const Fact& joined = graph_.fact(value);
    if (concat == nullptr || concat->inputs.size() != 2 || !joined.has_rank()) return std::nullopt;
    const int64_t axis = concat->attributes.get_int("axis", 0);
    if (joined.rank() != (interleaved_ ? 5 : 4) || (axis != -1 && axis != joined.rank() - 1)) return std::nullopt;
    ValueId parts[2] = {concat->inputs[0], concat->inputs[1]};
    if (interleaved_) {
      for (ValueId& part : parts) {
        const Node* unsqueeze = step(part, "Unsqueeze");
        if (unsqueeze == nullptr || !graph_.fact(part).has_rank() || !graph_.fact(part).dim(4).is(1))
          return std::nullopt;
        part = unsqueeze->inputs[0];
      }
    }
    const Node* minus = step(parts[0], "Neg");
    if (minus == nullptr) return std::nullopt;
    const auto second = channels(minus->inputs[0], nodes), first = channels(parts[1], nodes);
    if (!first || !second || first->of != second->of) return std::nullopt;
    if (!same_type_and_dims(graph_, first->of, whole)) return std::nullopt;
    const Fact& x = graph_.fact(first->of);
    const int64_t size = x.dim(3).is_known() ? x.dim(3).known() : 0, half = size / 2;
    if (half == 0 || size % 2 != 0) return std::nullopt;
    const Channels wanted[] = {{.first = 0, .count = half, .step = interleaved_ ? 2 : 1},
                               {.first = interleaved_ ? 1 : half, .count = half, .step = interleaved_ ? 2 : 1}};
    const Channels* found[] = {&*first, &*second};
    for (size_t i = 0; i < 2; ++i)
      if (found[i]->first != wanted[i].first || found[i]->count != wanted[i].count || found[i]->step != wanted[i].step)
        return std::nullopt;
    return first->of;
  }

  // By Slice, or one of two by Split.
  std::optional<Channels> channels(ValueId value, std::vector<NodeId>& nodes) {
    const NodeId id = producer_of(graph_, value);
    if (id == kNoNode) return std::nullopt;
    const Node& node = graph_.node(id);
    if (!is_op(node, "Slice") && !is_op(node, "Split")) return std::nullopt;
    const Fact &x = graph_.fact(node.inputs[0]), &part = graph_.fact(value);
    if (!x.has_rank() || x.rank() != 4 || !x.dim(3).is_known() || !part.has_rank() || !part.dim(3).is_known())
      return std::nullopt;
    Channels made{.of = node.inputs[0], .count = part.dim(3).known()};
    if (is_op(node, "Split")) {
      const int64_t axis = node.attributes.get_int("axis", 0);
      if ((axis != 3 && axis != -1) || node.outputs.size() != 2) return std::nullopt;
      if (node.outputs[1] == value) made.first = x.dim(3).known() - made.count;
    } else {
      const auto starts = ints_of(graph_, node.inputs[1]), axes = ints_of(graph_, input_of(node, 3));
      const auto steps = ints_of(graph_, input_of(node, 4));
      if (!starts || !axes || starts->size() != 1 || axes->size() != 1 || ((*axes)[0] != 3 && (*axes)[0] != -1))
        return std::nullopt;
      if (input_of(node, 4) != kNoValue && (!steps || steps->size() != 1)) return std::nullopt;
      made.step = steps ? (*steps)[0] : 1;
      made.first = (*starts)[0] + ((*starts)[0] < 0 ? x.dim(3).known() : 0);
      if (made.step < 1) return std::nullopt;
    }
    if (std::ranges::find(nodes, id) == nodes.end()) nodes.push_back(id);
    return made;
  }

  bool is_used_by_taken_only(ValueId value) const {
    return !graph_.is_output(value) && std::ranges::all_of(graph_.value(value).users, [&](NodeId user) {
      return std::ranges::find(taken_, user) != taken_.end();
    });
  }

  bool is_closed() const {
    for (const NodeId id : taken_)
      for (const ValueId output : graph_.node(id).outputs)
        if (id != last_ && output != kNoValue && !is_used_by_taken_only(output)) return false;
    return true;
  }

  PassContext& ctx_;
  const Graph& graph_;
  NodeId last_;
  std::vector<NodeId> taken_;
  ValueId x_ = kNoValue, cos_ = kNoValue, sin_ = kNoValue;
  bool interleaved_ = false;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "Add")) Fusing(ctx, id).run();
  return {};
}

}  // namespace

constinit const Pass fuse_rotary{"fuse_rotary", Level::layout, Exactness::rounding,
                                 "makes one node of rotary embedding, in front of the transpose of its heads", run};

}  // namespace sdx::passes
