// Convolutions, and what lies between them, over blocked channels (ops/conv/blocked_conv.h). Which values are blocked
// is a cut through the graph: each node gains or loses by its blocked form, each value that is made in one form and
// used in the other costs a reorder, once however many use it.
#include <algorithm>
#include <map>

#include "ops/conv/blocked_conv.h"
#include "passes/layout_cost.h"
#include "passes/list.h"
#include "passes/min_cut.h"

namespace sdx::passes {
namespace {

constexpr int64_t kMostSteps = 20'000'000;  // of the cut; beyond, everything that can is blocked

class Blocking {
 public:
  explicit Blocking(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()), cost_(ctx.graph()) {}

  Status run() {
    SDX_ASSIGN(const std::vector<NodeId> order, ctx_.order());
    if (!find_forms(order)) return {};
    choose();
    for (const NodeId id : order)
      if (is_blocked(id)) SDX_TRY(rewrite(id));
    for (size_t i = unblocked_.size(); i-- > 0;) remove_unused(unblocked_[i]);
    return {};
  }

 private:
  struct Candidate {
    BlockedForm form;
    uint32_t place = MinCut::kSecond;
  };

  // False where no convolution could be blocked, or some are already.
  bool find_forms(const std::vector<NodeId>& order) {
    bool has_convolution = false;
    for (const NodeId id : order) {
      const Node& node = graph_.node(id);
      if (is_op(node, "BlockedConv", kOwn)) return false;
      std::string_view reason;
      const bool convolves = node.op == "Conv" || node.op == "FusedConv";
      if (auto form = blocked_form(graph_, node, reason)) {
        has_convolution = has_convolution || form->is_convolution();
        candidates_.emplace(id, Candidate{*std::move(form)});
      } else if (convolves && !reason.empty()) {
        ctx_.decline(id, formatted("blocked channels: {}", reason));
      }
    }
    return has_convolution;
  }

  bool is_blocked(NodeId id) const {
    const auto at = candidates_.find(id);
    return at != candidates_.end() && (gave_up_ || cut_.is_first(at->second.place));
  }

  // The first side is blocked.
  void choose() {
    for (auto& [id, candidate] : candidates_) {
      candidate.place = cut_.add_place();
      const int64_t gain = cost_.gain(graph_.node(id), candidate.form);
      cut_.add_cost(MinCut::kFirst, candidate.place, gain);
      cut_.add_cost(candidate.place, MinCut::kSecond, -gain);
    }
    for (ValueId value = 0; value < graph_.value_slots(); ++value)
      if (is_blockable(graph_, value)) add_reorders(value);
    gave_up_ = !cut_.solve(kMostSteps);
  }

  // The place of a user that takes the value blocked when it is blocked itself; kSecond: always plain.
  uint32_t place_of_use(NodeId user, ValueId value) const {
    const auto at = candidates_.find(user);
    if (at == candidates_.end()) return MinCut::kSecond;
    const Node& node = graph_.node(user);
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] == value && at->second.form.operands[i] == Operand::blocked) return at->second.place;
    return MinCut::kSecond;
  }

  void add_reorders(ValueId value) {
    const ValueInfo& info = graph_.value(value);
    const auto producer = info.producer == kNoNode ? candidates_.end() : candidates_.find(info.producer);
    const bool is_blocked = producer != candidates_.end() && !producer->second.form.gives_plain();
    const uint32_t made = is_blocked ? producer->second.place : MinCut::kSecond;
    std::vector<uint32_t> uses;
    bool is_plain = info.is_output;
    for (const NodeId user : info.users) {
      const uint32_t place = place_of_use(user, value);
      is_plain = is_plain || place == MinCut::kSecond;
      if (place != MinCut::kSecond && std::ranges::find(uses, place) == uses.end()) uses.push_back(place);
    }
    if (uses.empty() && made == MinCut::kSecond) return;
    const int64_t cost = cost_.reorder(value);
    // Made blocked, wanted plain by anybody: once.
    if (is_plain) {
      cut_.add_cost(made, MinCut::kSecond, cost);
    } else if (uses.size() == 1) {
      cut_.add_cost(made, uses[0], cost);
    } else if (made != MinCut::kSecond) {
      const uint32_t plain = cut_.add_place();
      cut_.add_cost(made, plain, cost);
      for (const uint32_t use : uses) cut_.add_cost(plain, use, MinCut::kNever);
    }
    // Made plain, wanted blocked by anybody.
    if (uses.size() == 1) return cut_.add_cost(uses[0], made, cost);
    if (uses.empty()) return;
    const uint32_t blocked = cut_.add_place();
    cut_.add_cost(blocked, made, cost);
    for (const uint32_t use : uses) cut_.add_cost(use, blocked, MinCut::kNever);
  }

