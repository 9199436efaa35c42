#include "passes/attention_form.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/element.h"

namespace sdx::passes {
namespace {

constexpr std::array<int64_t, 4> kSwapped = {0, 2, 1, 3};

bool has_perm(const Node& transpose, std::initializer_list<int64_t> perm) {
  return std::ranges::equal(transpose.attributes.get_ints("perm"), perm);
}

// q k', where the product itself transposes k.
bool is_turning_product(const Node& node) {
  const auto is_set = [&](std::string_view name) { return node.attributes.get_int(name, 0) != 0; };
  return is_op(node, "FusedMatMul", kContrib) && is_set("transB") && !is_set("transA") && !is_set("transBatchA") &&
         !is_set("transBatchB");
}

struct Part {
  ValueId value;  // of which, along its first axis
  int64_t number;
};

// By Gather, or by Split and Squeeze.
std::optional<Part> part_of(const Graph& graph, ValueId value) {
  const auto parts = [&](ValueId whole) {
    const Fact& fact = graph.fact(whole);
    return fact.has_rank() && fact.rank() > 0 && fact.dim(0).is_known() ? fact.dim(0).known() : 0;
  };
  if (const Node* gather = made_by(graph, value, "Gather")) {
    const Tensor* index = small_weight_of(graph, gather->inputs[1]);
    const int64_t count = parts(gather->inputs[0]);
    if (gather->attributes.get_int("axis", 0) != 0 || index == nullptr || index->rank() != 0) return std::nullopt;
    const int64_t at = load_i64(*index, 0);
    if (at < -count || at >= count) return std::nullopt;
    return Part{gather->inputs[0], at < 0 ? at + count : at};
  }
  const Node* squeeze = made_by(graph, value, "Squeeze");
  const Node* split = squeeze == nullptr ? nullptr : made_by(graph, squeeze->inputs[0], "Split");
  if (split == nullptr || split->attributes.get_int("axis", 0) != 0) return std::nullopt;
  const auto axes = ints_of(graph, input_of(*squeeze, 1));
  if (!axes || *axes != std::vector<int64_t>{0} || parts(split->inputs[0]) != std::ssize(split->outputs))
    return std::nullopt;
  for (const ValueId output : split->outputs)
    if (output == kNoValue || parts(output) != 1) return std::nullopt;
  return Part{split->inputs[0], std::ranges::find(split->outputs, squeeze->inputs[0]) - split->outputs.begin()};
}

}  // namespace

Dim Heads::dim(const Graph& graph, int axis) const {
  const Fact& fact = graph.fact(value);
  if (part >= 0) return fact.dim(axis == 0 ? 0 : axis == 1 ? 3 : axis == 2 ? 1 : 4);
  return fact.dim(by_position && (axis == 1 || axis == 2) ? 3 - axis : axis);
}

bool may_end_attention(const Graph& graph, const Node& node) {
  if (!is_op(node, "MatMul")) return false;
  return made_by(graph, node.inputs[0], "Softmax") != nullptr || made_by(graph, node.inputs[0], "Where") != nullptr;
}

void AttentionForm::take(NodeId id) {
  if (std::ranges::find(taken_, id) == taken_.end()) taken_.push_back(id);
}

const Node* AttentionForm::step_back(ValueId value, std::string_view op) {
  const Node* node = made_by(graph_, value, op);
  if (node != nullptr) take(producer_of(graph_, value));
  return node;
}

bool AttentionForm::find(NodeId last) {
  const Node& product = graph_.node(last);
  take(last);
  v.value = product.inputs[1];
  if (!find_weights(product.inputs[0])) return false;
  take_mask();
  take_choice();
  if (!take_cap()) return false;
  take_scale(scores_);
  if (!find_scores()) return false;
  if (flat_) {
    for (Heads* heads : {&q, &k, &v})
      if (graph_.fact(heads->value).has_rank() && graph_.fact(heads->value).rank() == 4) {
        continue;
      } else if (const ValueId whole = apart(heads->value); whole != kNoValue) {
        heads->value = whole;
      } else {
        reason = "batch and heads are one dimension, and not made of two";
        return false;
      }
  }
  for (Heads* heads : {&k, &v})
    if (!undo_repeat(*heads)) return false;
  for (Heads* heads : {&q, &k, &v}) undo_turn(*heads);
  for (Heads* heads : {&q, &k, &v}) undo_parts(*heads);
  follow_result(product);
  if (y == kNoValue || !fits()) return false;
  const ValueId kept[] = {q.value, k.value, v.value, mask, choice};
  taken_ = with_what_they_alone_need(graph_, std::move(taken_), kept);
  return is_closed();
}

bool AttentionForm::find_weights(ValueId weights) {
  // Rows that see nothing are no numbers; some replace them.
  if (const Node* where = made_by(graph_, weights, "Where")) {
    const Node* check = made_by(graph_, where->inputs[0], "IsNaN");
    if (check == nullptr || check->inputs[0] != where->inputs[2] || uniform_value(graph_, where->inputs[1]) != 0.0)
      return false;
    take(producer_of(graph_, weights)), take(producer_of(graph_, where->inputs[0]));
    zero_rows = true;
    weights = where->inputs[2];
  }
  const Node* softmax = step_back(weights, "Softmax");
  if (softmax == nullptr) return false;
  scores_ = softmax->inputs[0];
  const Fact& fact = graph_.fact(scores_);
  if (!fact.has_rank() || fact.dtype != DType::f32) return false;
  const int64_t axis = softmax->attributes.get_int("axis", -1);
  if ((fact.rank() != 3 && fact.rank() != 4) || (axis != -1 && axis != fact.rank() - 1)) return false;
  flat_ = fact.rank() == 3;
  if (!flat_) return true;
  // Heads were apart for the mask only.
  const Node* reshape = made_by(graph_, scores_, "Reshape");
  if (reshape == nullptr) return true;
  const ValueId whole = apart(scores_);
  if (whole == kNoValue) return true;
  take(producer_of(graph_, scores_));
  scores_ = whole;
  return true;
}

ValueId AttentionForm::apart(ValueId flat) {
  const Node* reshape = made_by(graph_, flat, "Reshape");
  if (reshape == nullptr) return kNoValue;
  const Fact &whole = graph_.fact(reshape->inputs[0]), &made = graph_.fact(flat);
  if (!whole.has_rank() || whole.rank() != 4 || !made.has_rank() || made.rank() != 3) return kNoValue;
  if (!same(whole.dim(2), made.dim(1)) || !same(whole.dim(3), made.dim(2))) return kNoValue;
  return reshape->inputs[0];
}

// Leads back to a product through what is done to scores.
bool AttentionForm::is_product(ValueId value, int depth) const {
  const NodeId id = producer_of(graph_, value);
  if (id == kNoNode || depth > 6) return false;
  const Node& node = graph_.node(id);
  if (is_op(node, "MatMul") || is_turning_product(node)) return true;
  if (is_op(node, "Div") || is_op(node, "Reshape") || is_op(node, "Tanh")) return is_product(node.inputs[0], depth + 1);
  if (is_op(node, "Mul")) return is_product(node.inputs[0], depth + 1) || is_product(node.inputs[1], depth + 1);
  if (is_op(node, "Where")) return is_product(node.inputs[1], depth + 1) || is_product(node.inputs[2], depth + 1);
  return false;
}

// An operand that was only made as wide as the scores.
ValueId AttentionForm::before_expand(ValueId operand) {
  const Node* expand = made_by(graph_, operand, "Expand");
  if (expand == nullptr || !graph_.fact(expand->inputs[0]).has_rank()) return operand;
  const Fact &narrow = graph_.fact(expand->inputs[0]), &wide = graph_.fact(operand);
  if (!wide.has_rank() || wide.rank() > 4 || narrow.rank() > wide.rank()) return operand;
  return expand->inputs[0];
}

// The mask is broadcast to the scores; that the scores are not broadcast to it, a run checks.
void AttentionForm::take_mask() {
  const Node* add = made_by(graph_, scores_, "Add");
  if (add == nullptr || mask != kNoValue) return;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const ValueId inner = add->inputs[i], other = add->inputs[1 - i];
    if (!is_product(inner) || !same_type(graph_, other, scores_) || !graph_.fact(other).has_rank()) continue;
    take(producer_of(graph_, scores_));
    mask = before_expand(other);
    scores_ = inner;
    return;
  }
}

