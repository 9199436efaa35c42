// The nodes that work on blocked tensors: the standard's on one axis more, and our own.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/element.h"
#include "ops/conv/blocked_conv.h"
#include "passes/blocked_form.h"

namespace sdx::passes {
namespace {

using Kind = BlockedForm::Kind;

// A weight [1, ..., C, 1, ...] as [1, C / 16, ..., 16], zero beyond.
Tensor block_weight(const Tensor& weight, int rank) {
  Shape plain(static_cast<size_t>(rank - weight.rank()), 1);
  for (const int64_t size : weight.shape()) plain.push_back(size);
  const int64_t channels = plain[1], inner = count_range(plain, 2, plain.size());
  Shape shape = plain;
  shape[1] = ops::channel_blocks(channels);
  shape.push_back(ops::kChannelBlock);
  auto made = Tensor::allocate(weight.dtype(), shape);
  if (!made.ok()) throw std::bad_alloc();
  for (int64_t i = 0; i < made->count(); ++i) store_double(*made, i, 0);
  for (int64_t i = 0; i < weight.count(); ++i) {
    const int64_t c = i / inner % channels, p = i % inner, n = i / inner / channels;
    const int64_t at =
        ((n * shape[1] + c / ops::kChannelBlock) * inner + p) * ops::kChannelBlock + c % ops::kChannelBlock;
    store_double(*made, at, load_double(weight, i));
  }
  return std::move(made).value();
}

// The weight [C, M, kernel...] of a transposed convolution as [kernel elements * blocks of M * 16, C, 1...], zero where
// a block has fewer channels.
Result<Tensor> up_weight(const Tensor& w) {
  const int64_t channels = w.dim(0), outputs = w.dim(1), taps = count_range(w.shape(), 2, w.shape().size());
  const int64_t each = ops::channel_blocks(outputs) * ops::kChannelBlock;
  Shape shape(w.shape().size(), 1);
  shape[0] = taps * each;
  shape[1] = channels;
  SDX_ASSIGN(Tensor made, Tensor::allocate(DType::f32, shape));
  std::fill_n(made.data<float>(), made.count(), 0.0f);
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t m = 0; m < outputs; ++m)
      for (int64_t tap = 0; tap < taps; ++tap)
        std::memcpy(made.data<float>() + (tap * each + m) * channels + c,
                    w.bytes() + static_cast<size_t>((c * outputs + m) * taps + tap) * sizeof(float), sizeof(float));
  return made;
}

class Builder {
 public:
  Builder(PassContext& ctx, Rewrite& rewrite, const Node& node, std::vector<ValueId> inputs)
      : ctx_(ctx),
        rewrite_(rewrite),
        graph_(ctx.graph()),
        node_(node),
        inputs_(std::move(inputs)),
        attributes_(node.attributes) {}

  Result<ValueId> build(const BlockedForm& form) {
    switch (form.kind) {
      case Kind::plain_convolution: attributes_.set("plain_input", int64_t{1}); [[fallthrough]];
      case Kind::convolution: return add("BlockedConv", kOwn);
      case Kind::elementwise: return elementwise(form);
      case Kind::normalization: return normalization();
      case Kind::pool: return pool();
      case Kind::reduction: return reduction();
      case Kind::global_pool: return global_pool();
      case Kind::concat: attributes_.set("axis", *normalize_axis(attributes_.get_int("axis", 0), rank())); break;
      case Kind::gather: return gather(form);
      case Kind::split: return split();
      case Kind::slice: return slice();
      case Kind::pad: return pad();
      case Kind::resize: return resize();
      case Kind::up_convolution: return up_convolution();
      case Kind::turn_last: return turn("UnblockChannels");
      case Kind::turn_first: return turn("BlockChannels");
    }
    return add(node_.op, node_.domain);
  }