  Shape reshape_target(ValueId value, bool to_blocked) const {
    const Fact& fact = graph_.fact(value);
    Shape shape = {0, fact.dim(1).known() / (to_blocked ? ops::kChannelBlock : 1)};
    for (int axis = 2; axis < fact.rank(); ++axis) shape.push_back(1);
    if (to_blocked) shape.push_back(ops::kChannelBlock);
    return shape;
  }

  ValueId block(Rewrite& rewrite, ValueId plain) const {
    if (!cost_.is_reshape(plain)) return rewrite.add({.op = "BlockChannels", .domain = kOwn, .inputs = {plain}});
    const ValueId shape = rewrite.constant("blocked_shape", vector_i64(reshape_target(plain, true)));
    return rewrite.add({.op = "Reshape", .inputs = {plain, shape}});
  }

  ValueId unblock(Rewrite& rewrite, ValueId blocked, ValueId plain) const {
    if (cost_.is_reshape(plain)) {
      const ValueId shape = rewrite.constant("plain_shape", vector_i64(reshape_target(plain, false)));
      return rewrite.add({.op = "Reshape", .inputs = {blocked, shape}});
    }
    return rewrite.add({.op = "UnblockChannels",
                        .domain = kOwn,
                        .inputs = {blocked},
                        .attributes = make_attributes({{"channels", graph_.fact(plain).dim(1).known()}})});
  }

  Status rewrite(NodeId id) {
    const Node node = graph_.node(id);
    const BlockedForm& form = candidates_.at(id).form;
    Rewrite rewrite(ctx_, formatted("{} over blocked channels", node.op));
    rewrite.take(id);
    std::vector<ValueId> inputs = node.inputs;
    std::map<ValueId, ValueId> made;  // blocked here
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (form.operands[i] != Operand::blocked) continue;
      const ValueId plain = inputs[i];
      if (const auto at = blocked_.find(plain); at != blocked_.end()) {
        inputs[i] = at->second;
      } else {
        const auto [own, is_new] = made.try_emplace(plain, kNoValue);
        if (is_new) own->second = block(rewrite, plain);
        inputs[i] = own->second;
      }
    }
    SDX_ASSIGN(const ValueId first, add_blocked(ctx_, rewrite, node, form, inputs));
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNoValue) continue;
      const auto own = static_cast<ValueId>(first + i);
      rewrite.become(node.outputs[i], form.gives_plain() ? own : unblock(rewrite, own, node.outputs[i]));
    }
    if (rewrite.apply()) remember(node, form);
    return {};
  }

  // The values that the rewrite made, by the plain ones that they stand for.
  void remember(const Node& old, const BlockedForm& form) {
    NodeId made = producer_of(graph_, old.outputs[0]);
    for (const ValueId output : old.outputs) {
      if (output == kNoValue || form.gives_plain()) continue;
      unblocked_.push_back(producer_of(graph_, output));
      const ValueId blocked = graph_.node(unblocked_.back()).inputs[0];
      blocked_[output] = blocked;
      made = producer_of(graph_, blocked);
    }
    if (form.kind == BlockedForm::Kind::up_convolution) made = producer_of(graph_, graph_.node(made).inputs[0]);
    for (size_t i = 0; i < old.inputs.size(); ++i)
      if (form.operands[i] == Operand::blocked) blocked_.try_emplace(old.inputs[i], graph_.node(made).inputs[i]);
  }

  void remove_unused(NodeId id) {
    const ValueId output = graph_.node(id).outputs[0];
    if (!graph_.is_output(output) && graph_.value(output).users.empty()) graph_.remove_node(id);
  }

  PassContext& ctx_;
  Graph& graph_;
  LayoutCost cost_;
  std::map<NodeId, Candidate> candidates_;
  MinCut cut_;
  bool gave_up_ = false;
  std::map<ValueId, ValueId> blocked_;  // by the plain value
  std::vector<NodeId> unblocked_;       // nodes that make plain values of blocked ones
};

Status run(PassContext& ctx) { return Blocking(ctx).run(); }

}  // namespace

constinit const Pass block_layout{"block_layout", Level::layout, Exactness::rounding,
                                  "keeps the channels of convolutions and what is between them in blocks of 16", run};

}  // namespace sdx::passes