// Where(choice, number, scores), or with the last two the other way round.
void AttentionForm::take_choice() {
  const Node* where = made_by(graph_, scores_, "Where");
  if (where == nullptr || choice != kNoValue || !graph_.fact(where->inputs[0]).has_rank()) return;
  for (const size_t i : {size_t{1}, size_t{2}}) {
    const auto number = uniform_value(graph_, where->inputs[i]);
    const ValueId inner = where->inputs[3 - i];
    if (!number || std::isnan(*number) || !is_product(inner)) continue;
    take(producer_of(graph_, scores_));
    hidden_where = i == 1;
    hidden_score = *number;
    choice = before_expand(where->inputs[0]);
    scores_ = inner;
    return;
  }
}

// x of cap tanh(x / cap); another divisor goes into the scale.
bool AttentionForm::take_cap() {
  const Node* product = made_by(graph_, scores_, "Mul");
  if (product == nullptr) return true;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const Node* tanh = made_by(graph_, product->inputs[i], "Tanh");
    const auto number = uniform_value(graph_, product->inputs[1 - i]);
    if (tanh == nullptr || !number) continue;
    reason = "what caps the scores is not understood";
    if (!(*number > 0) || !std::isfinite(*number) || choice != kNoValue) return false;
    if (!same_type_and_dims(graph_, product->inputs[i], scores_)) return false;
    cap = *number;
    scale = cap;
    take(producer_of(graph_, scores_)), take(producer_of(graph_, product->inputs[i]));
    scores_ = tanh->inputs[0];
    break;
  }
  return true;
}