 private:
  int rank() const { return graph_.fact(node_.inputs[0]).rank(); }
  ValueId add(std::string_view op, std::string_view domain = "") {
    return rewrite_.add(
        {.op = op, .domain = domain, .inputs = inputs_, .attributes = attributes_, .outputs = node_.outputs.size()});
  }
  ValueId numbers(std::string_view what, std::span<const int64_t> values) {
    return rewrite_.constant(node_.name.empty() ? what : formatted("{}_{}", node_.name, what), vector_i64(values));
  }
  ValueId weight(ValueId of, Tensor tensor) { return rewrite_.constant(graph_.value(of).name, std::move(tensor)); }
  void set_input(size_t i, ValueId value) {
    inputs_.resize(std::max(inputs_.size(), i + 1), kNoValue);
    inputs_[i] = value;
  }

  ValueId elementwise(const BlockedForm& form) {
    const int out_rank = graph_.fact(node_.outputs[0]).rank();
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const ValueId own = node_.inputs[i];
      switch (form.operands[i]) {
        case Operand::as_is:
        case Operand::blocked: break;
        case Operand::channel_weight:
          inputs_[i] = weight(own, block_weight(*small_weight_of(graph_, own), out_rank));
          break;
        case Operand::trailing_weight: {
          const Tensor* plain = small_weight_of(graph_, own);
          Shape shape = plain->shape();
          shape.push_back(1);
          inputs_[i] = weight(own, plain->reshaped(shape));
          break;
        }
        case Operand::trailing: {
          const int64_t axis = graph_.fact(own).rank();
          inputs_[i] = rewrite_.add({.op = "Unsqueeze", .inputs = {own, numbers("axes", {&axis, 1})}});
          break;
        }
      }
    }
    return add(node_.op, node_.domain);
  }

  // x * scale + shift, one of each a channel.
  ValueId normalization() {
    const Tensor* parts[4];  // scale, bias, mean, variance
    for (size_t i = 0; i < 4; ++i) parts[i] = small_weight_of(graph_, node_.inputs[i + 1]);
    const double epsilon = attributes_.get_float("epsilon", 1e-5f);
    const DType type = graph_.fact(node_.inputs[0]).dtype;
    const Shape shape{1, parts[0]->count()};
    auto scale = Tensor::allocate(type, shape), shift = Tensor::allocate(type, shape);
    if (!scale.ok() || !shift.ok()) throw std::bad_alloc();
    for (int64_t c = 0; c < shape[1]; ++c) {
      const double factor = load_double(*parts[0], c) / std::sqrt(load_double(*parts[3], c) + epsilon);
      store_double(*scale, c, factor);
      store_double(*shift, c, load_double(*parts[1], c) - load_double(*parts[2], c) * factor);
    }
    const auto lanes = [&](ValueId of, const Tensor& plain) {
      return weight(of, block_weight(plain, 2).reshaped(Shape{ops::channel_blocks(shape[1]), ops::kChannelBlock}));
    };
    return rewrite_.add({.op = "BlockedAffine",
                         .domain = kOwn,
                         .inputs = {inputs_[0], lanes(node_.inputs[1], *scale), lanes(node_.inputs[2], *shift)}});
  }

