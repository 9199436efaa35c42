// Convolutions of codes, and what lies between them, with their channels innermost: there a pixel's channels are the
// run of bytes that products want. A convolution always goes that way; other operators do where one of their inputs
// does already. Every result keeps its bits.
#include <algorithm>
#include <map>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/quantized.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

constexpr int64_t kLeastFilters = 16;  // of a group: fewer leave most of a vector empty

class Turning {
 public:
  explicit Turning(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  Status run() {
    SDX_ASSIGN(const std::vector<NodeId> order, ctx_.order());
    for (const NodeId id : order)
      if (graph_.node(id).alive) visit(id);
    for (size_t i = turned_back_.size(); i-- > 0;) remove_unused(turned_back_[i]);
    if (last_.empty()) return {};
    // From the end: of two convolutions that are added, the later one takes the sum in.
    SDX_ASSIGN(const std::vector<NodeId> after, ctx_.order());
    for (size_t i = after.size(); i-- > 0;)
      if (is_op(graph_.node(after[i]), "QLinearConv", kContrib)) take_sum(after[i]);
    return {};
  }

 private:
  // Batch, channels and one or two spatial axes.
  bool is_plane(ValueId value) const {
    const Fact& fact = graph_.fact(value);
    return fact.is_tensor() && fact.has_rank() && (fact.rank() == 3 || fact.rank() == 4);
  }
  bool is_image(ValueId value) const { return is_plane(value) && is_byte(graph_.fact(value).dtype); }
  bool is_floats(ValueId value) const { return is_plane(value) && graph_.fact(value).dtype == DType::f32; }
  bool is_turned(ValueId value) const { return last_.contains(value); }

  void visit(NodeId id) {
    const Node& node = graph_.node(id);
    if (is_op(node, "QLinearConv")) return convolution(id);
    if (is_op(node, "ConvInteger")) return integer_convolution(id);
    if (is_op(node, "DynamicQuantizeLinear")) return quantization(id);
    if (is_map(node)) return map(id);
    if (node.inputs.empty() || node.outputs.size() != 1 || node.outputs[0] == kNoValue) return;
    const bool pools = is_op(node, "MaxPool") || is_op(node, "QLinearGlobalAveragePool", kContrib);
    if (pools || is_op(node, "QLinearSigmoid", kContrib) || is_op(node, "QLinearLeakyRelu", kContrib))
      return one_image(id);
    if (is_op(node, "QLinearAdd", kContrib) || is_op(node, "QLinearMul", kContrib)) return two_images(id);
    if (is_op(node, "Concat")) return concat(id, 0, 1);
    if (is_op(node, "QLinearConcat", kContrib)) return concat(id, 2, 3);
  }

  // Empty where kernels take the convolution.
  std::string_view why_not(const Node& node, ValueId weight, ValueId zero) const {
    if (!is_image(node.inputs[0]) || !is_plane(node.outputs[0])) return "x has another number of axes than 3 or 4";
    const Tensor* w = weight_of(graph_, weight);
    if (w == nullptr || w->rank() < 3 || w->count() == 0) return "the weight is no constant";
    const int64_t group = std::max<int64_t>(1, node.attributes.get_int("group", 1));
    const bool is_depthwise = w->dim(1) == 1 && w->dim(0) == group && group > 1;
    if (group > 1 && !is_depthwise && w->dim(0) / group < kLeastFilters) return "groups of few filters";
    if (is_depthwise && node.op == "ConvInteger") return "a filter a channel";
    const auto number = zero == kNoValue ? std::optional(0.0) : uniform_value(graph_, zero);
    if (!number) return "filters have different zero points";
    if (group > 1 && *number != (w->dtype() == DType::u8 ? 128 : 0)) return "filters of groups have a zero point";
    return {};
  }

  void convolution(NodeId id) {
    const Node& node = graph_.node(id);
    if (const auto reason = why_not(node, node.inputs[3], node.inputs[5]); !reason.empty())
      return ctx_.decline(id, formatted("channels last: {}", reason));
    Attributes attributes = node.attributes;
    attributes.set("channels_last", int64_t{1});
    replace(id, {.op = "QLinearConv", .domain = kContrib, .inputs = node.inputs, .attributes = attributes}, {0});
  }

  // ConvInteger, an Add of a number a filter, Cast, and a Mul by one number.
  void integer_convolution(NodeId id) {
    const Node& node = graph_.node(id);
    if (const auto reason = why_not(node, node.inputs[1], input_of(node, 3)); !reason.empty())
      return ctx_.decline(id, formatted("channels last: {}", reason));
    Rewrite rewrite(ctx_, "ConvInteger with the channels last, and what makes floats of it");
    rewrite.take(id);
    ValueId sums = node.outputs[0], bias = kNoValue;
    NodeId next = only_user(graph_, sums);
    if (next != kNoNode && is_op(graph_.node(next), "Add")) {
      bias = other_input(graph_.node(next), sums);
      if (!is_along_channels(bias, sums)) return decline_tail(id);
      rewrite.take(next);
      sums = graph_.node(next).outputs[0];
      next = only_user(graph_, sums);
    }
    if (next == kNoNode || !is_op(graph_.node(next), "Cast")) return decline_tail(id);
    rewrite.take(next);
    const ValueId floats = graph_.node(next).outputs[0];
    next = only_user(graph_, floats);
    if (graph_.fact(floats).dtype != DType::f32 || next == kNoNode || !is_op(graph_.node(next), "Mul"))
      return decline_tail(id);
    const ValueId scale = other_input(graph_.node(next), floats), y = graph_.node(next).outputs[0];
    const auto shape = graph_.fact(scale).known_shape();
    if (!shape || count_of(*shape) != 1 || !same_type_and_dims(graph_, floats, y)) return decline_tail(id);
    rewrite.take(next);
    if (bias != kNoValue) {
      const ValueId line = rewrite.numbers("line", std::vector<int64_t>{-1});
      bias = rewrite.add({.op = "Reshape", .inputs = {bias, line}});
    }
    const ValueId plain = node.inputs[0];
    const ValueId x = is_turned(plain) ? last_.at(plain) : turn(rewrite, plain, graph_.fact(plain).rank(), To::last);
    NewNode made{.op = "ConvIntegerToFloat",
                 .domain = kOwn,
                 .inputs = {x, node.inputs[1], input_of(node, 2), input_of(node, 3), scale, bias},
                 .attributes = node.attributes};
    if (bias == kNoValue) made.inputs.pop_back();
    if (!finish(rewrite, y, rewrite.add(made))) return;
    last_.try_emplace(plain, graph_.node(producer_of(graph_, last_.at(y))).inputs[0]);
  }

  void decline_tail(NodeId id) { ctx_.decline(id, "channels last: no Cast and Mul by one number behind it"); }
  static ValueId other_input(const Node& node, ValueId value) { return node.inputs[node.inputs[0] == value ? 1 : 0]; }
  bool is_along_channels(ValueId value, ValueId image) const {
    const Fact &own = graph_.fact(value), &of = graph_.fact(image);
    if (!own.has_rank() || own.rank() > of.rank() || own.dtype != DType::i32) return false;
    for (int axis = 0; axis < own.rank(); ++axis) {
      const int there = axis + of.rank() - own.rank();
      if (there == 1 ? !(own.dim(axis) == of.dim(1)) : !own.dim(axis).is(1)) return false;
    }
    return own.rank() >= of.rank() - 1;
  }

  // Scale and zero point do not depend on the order of the elements.
  void quantization(NodeId id) {
    const Node node = graph_.node(id);
    if (!is_turned(node.inputs[0]) || node.outputs.size() != 3 || std::ranges::count(node.outputs, kNoValue) != 0)
      return;
    Rewrite rewrite(ctx_, "DynamicQuantizeLinear with the channels last");
    rewrite.take(id);
    const ValueId made = rewrite.add({.op = node.op, .inputs = {last_.at(node.inputs[0])}, .outputs = 3});
    rewrite.become(node.outputs[1], made + 1);
    rewrite.become(node.outputs[2], made + 2);
    finish(rewrite, node.outputs[0], made);
  }

  static bool is_map(const Node& node) {
    constexpr std::string_view kMaps[] = {"Add",         "Sub",       "Mul",       "Div",  "Relu", "Sigmoid",
                                          "HardSigmoid", "HardSwish", "LeakyRelu", "Tanh", "Clip", "Swish"};
    return (node.alive && is_op(node, node.op) && std::ranges::find(kMaps, node.op) != std::end(kMaps)) ||
           is_op(node, "QuickGelu", kContrib) || is_op(node, "Gelu", kContrib);
  }

  // Of floats: all operands are turned, or one number.
  void map(NodeId id) {
    const Node& node = graph_.node(id);
    const ValueId y = node.outputs[0];
    if (node.outputs.size() != 1 || !is_floats(y)) return;
    std::vector<size_t> images;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId input = node.inputs[i];
      if (input == kNoValue) continue;
      const auto shape = graph_.fact(input).known_shape();
      if (is_turned(input) && same_type_and_dims(graph_, input, y)) {
        images.push_back(i);
      } else if (!shape || count_of(*shape) != 1 || static_cast<int>(shape->size()) > graph_.fact(y).rank()) {
        return;
      }
    }
    if (images.empty()) return;
    replace(id, {.op = node.op, .domain = node.domain, .inputs = node.inputs, .attributes = node.attributes}, images);
  }