// x of x * number or x / number, with the number in the scale; of any such after one another.
void AttentionForm::take_scale(ValueId& value) {
  const NodeId id = producer_of(graph_, value);
  if (id == kNoNode || !has_one_use(graph_, value)) return;
  const Node& node = graph_.node(id);
  const bool is_mul = is_op(node, "Mul");
  if (!is_mul && !is_op(node, "Div")) return;
  for (const size_t operand : {size_t{1}, size_t{0}}) {
    const auto number = uniform_value(graph_, node.inputs[operand]);
    if (!number || *number <= 0 || !std::isfinite(*number) || (!is_mul && operand == 0)) continue;
    if (!same_type_and_dims(graph_, node.inputs[1 - operand], value)) continue;
    take(id);
    scale *= is_mul ? *number : 1 / *number;
    value = node.inputs[1 - operand];
    return take_scale(value);
  }
}

bool AttentionForm::find_scores() {
  if (flat_ && graph_.fact(scores_).rank() == 4) {
    const Node* reshape = step_back(scores_, "Reshape");
    if (reshape == nullptr || graph_.fact(reshape->inputs[0]).rank() != 3) return false;
    const Fact &whole = graph_.fact(scores_), &flat = graph_.fact(reshape->inputs[0]);
    if (!same(whole.dim(2), flat.dim(1)) || !same(whole.dim(3), flat.dim(2))) return false;
    scores_ = reshape->inputs[0];
    take_scale(scores_);
  }
  if (const Node* inner = step_back(scores_, "MatMul")) {
    q.value = inner->inputs[0];
    ValueId turned = inner->inputs[1];
    take_scale(q.value);
    take_scale(turned);
    return find_keys(turned);
  }
  if (const Node* inner = made_by(graph_, scores_, "FusedMatMul", kContrib)) {
    const float alpha = inner->attributes.get_float("alpha", 1);
    if (!is_turning_product(*inner) || !(alpha > 0) || !std::isfinite(alpha)) return false;
    take(producer_of(graph_, scores_));
    scale *= alpha;
    q.value = inner->inputs[0], k.value = inner->inputs[1];
    take_scale(q.value);
    take_scale(k.value);
    return true;
  }
  reason = "what is done to the scores is not understood";
  return false;
}

