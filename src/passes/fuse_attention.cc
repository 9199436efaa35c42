// Softmax(q k' scale + mask) v over heads, as exporters spell it out, becomes one node: no matrix of scores in memory,
// and no heads brought in front.
#include <algorithm>
#include <array>
#include <cmath>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

using Axes = std::array<int64_t, 4>;
constexpr Axes kByHead = {0, 1, 2, 3}, kByPosition = {0, 2, 1, 3};

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
    const Node* inner = take_product(scores);
    if (inner == nullptr) return;
    q_ = take_scale(inner->inputs[0]);
    const ValueId keys = take_scale(inner->inputs[1]);
    if (is_op(*inner, "FusedMatMul", kContrib)) {
      k_ = keys;
    } else if (!find_keys(keys)) {
      return;
    }
    if (!fits()) return ctx_.decline(last_, "Attention: the heads or types of q, k and v differ");
    Attributes attributes = make_attributes({{"scale", static_cast<float>(scale_)}});
    std::vector<ValueId> inputs = {before_turn(q_, "q", attributes), k_, before_turn(v_, "v", attributes)};
    if (key_axes_ == kByPosition) {
      attributes.set("k_by_position", int64_t{1});
    } else if (key_axes_ != kByHead) {
      return ctx_.decline(last_, "Attention: the keys are turned in another way");
    } else {
      inputs[1] = before_turn(k_, "k", attributes);
    }
    if (mask_ != kNoValue) inputs.push_back(mask_);
    const ValueId y = after_turn(product.outputs[0], attributes);
    rewrite_.become(
        y,
        rewrite_.add({.op = "ScaledDotProductAttention", .domain = kOwn, .inputs = inputs, .attributes = attributes}));
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

  // Of q by k, transposed ahead of it or by itself.
  const Node* take_product(ValueId scores) {
    const Node* product = product_of(scores);
    if (product == nullptr || !has_one_use(graph_, scores)) return nullptr;
    rewrite_.take(producer_of(graph_, scores));
    scale_ *= static_cast<double>(product->attributes.get_float("alpha", 1));
    return product;
  }

  const Node* product_of(ValueId value) const {
    if (const Node* node = made_by(graph_, value, "MatMul")) return node;
    const Node* node = made_by(graph_, value, "FusedMatMul", kContrib);
    if (node == nullptr || node->attributes.get_int("transB", 0) == 0) return nullptr;
    const float alpha = node->attributes.get_float("alpha", 1);
    const auto is_set = [&](std::string_view name) { return node->attributes.get_int(name, 0) != 0; };
    const bool other = is_set("transA") || is_set("transBatchA") || is_set("transBatchB");
    return other || !(alpha > 0) || !std::isfinite(alpha) ? nullptr : node;
  }

  bool swaps_heads(const Node& transpose) const {
    return std::ranges::equal(transpose.attributes.get_ints("perm"), kByPosition);
  }

  // The value before its heads were brought in front, where they were; an attribute says so.
  ValueId before_turn(ValueId value, std::string_view operand, Attributes& attributes) {
    const Node* transpose = made_by(graph_, value, "Transpose");
    if (transpose == nullptr || !swaps_heads(*transpose)) return value;
    if (has_one_use(graph_, value)) rewrite_.take(producer_of(graph_, value));
    attributes.set(formatted("{}_by_position", operand), int64_t{1});
    return transpose->inputs[0];
  }

  ValueId after_turn(ValueId value, Attributes& attributes) {
    const NodeId user = only_user(graph_, value);
    if (user == kNoNode || !is_op(graph_.node(user), "Transpose") || !swaps_heads(graph_.node(user))) return value;
    rewrite_.take(user);
    attributes.set("y_by_position", int64_t{1});
    return graph_.node(user).outputs[0];
  }

  bool is_over_last_axis(const Node& softmax) const {
    const Fact& x = graph_.fact(softmax.inputs[0]);
    const int64_t axis = softmax.attributes.get_int("axis", -1);
    return x.has_rank() && x.rank() == 4 && (axis == -1 || axis == 3);
  }

  // A product of matrices, scaled or not.
  bool is_product(ValueId value) const {
    if (product_of(value) != nullptr) return true;
    for (const std::string_view op : {"Mul", "Div"})
      if (const Node* node = made_by(graph_, value, op)) return product_of(node->inputs[0]) != nullptr;
    return false;
  }

  // The mask is broadcast to the scores; that the scores are not broadcast to it, a run checks.
  ValueId take_mask(ValueId scores) {
    const Node* add = made_by(graph_, scores, "Add");
    if (add == nullptr || !has_one_use(graph_, scores)) return scores;
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const ValueId inner = add->inputs[i], mask = add->inputs[1 - i];
      if (!is_product(inner) || !same_type(graph_, mask, scores) || !graph_.fact(mask).has_rank()) continue;
      rewrite_.take(producer_of(graph_, scores));
      mask_ = mask;
      return inner;
    }
    return scores;
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
  Axes key_axes_ = kByHead;
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

constinit const Pass fuse_attention{"fuse_attention", Level::layout, Exactness::rounding,
                                    "makes one node of the products and the softmax of attention", run};

}  // namespace sdx::passes