  void one_image(NodeId id) {
    const Node& node = graph_.node(id);
    if (!is_turned(node.inputs[0])) return;
    if (is_op(node, "MaxPool")) return pool(id);
    Attributes attributes = node.attributes;
    if (node.op == "QLinearGlobalAveragePool") {
      if (attributes.get_int("channels_last", 0) != 0) return;
      attributes.set("channels_last", int64_t{1});
    }
    replace(id, {.op = node.op, .domain = node.domain, .inputs = node.inputs, .attributes = attributes}, {0});
  }

  // Over one axis more, on which windows have one element.
  void pool(NodeId id) {
    const Node& node = graph_.node(id);
    Attributes attributes = node.attributes;
    const auto longer = [&](std::string_view name, size_t parts, int64_t value) {
      const auto given = node.attributes.get_ints(name);
      if (given.empty()) return;
      std::vector<int64_t> made;
      for (size_t part = 0; part < parts; ++part) {
        const size_t each = given.size() / parts;
        made.insert(made.end(), given.begin() + static_cast<std::ptrdiff_t>(part * each),
                    given.begin() + static_cast<std::ptrdiff_t>((part + 1) * each));
        made.push_back(value);
      }
      attributes.set(name, std::move(made));
    };
    longer("kernel_shape", 1, 1), longer("strides", 1, 1), longer("dilations", 1, 1), longer("pads", 2, 0);
    Rewrite rewrite(ctx_, "MaxPool with the channels last");
    rewrite.take(id);
    const ValueId axis = rewrite.numbers("channel_axis", std::vector<int64_t>{1});
    const ValueId x = rewrite.add({.op = "Unsqueeze", .inputs = {last_.at(node.inputs[0]), axis}});
    const ValueId y = rewrite.add({.op = "MaxPool", .inputs = {x}, .attributes = attributes});
    finish(rewrite, node.outputs[0], rewrite.add({.op = "Squeeze", .inputs = {y, axis}}));
  }