// k [batch, heads, keys, size] from what the product takes, [batch, heads, size, keys].
bool AttentionForm::find_keys(ValueId turned) {
  const Node* transpose = made_by(graph_, turned, "Transpose");
  const Node* reshape = made_by(graph_, turned, "Reshape");
  if (transpose == nullptr && reshape != nullptr) {
    const Fact& before = graph_.fact(reshape->inputs[0]);
    if (flat_ && before.has_rank() && before.rank() == 4) {  // turned with its heads apart, then flat
      const ValueId whole = apart(turned);
      transpose = made_by(graph_, whole, "Transpose");
      if (transpose == nullptr || (!has_perm(*transpose, {0, 2, 3, 1}) && !has_perm(*transpose, {0, 1, 3, 2})))
        return reason = "the keys are not transposed for it", false;
      k = {transpose->inputs[0], has_perm(*transpose, {0, 2, 3, 1})};
      return true;
    }
    // Turned with batch and heads put together, then apart again.
    const Node* inner = made_by(graph_, reshape->inputs[0], "Transpose");
    if (inner != nullptr && before.has_rank() && before.rank() == 3 && has_perm(*inner, {0, 2, 1})) {
      const ValueId whole = apart(inner->inputs[0]);
      const Fact& made = graph_.fact(turned);
      if (whole != kNoValue && made.has_rank() && made.rank() == 4) {
        const Fact& fact = graph_.fact(whole);
        if (same(fact.dim(0), made.dim(0)) && same(fact.dim(1), made.dim(1)) && same(fact.dim(2), made.dim(3)) &&
            same(fact.dim(3), made.dim(2))) {
          k.value = whole;
          return true;
        }
      }
    }
  }
  if (transpose == nullptr) return reason = "the keys are not transposed for it", false;
  if (flat_ ? !has_perm(*transpose, {0, 2, 1})
            : !has_perm(*transpose, {0, 1, 3, 2}) && !has_perm(*transpose, {0, 2, 3, 1}))
    return reason = "the keys are turned in another way", false;
  k = {transpose->inputs[0], !flat_ && has_perm(*transpose, {0, 2, 3, 1})};
  if (!k.by_position) take_scale(k.value);
  return true;
}

// The value before its heads were brought in front.
void AttentionForm::undo_turn(Heads& heads) {
  const Node* transpose = made_by(graph_, heads.value, "Transpose");
  if (heads.by_position || transpose == nullptr ||
      !std::ranges::equal(transpose->attributes.get_ints("perm"), kSwapped))
    return;
  heads = {transpose->inputs[0], true};
}

// Keys or values before each head was repeated: Unsqueeze, Expand, Reshape.
bool AttentionForm::undo_repeat(Heads& heads) {
  if (heads.by_position) return true;
  const Node* reshape = made_by(graph_, heads.value, "Reshape");
  const Node* expand = reshape == nullptr ? nullptr : made_by(graph_, reshape->inputs[0], "Expand");
  if (expand == nullptr) return true;
  const ValueId narrow = expand->inputs[0], wide = reshape->inputs[0];
  const Fact &before = graph_.fact(narrow), &repeated = graph_.fact(wide), &after = graph_.fact(heads.value);
  if (!before.has_rank() || before.rank() != 5 || !before.dim(2).is(1) || !repeated.has_rank() ||
      repeated.rank() != 5 || !after.has_rank() || after.rank() != 4)
    return true;
  const auto whole = [&](int axis, int wide_axis) { return same(after.dim(axis), repeated.dim(wide_axis)); };
  bool same_elements = whole(0, 0) && whole(2, 3) && whole(3, 4);
  for (const int axis : {0, 1, 3, 4}) same_elements = same_elements && same(before.dim(axis), repeated.dim(axis));
  const Node* unsqueeze = made_by(graph_, narrow, "Unsqueeze");
  const Node* reshaped = made_by(graph_, narrow, "Reshape");
  if (!same_elements || (unsqueeze == nullptr && reshaped == nullptr)) {
    reason = "what repeats the heads of keys or values is not understood";
    return false;
  }
  const ValueId few = (unsqueeze != nullptr ? unsqueeze : reshaped)->inputs[0];
  const Fact& fact = graph_.fact(few);
  if (!fact.has_rank() || fact.rank() != 4) return true;
  for (const int axis : {0, 1, 2, 3})
    if (!same(fact.dim(axis), before.dim(axis < 2 ? axis : axis + 1))) return true;
  heads.value = few;
  return true;
}

