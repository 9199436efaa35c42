// Softmax(q k' scale + mask) v over heads, as exporters spell it out, becomes Attention: no matrix of scores in memory.
#include <cmath>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

class Fusing {
 public:
  Fusing(PassContext& ctx, NodeId last) : ctx_(ctx), graph_(ctx.graph()), rewrite_(ctx, "Attention"), last_(last) {}

  // `last`: the product of the weights of attention and v.
  void run() {
    const Node& product = graph_.node(last_);
    v_ = product.inputs[1];
    const Node* softmax = step_back(product.inputs[0], "Softmax");
    if (softmax == nullptr || !is_over_last_axis(*softmax)) return;
    rewrite_.take(last_);
    ValueId scores = softmax->inputs[0];
    scores = take_mask(scores);
    scores = take_scale(scores);
    const Node* inner = step_back(scores, "MatMul");
    if (inner == nullptr) return;
    q_ = take_scale(inner->inputs[0]);
    const ValueId turned = take_scale(inner->inputs[1]);
    if (!find_keys(turned)) return;
    if (!fits()) return ctx_.decline(last_, "Attention: the heads or types of q, k and v differ");
    std::vector<ValueId> inputs = {q_, k_, v_};
    if (turns_keys_)
      inputs[1] =
          rewrite_.add({.op = "Transpose", .inputs = {k_}, .attributes = make_attributes({{"perm", key_axes_}})});
    if (mask_ != kNoValue) inputs.push_back(mask_);
    rewrite_.become(product.outputs[0],
                    rewrite_.add({.op = "Attention",
                                  .inputs = inputs,
                                  .attributes = make_attributes({{"scale", static_cast<float>(scale_)}})}));
    rewrite_.apply();
  }

 private:
  // The node that makes the value for nobody else; it goes.
  const Node* step_back(ValueId value, std::string_view op) {
    const Node* node = made_by(graph_, value, op);
    if (node == nullptr || !has_one_use(graph_, value)) return nullptr;
    rewrite_.take(producer_of(graph_, value));
    return node;
  }

  bool is_over_last_axis(const Node& softmax) const {
    const Fact& x = graph_.fact(softmax.inputs[0]);
    const int64_t axis = softmax.attributes.get_int("axis", -1);
    return x.has_rank() && x.rank() == 4 && (axis == -1 || axis == 3);
  }

  ValueId take_mask(ValueId scores) {
    const Node* add = made_by(graph_, scores, "Add");
    if (add == nullptr || !has_one_use(graph_, scores)) return scores;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const ValueId inner = add->inputs[i], mask = add->inputs[1 - i];
      const bool is_scores =
          made_by(graph_, inner, "MatMul") || made_by(graph_, inner, "Mul") || made_by(graph_, inner, "Div");
      if (!is_scores || !same_type_and_dims(graph_, inner, scores) || !same_type(graph_, mask, scores)) continue;
      if (!is_mask(mask, scores)) continue;
      rewrite_.take(producer_of(graph_, scores));
      mask_ = mask;
      return inner;
    }
    return scores;
  }

  // Attention's masks reach over all keys: their last axis is not broadcast.
  bool is_mask(ValueId mask, ValueId scores) const {
    const Fact &m = graph_.fact(mask), &s = graph_.fact(scores);
    return m.has_rank() && m.rank() >= 2 && graph_.symbols().equal(m.dim(m.rank() - 1), s.dim(3)) == Truth::yes;
  }

  // x of x * number or x / number, with the number in the scale.
  ValueId take_scale(ValueId value) {
    const NodeId id = producer_of(graph_, value);
    if (id == kNoNode || !has_one_use(graph_, value)) return value;
    const Node& node = graph_.node(id);
    const bool is_mul = is_op(node, "Mul");
    if (!is_mul && !is_op(node, "Div")) return value;
    for (const size_t operand : {size_t{1}, size_t{0}}) {
      const auto number = uniform_value(graph_, node.inputs[operand]);
      if (!number || *number <= 0 || !std::isfinite(*number) || (!is_mul && operand == 0)) continue;
      if (!same_type_and_dims(graph_, node.inputs[1 - operand], value)) continue;
      rewrite_.take(id);
      scale_ *= is_mul ? *number : 1 / *number;
      return node.inputs[1 - operand];
    }
    return value;
  }

  // k [batch, heads, keys, size] from what the product takes, [batch, heads, size, keys].
  bool find_keys(ValueId turned) {
    const Node* transpose = made_by(graph_, turned, "Transpose");
    if (transpose == nullptr) {
      ctx_.decline(last_, "Attention: the keys are not transposed for it");
      return false;
    }
    const auto perm = transpose->attributes.get_ints("perm");
    if (perm.size() != 4) return false;
    k_ = take_scale(transpose->inputs[0]);
    key_axes_ = {perm[0], perm[1], perm[3], perm[2]};
    turns_keys_ = key_axes_ != std::vector<int64_t>{0, 1, 2, 3};
    if (has_one_use(graph_, turned)) rewrite_.take(producer_of(graph_, turned));
    return true;
  }

  bool fits() const {
    const Fact &q = graph_.fact(q_), &k = graph_.fact(k_), &v = graph_.fact(v_);
    for (const Fact* fact : {&q, &k, &v})
      if (!fact->has_rank() || fact->rank() != 4 || fact->dtype != DType::f32) return false;
    const auto same = [&](const Dim& a, const Dim& b) { return graph_.symbols().equal(a, b) == Truth::yes; };
    for (const int axis : {0, 1})
      if (!same(q.dim(axis), v.dim(axis)) ||
          !same(q.dim(axis), k.dim(static_cast<int>(key_axes_[static_cast<size_t>(axis)]))))
        return false;
    return same(k.dim(static_cast<int>(key_axes_[2])), v.dim(2));
  }

  PassContext& ctx_;
  const Graph& graph_;
  Rewrite rewrite_;
  NodeId last_;
  ValueId q_ = kNoValue, k_ = kNoValue, v_ = kNoValue, mask_ = kNoValue;
  double scale_ = 1;
  std::vector<int64_t> key_axes_;
  bool turns_keys_ = false;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = ctx.graph().node(id);
    if (is_op(node, "MatMul") && made_by(ctx.graph(), node.inputs[0], "Softmax") != nullptr) Fusing(ctx, id).run();
  }
  return {};
}

}  // namespace

constinit const Pass fuse_attention{"fuse_attention", Level::extended, Exactness::rounding,
                                    "makes one node of the products and the softmax of attention", run};

}  // namespace sdx::passes