  ValueId pool() {
    const auto extend = [&](std::string_view name, int64_t with) {
      const auto own = attributes_.get_ints(name);
      if (own.empty()) return;
      std::vector<int64_t> list(own.begin(), own.end());
      list.push_back(with);
      attributes_.set(name, list);
    };
    extend("kernel_shape", 1);
    extend("strides", 1);
    extend("dilations", 1);
    if (const auto own = attributes_.get_ints("pads"); !own.empty()) {
      std::vector<int64_t> pads(own.begin(), own.end());
      pads.insert(pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2), 0);
      pads.push_back(0);
      attributes_.set("pads", pads);
    }
    inputs_.resize(1);
    return rewrite_.add({.op = node_.op, .inputs = inputs_, .attributes = attributes_});
  }

  ValueId reduction() {
    std::vector<int64_t> axes = *ints_of(graph_, node_.inputs[1]);
    for (int64_t& axis : axes) axis = *normalize_axis(axis, rank());
    set_input(1, numbers("axes", axes));
    return add(node_.op);
  }

  ValueId global_pool() {
    std::vector<int64_t> axes;
    for (int axis = 2; axis < rank(); ++axis) axes.push_back(axis);
    return rewrite_.add({.op = node_.op == "GlobalMaxPool" ? "ReduceMax" : "ReduceMean",
                         .inputs = {inputs_[0], numbers("axes", axes)}});
  }

  ValueId gather(const BlockedForm& form) {
    std::vector<ValueId> from;
    std::vector<int64_t> channels;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (form.operands[i] != Operand::blocked) continue;
      from.push_back(inputs_[i]);
      channels.push_back(graph_.fact(node_.inputs[i]).dim(1).known());
    }
    ValueId first = kNoValue;
    for (const std::vector<int64_t>& order : gathered_channels(graph_, node_)) {
      const ValueId made = rewrite_.add({.op = "BlockedGather",
                                         .domain = kOwn,
                                         .inputs = from,
                                         .attributes = make_attributes({{"channels", channels}, {"order", order}})});
      if (first == kNoValue) first = made;
    }
    return first;
  }

  ValueId split() {
    const int axis = *normalize_axis(attributes_.get_int("axis", 0), rank());
    attributes_.set("axis", int64_t{axis});
    if (axis == 1) {
      std::vector<int64_t> parts;
      for (const ValueId output : node_.outputs)
        parts.push_back(ops::channel_blocks(graph_.fact(output).dim(1).known()));
      attributes_.remove("num_outputs");
      set_input(1, numbers("split", parts));
    }
    return add(node_.op);
  }

  ValueId slice() {
    const auto given = ints_of(graph_, input_of(node_, 3));
    std::vector<int64_t> axes;
    const Fact& starts_fact = graph_.fact(node_.inputs[1]);
    const auto count = static_cast<size_t>(given ? static_cast<int64_t>(given->size()) : starts_fact.dim(0).known());
    for (size_t i = 0; i < count; ++i)
      axes.push_back(*normalize_axis(given ? (*given)[i] : static_cast<int64_t>(i), rank()));
    set_input(3, numbers("axes", axes));
    const auto at = std::ranges::find(axes, 1);
    if (at == axes.end()) return add(node_.op);
    const auto i = static_cast<size_t>(at - axes.begin());
    auto starts = *ints_of(graph_, node_.inputs[1]), ends = *ints_of(graph_, node_.inputs[2]);
    const int64_t channels = graph_.fact(node_.inputs[0]).dim(1).known();
    starts[i] = (starts[i] < 0 ? starts[i] + channels : starts[i]) / ops::kChannelBlock;
    const int64_t size = graph_.fact(node_.outputs[0]).dim(1).known();
    ends[i] = starts[i] + ops::channel_blocks(size);
    set_input(1, numbers("starts", starts));
    set_input(2, numbers("ends", ends));
    return add(node_.op);
  }

  ValueId pad() {
    const auto own = *ints_of(graph_, node_.inputs[1]);
    const auto given = ints_of(graph_, input_of(node_, 3));
    const auto all = static_cast<size_t>(rank()) + 1;
    std::vector<int64_t> pads(2 * all, 0);
    for (size_t i = 0; i < own.size() / 2; ++i) {
      const int axis = *normalize_axis(given ? (*given)[i] : static_cast<int64_t>(i), rank());
      pads[static_cast<size_t>(axis)] = own[i];
      pads[static_cast<size_t>(axis) + all] = own[i + own.size() / 2];
    }
    set_input(1, numbers("pads", pads));
    if (given) inputs_.resize(3);
    return add(node_.op);
  }

  ValueId resize() {
    if (const auto given = attributes_.get_ints("axes"); !given.empty()) {
      std::vector<int64_t> axes;
      for (const int64_t axis : given) axes.push_back(*normalize_axis(axis, rank()));
      attributes_.set("axes", axes);
      return add(node_.op);
    }
    std::vector<int64_t> axes;
    for (int axis = 2; axis < rank(); ++axis) axes.push_back(axis);
    attributes_.set("axes", axes);
    set_input(1, kNoValue);
    const auto has_some = [&](ValueId list) {
      return list != kNoValue && !(graph_.fact(list).has_rank() && graph_.fact(list).dim(0).is(0));
    };
    const ValueId scales = input_of(node_, 2), sizes = input_of(node_, 3);
    if (has_some(scales)) {
      const Tensor* own = small_weight_of(graph_, scales);
      std::vector<float> kept;
      for (int64_t i = 2; i < own->count(); ++i) kept.push_back(static_cast<float>(load_double(*own, i)));
      const auto count = static_cast<int64_t>(kept.size());
      set_input(2, weight(scales, make_tensor<float>(DType::f32, {&count, 1}, kept)));
      inputs_.resize(3);
    } else {
      const int64_t from = 2, to = rank();
      set_input(2, kNoValue);
      set_input(3,
                rewrite_.add({.op = "Slice", .inputs = {sizes, numbers("from", {&from, 1}), numbers("to", {&to, 1})}}));
    }
    return add(node_.op);
  }

  ValueId turn(std::string_view op) {
    attributes_ = make_attributes({{"channels_last", int64_t{1}}});
    if (op == "UnblockChannels") attributes_.set("channels", graph_.fact(node_.inputs[0]).dim(1).known());
    return add(op, kOwn);
  }

  Result<ValueId> up_convolution() {
    const Tensor& w = *weight_of(graph_, node_.inputs[1]);
    const int64_t outputs = w.dim(1), taps = count_range(w.shape(), 2, w.shape().size());
    const int64_t each = ops::channel_blocks(outputs) * ops::kChannelBlock;
    Shape shape(w.shape().size(), 1);
    shape[0] = taps * each;
    shape[1] = w.dim(0);
    if (LazyWeights::takes(DType::f32, shape)) {
      auto recipe = std::make_shared<Recipe>();
      recipe->text = "BlockedUpConvolution";
      recipe->sources = {ctx_.weights().source(w)};
      recipe->make = [](std::span<const Tensor> sources) { return up_weight(sources[0]); };
      SDX_ASSIGN(Tensor lazy, ctx_.weights().add(std::move(recipe), DType::f32, shape));
      inputs_[1] = weight(node_.inputs[1], std::move(lazy));
    } else {
      SDX_ASSIGN(const Tensor content, ctx_.weights().content(w));
      SDX_ASSIGN(Tensor made, up_weight(content));
      inputs_[1] = weight(node_.inputs[1], std::move(made));
    }
    if (const ValueId bias = input_of(node_, 2); bias != kNoValue) {
      SDX_ASSIGN(Tensor repeated, Tensor::allocate(DType::f32, std::span(&shape[0], 1)));
      std::fill_n(repeated.data<float>(), repeated.count(), 0.0f);
      for (int64_t i = 0; i < taps; ++i)
        for (int64_t m = 0; m < outputs; ++m)
          repeated.data<float>()[i * each + m] = static_cast<float>(load_double(*small_weight_of(graph_, bias), m));
      inputs_[2] = weight(bias, std::move(repeated));
    }
    attributes_ = {};
    const ValueId all = add("BlockedConv", kOwn);
    const std::vector<int64_t> factors(w.shape().begin() + 2, w.shape().end());
    return rewrite_.add({.op = "BlockedDepthToSpace",
                         .domain = kOwn,
                         .inputs = {all},
                         .attributes = make_attributes({{"factors", factors}})});
  }

  PassContext& ctx_;
  Rewrite& rewrite_;
  const Graph& graph_;
  const Node& node_;
  std::vector<ValueId> inputs_;
  Attributes attributes_;
};

}  // namespace

Result<ValueId> add_blocked(PassContext& ctx, Rewrite& rewrite, const Node& node, const BlockedForm& form,
                            std::vector<ValueId> inputs) {
  return Builder(ctx, rewrite, node, std::move(inputs)).build(form);
}

}  // namespace sdx::passes