// q of [batch, positions, parts, heads, channels], turned so that the parts are in front, and chosen.
void AttentionForm::undo_parts(Heads& heads) {
  const auto part = heads.by_position ? std::nullopt : part_of(graph_, heads.value);
  if (!part) return;
  const Node* transpose = made_by(graph_, part->value, "Transpose");
  if (transpose == nullptr || !has_perm(*transpose, {2, 0, 3, 1, 4})) return;
  heads = {transpose->inputs[0], false, part->number};
}

// The output with its heads apart, by position where it goes on so.
void AttentionForm::follow_result(const Node& product) {
  y = product.outputs[0];
  NodeId user = only_user(graph_, y);
  if (flat_) {
    y = kNoValue;
    if (user == kNoNode || !is_op(graph_.node(user), "Reshape")) {
      reason = "the output's batch and heads stay one dimension";
      return;
    }
    const Fact &whole = graph_.fact(graph_.node(user).outputs[0]), &flat = graph_.fact(product.outputs[0]);
    if (!whole.has_rank() || whole.rank() != 4 || !same(whole.dim(2), flat.dim(1)) || !same(whole.dim(3), flat.dim(2)))
      return;
    take(user);
    y = graph_.node(user).outputs[0];
    user = only_user(graph_, y);
  }
  if (y_by_position || user == kNoNode || !is_op(graph_.node(user), "Transpose") ||
      !std::ranges::equal(graph_.node(user).attributes.get_ints("perm"), kSwapped))
    return;
  take(user);
  y = graph_.node(user).outputs[0];
  y_by_position = true;
}

bool AttentionForm::fits() {
  reason = "the heads or types of q, k and v differ";
  for (const Heads* heads : {&q, &k, &v}) {
    const Fact& fact = graph_.fact(heads->value);
    if (!fact.has_rank() || fact.rank() != (heads->part >= 0 ? 5 : 4) || fact.dtype != DType::f32) return false;
  }
  const Dim batch = q.dim(graph_, 0), of_q = q.dim(graph_, 1), of_k = k.dim(graph_, 1);
  for (const Heads* heads : {&k, &v})
    if (!same(batch, heads->dim(graph_, 0))) return false;
  if (!same(of_k, v.dim(graph_, 1)) || !same(k.dim(graph_, 2), v.dim(graph_, 2))) return false;
  if (same(of_q, of_k)) return true;
  return of_q.is_known() && of_k.is_known() && of_k.known() > 0 && of_q.known() % of_k.known() == 0;
}

// What is between the nodes is used by them alone; a Shape of it that they use, too.
bool AttentionForm::is_closed() {
  for (size_t i = 0; i < taken_.size(); ++i) {
    for (const ValueId output : graph_.node(taken_[i]).outputs) {
      if (output == kNoValue || output == y) continue;
      reason = "what is between its nodes is used elsewhere";
      if (graph_.is_output(output)) return false;
      for (const NodeId user : graph_.value(output).users) {
        if (std::ranges::find(taken_, user) != taken_.end()) continue;
        if (!is_op(graph_.node(user), "Shape")) return false;
        const NodeId next = only_user(graph_, graph_.node(user).outputs[0]);
        if (next == kNoNode || std::ranges::find(taken_, next) == taken_.end()) return false;
        taken_.push_back(user);
      }
    }
  }
  return true;
}

}  // namespace sdx::passes