  void two_images(NodeId id) {
    const Node& node = graph_.node(id);
    const ValueId a = node.inputs[0], b = node.inputs[3];
    if (!is_turned(a) && !is_turned(b)) return;
    if (!is_image(a) || !same_type_and_dims(graph_, a, b))
      return ctx_.decline(id, "channels last: the operands have different shapes");
    replace(id, {.op = node.op, .domain = node.domain, .inputs = node.inputs, .attributes = node.attributes}, {0, 3});
  }

  void concat(NodeId id, size_t first, size_t step) {
    const Node& node = graph_.node(id);
    const Fact& y = graph_.fact(node.outputs[0]);
    std::vector<size_t> images;
    bool any = false;
    for (size_t i = first; i < node.inputs.size(); i += step) {
      if (!is_image(node.inputs[i])) return;
      images.push_back(i);
      any = any || is_turned(node.inputs[i]);
    }
    if (!any || !y.has_rank() || graph_.fact(node.inputs[first]).rank() != y.rank()) return;
    const auto axis = normalize_axis(node.attributes.get_int("axis", 0), y.rank());
    if (!axis) return;
    Attributes attributes = node.attributes;
    const int64_t own = *axis;
    attributes.set("axis", own == 0 ? int64_t{0} : own == 1 ? int64_t{y.rank() - 1} : own - 1);
    replace(id, {.op = node.op, .domain = node.domain, .inputs = node.inputs, .attributes = attributes}, images);
  }

