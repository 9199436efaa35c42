#include "passes/blocked_form.h"

#include <algorithm>
#include <array>

#include "ops/conv/blocked_conv.h"

namespace sdx::passes {
namespace {

using Kind = BlockedForm::Kind;

// Maps over elements of input 0; what other inputs they have is as it is.
constexpr std::array kUnary = std::to_array<std::string_view>(
    {"Abs",   "Ceil",      "Celu",        "Clip",      "Cos",      "Elu",       "Erf",    "Exp",
     "Floor", "Gelu",      "HardSigmoid", "HardSwish", "Identity", "LeakyRelu", "Log",    "Mish",
     "Neg",   "QuickGelu", "Reciprocal",  "Relu",      "Round",    "Selu",      "Shrink", "Sigmoid",
     "Sign",  "Sin",       "Softplus",    "Softsign",  "Sqrt",     "Swish",     "Tanh",   "ThresholdedRelu"});
// Maps over all inputs with broadcasting.
constexpr std::array kBroadcasting =
    std::to_array<std::string_view>({"Add", "Div", "Max", "Mean", "Min", "Mul", "PRelu", "Pow", "Sub", "Sum"});
constexpr std::array kReductions = std::to_array<std::string_view>(
    {"ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "ReduceSumSquare"});

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class FormFinder {
 public:
  FormFinder(const Graph& graph, const Node& node, std::string_view& reason)
      : graph_(graph), node_(node), reason_(reason) {}

  std::optional<BlockedForm> find() {
    const bool contrib = node_.domain == kContrib;
    if (node_.op == "ShuffleChannels" && node_.domain == kOwn) return over_spatial(Kind::gather);
    if (!node_.domain.empty() && !contrib) return no("no blocked form of this operator");
    if (node_.op == "Conv" || (contrib && node_.op == "FusedConv")) return convolution();
    if (is_among(kUnary, node_.op)) return unary();
    if (contrib) return node_.op == "Gelu" ? unary() : no("no blocked form of this operator");
    if (is_among(kBroadcasting, node_.op)) return broadcasting();
    if (is_among(kReductions, node_.op)) return reduction();
    if (node_.op == "MaxPool" || node_.op == "AveragePool") return pool();
    if (node_.op == "GlobalAveragePool" || node_.op == "GlobalMaxPool") return over_spatial(Kind::global_pool);
    if (node_.op == "BatchNormalization") return normalization();
    if (node_.op == "Concat") return concat();
    if (node_.op == "Split") return split();
    if (node_.op == "Slice") return slice();
    if (node_.op == "Pad") return pad();
    if (node_.op == "Resize") return resize();
    if (node_.op == "Transpose") return transpose();
    if (node_.op == "ConvTranspose") return up_convolution();
    return no("no blocked form of this operator");
  }

 private:
  using Found = std::optional<BlockedForm>;

  Found no(std::string_view reason) {
    reason_ = reason;
    return std::nullopt;
  }
  const Fact& fact(size_t i) const { return graph_.fact(node_.inputs[i]); }
  bool outputs_are_blockable() const {
    return std::ranges::all_of(node_.outputs, [&](ValueId y) { return y == kNoValue || is_blockable(graph_, y); });
  }
  // Input 0 and all outputs are blockable; the other inputs stay as they are.
  Found over_spatial(Kind kind) {
    if (node_.inputs[0] == kNoValue || !is_blockable(graph_, node_.inputs[0]) || !outputs_are_blockable())
      return no("type, rank or number of channels is not known, or not one that is blocked");
    BlockedForm form{kind, std::vector<Operand>(node_.inputs.size(), Operand::as_is)};
    form.operands[0] = Operand::blocked;
    return form;
  }

  // Whether some kernel runs the node that would take its place.
  bool runs(const BlockedForm& form) {
    const ops::OpEntry* entry = ops::find_op(kOwn, "BlockedConv");
    if (entry == nullptr || entry->cpu_kernels == nullptr) return false;
    Node made;
    made.op = "BlockedConv";
    made.domain = kOwn;
    made.inputs = node_.inputs;
    made.outputs = node_.outputs;
    made.attributes = node_.attributes;
    if (form.kind == Kind::plain_convolution) made.attributes.set("plain_input", int64_t{1});
    std::vector<Fact> facts;
    for (size_t i = 0; i < node_.inputs.size(); ++i)
      facts.push_back(node_.inputs[i] == kNoValue            ? Fact()
                      : form.operands[i] == Operand::blocked ? blocked_fact(graph_, node_.inputs[i])
                                                             : fact(i));
    std::vector<const Fact*> pointers;
    for (size_t i = 0; i < facts.size(); ++i) pointers.push_back(node_.inputs[i] == kNoValue ? nullptr : &facts[i]);
    const NodeFacts view(made, pointers);
    for (const Kernel& kernel : entry->cpu_kernels->kernels()) {
      const Verdict verdict = kernel.can_run(view);
      if (verdict) return true;
      reason_ = "no kernel of BlockedConv takes it";
    }
    return false;
  }

  Found convolution() {
    Found form = over_spatial(Kind::convolution);
    if (!form) return form;
    if (weight_of(graph_, input_of(node_, 1)) == nullptr) return no("the weight is no constant");
    if (const ValueId bias = input_of(node_, 2); bias != kNoValue && weight_of(graph_, bias) == nullptr)
      return no("the bias is no constant");
    if (const ValueId sum = input_of(node_, 3); sum != kNoValue) {
      if (!is_blockable(graph_, sum)) return no("the summand cannot be blocked");
      form->operands[3] = Operand::blocked;
    }
    // Few channels, which would waste lanes or which nothing makes in blocked form, are read as they are.
    const bool is_made = producer_of(graph_, node_.inputs[0]) != kNoNode;
    if (fact(0).dim(1).known() < (is_made ? 1 : 2) * ops::kChannelBlock) {
      BlockedForm plain = *form;
      plain.kind = Kind::plain_convolution;
      plain.operands[0] = Operand::as_is;
      if (runs(plain)) return plain;
    }
    return runs(*form) ? form : std::nullopt;
  }

  Found unary() {
    for (size_t i = 1; i < node_.inputs.size(); ++i)
      if (node_.inputs[i] != kNoValue && (!fact(i).has_rank() || fact(i).rank() != 0))
        return no("a bound is no scalar");
    return over_spatial(Kind::elementwise);
  }

  // How the operand meets an output of this shape; nullopt: it cannot.
  std::optional<Operand> operand(ValueId value, const Fact& y) const {
    const Fact& own = graph_.fact(value);
    if (value == kNoValue || !own.has_rank() || own.rank() > y.rank() || own.dtype != y.dtype) return std::nullopt;
    if (std::ranges::all_of(*own.shape, [](const Dim& dim) { return dim.is(1); })) return Operand::as_is;
    const int channel_axis = own.rank() - y.rank() + 1;
    const bool is_weight = weight_of(graph_, value) != nullptr;
    if (channel_axis >= 0 && own.dim(channel_axis) == y.dim(1) && !y.dim(1).is(1)) {
      if (small_weight_of(graph_, value) != nullptr) return Operand::channel_weight;
      return channel_axis == 1 && is_blockable(graph_, value) ? std::optional(Operand::blocked) : std::nullopt;
    }
    if (channel_axis >= 0 && !own.dim(channel_axis).is(1)) return std::nullopt;
    if (y.dim(1).is(1) && channel_axis == 1 && !is_weight) return Operand::blocked;
    if (!is_weight) return Operand::trailing;
    return small_weight_of(graph_, value) != nullptr ? std::optional(Operand::trailing_weight) : std::nullopt;
  }

  Found broadcasting() {
    const ValueId y = node_.outputs[0];
    if (!is_blockable(graph_, y))
      return no("type, rank or number of channels is not known, or not one that is blocked");
    BlockedForm form{Kind::elementwise, {}};
    for (const ValueId input : node_.inputs) {
      const auto kind = operand(input, graph_.fact(y));
      if (!kind) return no("an operand has another layout");
      form.operands.push_back(*kind);
    }
    if (std::ranges::find(form.operands, Operand::blocked) == form.operands.end()) return no("no operand has channels");
    return form;
  }

  Found reduction() {
    Found form = over_spatial(Kind::reduction);
    if (!form) return form;
    const auto axes = ints_of(graph_, input_of(node_, 1));
    if (!axes || axes->empty()) return no("the axes are not known");
    for (const int64_t axis : *axes) {
      const auto own = normalize_axis(axis, fact(0).rank());
      if (!own || *own < 2) return no("channels or the batch are reduced");
    }
    return form;
  }

  Found pool() {
    if (uses_other_outputs(graph_, node_)) return no("indices are wanted");
    return over_spatial(Kind::pool);
  }

  Found normalization() {
    if (node_.attributes.get_int("training_mode", 0) != 0 || uses_other_outputs(graph_, node_))
      return no("it is in training mode");
    for (size_t i = 1; i < 5; ++i) {
      const Tensor* weight = small_weight_of(graph_, input_of(node_, i));
      if (weight == nullptr || !is_floating(weight->dtype())) return no("a statistic is no small weight");
    }
    return over_spatial(Kind::normalization);
  }

  std::optional<int> axis_of(int64_t otherwise) const {
    return normalize_axis(node_.attributes.get_int("axis", otherwise), fact(0).rank());
  }

  Found concat() {
    Found form = over_spatial(Kind::concat);
    if (!form) return form;
    const auto axis = axis_of(0);
    for (size_t i = 0; i < node_.inputs.size(); ++i) {
      if (!is_blockable(graph_, node_.inputs[i])) return no("a part cannot be blocked");
      form->operands[i] = Operand::blocked;
      if (axis == 1 && i + 1 < node_.inputs.size() && fact(i).dim(1).known() % ops::kChannelBlock != 0)
        form->kind = Kind::gather;
    }
    return axis ? form : no("the axis is not known");
  }

  Found split() {
    Found form = over_spatial(Kind::split);
    const auto axis = form ? axis_of(0) : std::nullopt;
    if (!axis) return std::nullopt;
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      if (node_.outputs[i] == kNoValue) return no("a part is not wanted");
      const Fact& part = graph_.fact(node_.outputs[i]);
      if (*axis == 1 && i + 1 < node_.outputs.size() && part.dim(1).known() % ops::kChannelBlock != 0)
        form->kind = Kind::gather;
    }
    return form;
  }

  Found slice() {
    Found form = over_spatial(Kind::slice);
    if (!form) return form;
    const auto starts = ints_of(graph_, input_of(node_, 1)), ends = ints_of(graph_, input_of(node_, 2));
    const auto axes = ints_of(graph_, input_of(node_, 3)), steps = ints_of(graph_, input_of(node_, 4));
    const int64_t channels = fact(0).dim(1).known();
    for (size_t i = 0; i < (axes ? axes->size() : 2); ++i) {
      if (!axes && input_of(node_, 3) != kNoValue) return no("the axes are not known");
      const auto axis = normalize_axis(axes ? (*axes)[i] : static_cast<int64_t>(i), fact(0).rank());
      if (!axis) return std::nullopt;
      if (*axis != 1) continue;
      if (!starts || !ends || i >= starts->size() || i >= ends->size()) return no("the range of channels is not known");
      if (input_of(node_, 4) != kNoValue && (!steps || i >= steps->size() || (*steps)[i] != 1))
        return no("channels are left out");
      const int64_t start = (*starts)[i] < 0 ? (*starts)[i] + channels : (*starts)[i];
      if (start < 0) return no("channels begin before the first");
      if (start % ops::kChannelBlock != 0) {
        if (!axes || axes->size() != 1) return no("channels begin within a block");
        form->kind = Kind::gather;
      }
    }
    return form;
  }

  Found pad() {
    Found form = over_spatial(Kind::pad);
    if (!form) return form;
    const auto pads = ints_of(graph_, input_of(node_, 1));
    const auto axes = ints_of(graph_, input_of(node_, 3));
    if (!pads || (!axes && input_of(node_, 3) != kNoValue)) return no("what is padded is not known");
    const size_t count = axes ? axes->size() : static_cast<size_t>(fact(0).rank());
    if (pads->size() != 2 * count) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
      const auto axis = normalize_axis(axes ? (*axes)[i] : static_cast<int64_t>(i), fact(0).rank());
      if (!axis) return std::nullopt;
      if (*axis < 2 && ((*pads)[i] != 0 || (*pads)[i + count] != 0)) return no("channels or the batch are padded");
    }
    return form;
  }

  Found resize() {
    if (node_.attributes.get_string("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize" ||
        node_.attributes.get_string("keep_aspect_ratio_policy", "stretch") != "stretch")
      return no("a region or the aspect ratio matters");
    Found form = over_spatial(Kind::resize);
    if (!form) return form;
    const Fact& y = graph_.fact(node_.outputs[0]);
    if (!(y.dim(1) == fact(0).dim(1)) || !(y.dim(0) == fact(0).dim(0))) return no("channels or the batch are resized");
    const auto axes = node_.attributes.get_ints("axes");
    for (const int64_t axis : axes)
      if (const auto own = normalize_axis(axis, fact(0).rank()); !own || *own < 2) return no("channels are resized");
    if (const ValueId scales = input_of(node_, 2); scales != kNoValue && axes.empty()) {
      const Fact& list = graph_.fact(scales);
      const bool is_empty = list.has_rank() && list.rank() == 1 && list.dim(0).is(0);
      if (!is_empty && small_weight_of(graph_, scales) == nullptr) return no("the scales are not known");
    }
    return form;
  }

  // Between channels on axis 1 and on the last one; of three axes it may be either, and convolutions behind it say.
  Found transpose() {
    const auto perm = node_.attributes.get_ints("perm");
    const auto rank = static_cast<int64_t>(perm.size());
    if (rank < 3 || rank > 5 || perm[0] != 0) return no("channels are not moved to or from the last axis");
    bool to_last = perm[static_cast<size_t>(rank) - 1] == 1, to_first = perm[1] == rank - 1;
    for (int64_t axis = 2; axis < rank; ++axis) {
      to_last = to_last && perm[static_cast<size_t>(axis) - 1] == axis;
      to_first = to_first && perm[static_cast<size_t>(axis)] == axis - 1;
    }
    const auto convolves = [&](NodeId user) {
      return graph_.node(user).op == "Conv" || graph_.node(user).op == "FusedConv";
    };
    if (to_last && to_first && std::ranges::any_of(graph_.value(node_.outputs[0]).users, convolves)) to_last = false;
    if (to_last && is_blockable(graph_, node_.inputs[0])) return BlockedForm{Kind::turn_last, {Operand::blocked}};
    if (to_first && !to_last && is_blockable(graph_, node_.outputs[0]) && graph_.fact(node_.inputs[0]).has_rank())
      return BlockedForm{Kind::turn_first, {Operand::as_is}};
    return no("channels are not moved to or from the last axis");
  }

  Found up_convolution() {
    Found form = over_spatial(Kind::up_convolution);
    if (!form) return form;
    const Tensor* w = weight_of(graph_, input_of(node_, 1));
    if (w == nullptr || w->dtype() != DType::f32 || fact(0).dtype != DType::f32)
      return no("the weight is no f32 constant");
    const ValueId bias = input_of(node_, 2);
    if (bias != kNoValue && small_weight_of(graph_, bias) == nullptr) return no("the bias is no small constant");
    if (w->rank() < 3) return no("the weight has no kernel");
    const std::span<const int64_t> kernel(w->shape().begin() + 2, w->shape().end());
    const Attributes& given = node_.attributes;
    const auto all = [&](std::string_view name, int64_t value) {
      return std::ranges::all_of(given.get_ints(name), [&](int64_t own) { return own == value; });
    };
    const auto strides = given.get_ints("strides");
    if (w->count() == 0 || given.get_int("group", 1) != 1 || !std::ranges::equal(strides, kernel) || !all("pads", 0) ||
        !all("dilations", 1) || !all("output_padding", 0) || given.has("output_shape") ||
        given.get_string("auto_pad", "NOTSET") != "NOTSET")
      return no("windows overlap or are padded");
    return form;
  }

  const Graph& graph_;
  const Node& node_;
  std::string_view& reason_;
};

}  // namespace

bool is_blockable(const Graph& graph, ValueId value) {
  const Fact& fact = graph.fact(value);
  const bool is_short = fact.dtype == DType::f32 || fact.dtype == DType::f16 || fact.dtype == DType::bf16;
  return fact.is_tensor() && is_short && fact.has_rank() && fact.rank() >= 2 && fact.rank() <= 5 &&
         fact.dim(1).is_known() && fact.dim(1).known() > 0;
}

Fact blocked_fact(const Graph& graph, ValueId value) {
  Fact fact = Fact::tensor(graph.fact(value).dtype, *graph.fact(value).shape);
  (*fact.shape)[1] = Dim(ops::channel_blocks(fact.dim(1).known()));
  fact.shape->push_back(Dim(ops::kChannelBlock));
  return fact;
}

std::vector<std::vector<int64_t>> gathered_channels(const Graph& graph, const Node& node) {
  std::vector<std::vector<int64_t>> made(node.outputs.size());
  int64_t first = 0;
  if (node.op == "Slice") {
    const int64_t start = (*ints_of(graph, node.inputs[1]))[0];
    first = start < 0 ? start + graph.fact(node.inputs[0]).dim(1).known() : start;
  }
  for (size_t i = 0; i < made.size(); ++i) {
    const int64_t channels = graph.fact(node.outputs[i]).dim(1).known();
    const int64_t groups = node.attributes.get_int("groups", 1);
    for (int64_t c = 0; c < channels; ++c) made[i].push_back(first + c % groups * (channels / groups) + c / groups);
    first += channels;
  }
  return made;
}

std::optional<BlockedForm> blocked_form(const Graph& graph, const Node& node, std::string_view& reason) {
  if (node.inputs.empty() || node.outputs.empty() || node.outputs[0] == kNoValue || has_subgraph(node))
    return std::nullopt;
  return FormFinder(graph, node, reason).find();
}

}  // namespace sdx::passes