  // The node with its images turned.
  void replace(NodeId id, NewNode made, const std::vector<size_t>& images) {
    const Node& node = graph_.node(id);
    const ValueId output = node.outputs[0];
    Rewrite rewrite(ctx_, formatted("{} with the channels last", node.op));
    rewrite.take(id);
    std::map<ValueId, ValueId> own;
    for (const size_t i : images) {
      const ValueId plain = made.inputs[i];
      if (const auto at = last_.find(plain); at != last_.end()) {
        made.inputs[i] = at->second;
        continue;
      }
      const auto [turned, is_new] = own.try_emplace(plain, kNoValue);
      if (is_new) turned->second = turn(rewrite, plain, graph_.fact(plain).rank(), To::last);
      made.inputs[i] = turned->second;
    }
    const std::vector<ValueId> plain = node.inputs;
    if (!finish(rewrite, output, rewrite.add(made))) return;
    const Node& applied = graph_.node(producer_of(graph_, last_.at(output)));
    for (const size_t i : images) last_.try_emplace(plain[i], applied.inputs[i]);
  }

  bool finish(Rewrite& rewrite, ValueId output, ValueId made) {
    rewrite.become(output, turn(rewrite, made, graph_.fact(output).rank(), To::second));
    if (!rewrite.apply()) return false;
    turned_back_.push_back(producer_of(graph_, output));
    last_[output] = graph_.node(turned_back_.back()).inputs[0];
    return true;
  }

  // QLinearConv + QLinearAdd of codes of one shape.
  void take_sum(NodeId id) {
    const Node& conv = graph_.node(id);
    const NodeId user = only_user(graph_, conv.outputs[0]);
    if (conv.attributes.get_int("channels_last", 0) == 0 || user == kNoNode) return;
    const Node& add = graph_.node(user);
    if (!is_op(add, "QLinearAdd", kContrib)) return;
    const bool is_second = add.inputs[3] == conv.outputs[0];
    const ValueId other = add.inputs[is_second ? 0 : 3];
    if (other == conv.outputs[0] || !same_type_and_dims(graph_, other, conv.outputs[0])) return;
    if (!same_weight(graph_, conv.inputs[6], add.inputs[is_second ? 4 : 1]) ||
        !same_zero(conv.inputs[7], input_of(add, is_second ? 5 : 2)))
      return ctx_.decline(id, "QLinearConv + QLinearAdd: the scale or zero point between them differs");
    Rewrite rewrite(ctx_, "QLinearConv + QLinearAdd");
    rewrite.take(id).take(user);
    std::vector<ValueId> inputs = conv.inputs;
    inputs.resize(9, kNoValue);
    const size_t first = is_second ? 1 : 4;
    inputs.insert(inputs.end(), {other, add.inputs[first], input_of(add, first + 1), add.inputs[6], input_of(add, 7)});
    if (inputs.back() == kNoValue) return;
    Attributes attributes = conv.attributes;
    attributes.set("convolution_is_second", int64_t{is_second ? 1 : 0});
    rewrite.become(add.outputs[0],
                   rewrite.add({.op = "QLinearConvAdd", .domain = kOwn, .inputs = inputs, .attributes = attributes}));
    rewrite.apply();
  }

  bool same_zero(ValueId given, ValueId optional) const {
    if (optional == kNoValue) return uniform_value(graph_, given) == 0.0;
    return same_weight(graph_, given, optional);
  }

  enum class To : uint8_t { last, second };
  static ValueId turn(Rewrite& rewrite, ValueId value, int rank, To to) {
    std::vector<int64_t> perm{0};
    if (to == To::second) perm.push_back(rank - 1);
    for (int64_t axis = to == To::second ? 1 : 2; axis < (to == To::second ? rank - 1 : rank); ++axis)
      perm.push_back(axis);
    if (to == To::last) perm.push_back(1);
    return rewrite.add({.op = "Transpose", .inputs = {value}, .attributes = make_attributes({{"perm", perm}})});
  }

  void remove_unused(NodeId id) {
    const ValueId output = graph_.node(id).outputs[0];
    if (!graph_.is_output(output) && graph_.value(output).users.empty()) graph_.remove_node(id);
  }

  PassContext& ctx_;
  Graph& graph_;
  std::map<ValueId, ValueId> last_;  // with the channels last, by the value that it stands for
  std::vector<NodeId> turned_back_;  // Transposes that make plain values
};

Status run(PassContext& ctx) { return Turning(ctx).run(); }

}  // namespace

constinit const Pass channels_last{"channels_last", Level::layout, Exactness::bits,
                                   "keeps the channels of convolutions over codes innermost", run};

}  // namespace sdx::passes
