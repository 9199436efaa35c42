// A convolution or product by weights, or a BatchNormalization, followed by what scales or shifts its channels by
// weights (Mul, Div, Add, Sub, BatchNormalization): the weights and the bias take it in.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/element.h"
#include "base/sha1.h"
#include "ops/scale_floats.h"
#include "passes/half_blocks.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// y[c] = scale[c] * x[c] + shift[c].
struct Affine {
  std::vector<double> scale, shift;  // empty scale: 1
};

// The convolution or product, and where its parts are.
struct Linear {
  NodeId node = kNoNode;
  int64_t channels = 0;
  int channel_axis = 1;  // of the output
  int weight_axis = 0;   // of the weight, along which the channels lie
  size_t bias_input = 2;
};

std::optional<Linear> linear_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const ValueId weight = input_of(node, 1);
  const Tensor* w = weight_of(graph, weight);
  if (w == nullptr || !is_floating(w->dtype()) || bit_width(w->dtype()) < 16) return std::nullopt;
  Linear linear{.node = id};
  if (is_op(node, "Conv") && w->rank() >= 3) {
    linear.channels = w->dim(0);
  } else if (is_op(node, "ConvTranspose") && w->rank() >= 3 && node.attributes.get_int("group", 1) == 1) {
    linear.channels = w->dim(1);
    linear.weight_axis = 1;
  } else if (is_op(node, "Gemm") && w->rank() == 2) {
    const bool turned = node.attributes.get_int("transB", 0) != 0;
    linear.weight_axis = turned ? 0 : 1;
    linear.channels = w->dim(linear.weight_axis);
    if (node.attributes.get_float("alpha", 1) != 1 || node.attributes.get_float("beta", 1) != 1) return std::nullopt;
  } else if (is_op(node, "MatMul") && w->rank() == 2) {
    linear.weight_axis = 1;
    linear.channels = w->dim(1);
    linear.bias_input = SIZE_MAX;
  } else if (is_op(node, "BatchNormalization") && w->rank() == 1 && !uses_other_outputs(graph, node)) {
    // y = w * (x - mean) / deviation + bias: mean and deviation stay.
    linear.channels = w->dim(0);
    if (node.attributes.get_int("training_mode", 0) != 0 || graph.fact(node.inputs[0]).dtype != w->dtype())
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  const Fact& y = graph.fact(node.outputs[0]);
  if (!y.has_rank()) return std::nullopt;
  if (linear.bias_input == SIZE_MAX || is_op(node, "Gemm")) linear.channel_axis = y.rank() - 1;
  return linear.channels > 0 && linear.channel_axis < y.rank() ? std::optional(linear) : std::nullopt;
}

// A weight that is one number a channel, or one for all.
std::optional<std::vector<double>> per_channel(const Graph& graph, ValueId value, const Linear& linear) {
  const Tensor* weight = small_weight_of(graph, value);
  const int rank = graph.fact(graph.node(linear.node).outputs[0]).rank();
  if (weight == nullptr || !is_floating(weight->dtype()) || weight->rank() > rank) return std::nullopt;
  const int missing = rank - weight->rank();
  for (int axis = 0; axis < weight->rank(); ++axis) {
    const int64_t wanted = axis + missing == linear.channel_axis ? linear.channels : 1;
    if (weight->dim(axis) != 1 && weight->dim(axis) != wanted) return std::nullopt;
  }
  std::vector<double> numbers(static_cast<size_t>(linear.channels));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = load_double(*weight, weight->count() == 1 ? 0 : static_cast<int64_t>(i));
  return numbers;
}

std::optional<Affine> batch_normalization(const Graph& graph, const Node& node, const Linear& linear) {
  if (linear.channel_axis != 1 || node.attributes.get_int("training_mode", 0) != 0 || uses_other_outputs(graph, node))
    return std::nullopt;
  std::vector<double> parts[4];
  for (size_t i = 0; i < 4; ++i) {
    const Tensor* weight = small_weight_of(graph, input_of(node, i + 1));
    if (weight == nullptr || weight->count() != linear.channels) return std::nullopt;
    for (int64_t c = 0; c < linear.channels; ++c) parts[i].push_back(load_double(*weight, c));
  }
  const double epsilon = node.attributes.get_float("epsilon", 1e-5f);
  Affine affine;
  for (size_t c = 0; c < parts[0].size(); ++c) {
    affine.scale.push_back(parts[0][c] / std::sqrt(parts[3][c] + epsilon));
    affine.shift.push_back(parts[1][c] - parts[2][c] * affine.scale[c]);
  }
  return affine;
}

// What `node` does to `x`, its input from the linear node.
std::optional<Affine> affine_of(const Graph& graph, const Node& node, ValueId x, const Linear& linear) {
  if (is_op(node, "BatchNormalization") && node.inputs[0] == x) return batch_normalization(graph, node, linear);
  const bool is_add = is_op(node, "Add"), is_sub = is_op(node, "Sub"), is_mul = is_op(node, "Mul"),
             is_div = is_op(node, "Div");
  if (!is_add && !is_sub && !is_mul && !is_div) return std::nullopt;
  const bool x_first = node.inputs[0] == x;
  if (!x_first && (is_sub || is_div)) return std::nullopt;
  const auto numbers = per_channel(graph, node.inputs[x_first ? 1 : 0], linear);
  if (!numbers) return std::nullopt;
  Affine affine;
  for (const double v : *numbers) {
    affine.shift.push_back(is_add ? v : is_sub ? -v : 0);
    if (is_mul || is_div) affine.scale.push_back(is_mul ? v : 1 / v);
  }
  return affine;
}

// Nothing overflows or vanishes that did not before.
bool is_harmless(const Affine& affine) {
  const auto finite = [](double v) { return std::isfinite(v); };
  const auto sane = [](double v) { return std::isfinite(v) && std::abs(v) > 1e-20 && std::abs(v) < 1e20; };
  return std::ranges::all_of(affine.shift, finite) && std::ranges::all_of(affine.scale, sane);
}

// The largest number of a type, and the smallest that has all its digits.
struct Reach {
  double largest, smallest;
};

Reach reach_of(DType type) {
  if (type == DType::f16) return {65504, 0x1p-14};
  if (type == DType::f64) return {std::numeric_limits<double>::max(), std::numeric_limits<double>::min()};
  return {std::numeric_limits<float>::max(), std::numeric_limits<float>::min()};
}

bool fits(std::span<const double> shift, DType type) {
  return std::ranges::all_of(shift, [&](double v) { return std::abs(v) <= reach_of(type).largest; });
}

// The largest magnitude of floats of 16 or 32 bits: codes without the sign are in the order of the numbers. Not NaN.
// `Code` is signed, which every processor compares in vectors.
template <typename Code>
double largest_of(DType type, const std::byte* elements, int64_t count, Code infinity) {
  constexpr int64_t kLanes = 64;
  constexpr Code kMagnitude = std::numeric_limits<Code>::max();
  Code lanes[kLanes] = {};
  for (int64_t at = 0; at < count; at += kLanes) {
    Code codes[kLanes] = {};
    const std::byte* from = elements + static_cast<size_t>(at) * sizeof(Code);
    if (count - at >= kLanes) {
      std::memcpy(codes, from, sizeof(codes));
    } else {
      std::memcpy(codes, from, static_cast<size_t>(count - at) * sizeof(Code));
    }
    for (int64_t i = 0; i < kLanes; ++i) {
      const auto code = static_cast<Code>(codes[i] & kMagnitude);
      lanes[i] = std::max(lanes[i], code > infinity ? Code{0} : code);
    }
  }
  const Code largest = *std::max_element(std::begin(lanes), std::end(lanes));
  return load_double(type, &largest, 0);
}

double largest_of(const Tensor& w, int64_t first, int64_t count) {
  const std::byte* elements = w.bytes() + static_cast<size_t>(first) * static_cast<size_t>(bit_width(w.dtype()) / 8);
  switch (w.dtype()) {
    case DType::f32: return largest_of<int32_t>(w.dtype(), elements, count, 0x7f800000);
    case DType::f16: return largest_of<int16_t>(w.dtype(), elements, count, 0x7c00);
    case DType::bf16: return largest_of<int16_t>(w.dtype(), elements, count, 0x7f80);
    default: break;
  }
  double largest = 0;
  for (int64_t i = first; i < first + count; ++i) largest = std::max(largest, std::abs(load_double(w, i)));
  return largest;
}

// No weight overflows, and those that count keep their digits.
bool is_scaled_well(const Tensor& w, const Linear& linear, std::span<const double> scale) {
  std::vector<double> largest(scale.size(), 0);
  const int64_t inner = count_range(w.shape(), static_cast<size_t>(linear.weight_axis) + 1, w.shape().size());
  for (int64_t i = 0; i < w.count(); i += inner) {
    double& of_channel = largest[static_cast<size_t>(i / inner % linear.channels)];
    of_channel = std::max(of_channel, largest_of(w, i, inner));
  }
  const Reach reach = reach_of(w.dtype());
  for (size_t c = 0; c < scale.size(); ++c) {
    const double made = largest[c] * std::abs(scale[c]);
    if (made > reach.largest || (made < std::min(largest[c], reach.smallest))) return false;
  }
  return true;
}

// Element (i, c, j) of [outer, channels, inner] times scale[c].
Result<Tensor> scaled(const Tensor& w, const Linear& linear, std::span<const double> scale) {
  SDX_ASSIGN(Tensor made, Tensor::allocate(w.dtype(), w.shape()));
  const auto axis = static_cast<size_t>(linear.weight_axis);
  const int64_t inner = count_range(w.shape(), axis + 1, w.shape().size());
  if (is_half(w)) {
    for_half_blocks(w, inner, [&](int64_t first, std::span<float> block) {
      const double by = scale[static_cast<size_t>(first / inner % linear.channels)];
      ops::scale_floats(std::as_bytes(block).data(), by, block.data(), block.size());
      ops::f32_to_half(w.dtype(), block.data(), made.bytes() + 2 * first, block.size());
    });
    return made;
  }
  for (int64_t i = 0; i < w.count(); i += inner) {
    const double by = scale[static_cast<size_t>(i / inner % linear.channels)];
    if (w.dtype() == DType::f32) {
      ops::scale_floats(w.bytes() + static_cast<size_t>(i) * sizeof(float), by, made.data<float>() + i,
                        static_cast<size_t>(inner));
      continue;
    }
    for (int64_t j = i; j < i + inner; ++j) store_double(made, j, load_double(w, j) * by);
  }
  return made;
}

class Absorbing {
 public:
  Absorbing(PassContext& ctx, NodeId user, const Linear& linear)
      : ctx_(ctx), graph_(ctx.graph()), user_(user), linear_(linear) {}

  Status run() {
    const Node& node = graph_.node(linear_.node);
    const ValueId x = node.outputs[0], y = graph_.node(user_).outputs[0];
    const auto affine = affine_of(graph_, graph_.node(user_), x, linear_);
    if (!affine) return {};
    if (!same_type_and_dims(graph_, x, y)) return decline("the result has another shape");
    if (!is_harmless(*affine)) return decline("a factor is too large, too small or no number");
    const ValueId bias = linear_.bias_input == SIZE_MAX ? kNoValue : input_of(node, linear_.bias_input);
    std::vector<double> shift = affine->shift;
    if (bias != kNoValue) {
      const auto before = bias_numbers(bias);
      if (!before) return decline("the bias is no weight, or not one number a channel");
      for (size_t c = 0; c < shift.size(); ++c)
        shift[c] += (*before)[c] * (affine->scale.empty() ? 1 : affine->scale[c]);
    }
    const bool shifts = std::ranges::any_of(shift, [](double v) { return v != 0; }) || bias != kNoValue;
    if (linear_.bias_input == SIZE_MAX && shifts && !becomes_gemm()) return {};
    const Tensor& w = *weight_of(graph_, node.inputs[1]);
    if (shifts && !fits(shift, w.dtype())) return decline("the bias would overflow");
    SDX_ASSIGN(const bool sane, scales_well(w, affine->scale));
    if (!sane) return decline("a weight would overflow or vanish");
    return rewrite(*affine, shift, shifts);
  }

 private:
  Status decline(std::string_view reason) {
    ctx_.decline(user_, formatted("{} + {}: {}", graph_.node(linear_.node).op, graph_.node(user_).op, reason));
    return {};
  }

  std::optional<std::vector<double>> bias_numbers(ValueId bias) const {
    if (is_op(graph_.node(linear_.node), "Gemm")) return per_channel(graph_, bias, linear_);
    const Tensor* weight = small_weight_of(graph_, bias);
    if (weight == nullptr || weight->count() != linear_.channels) return std::nullopt;
    std::vector<double> numbers;
    for (int64_t c = 0; c < linear_.channels; ++c) numbers.push_back(load_double(*weight, c));
    return numbers;
  }

  // A product of two matrices may have a bias; one of stacks may not.
  bool becomes_gemm() const {
    const Fact& a = graph_.fact(graph_.node(linear_.node).inputs[0]);
    return a.has_rank() && a.rank() == 2;
  }

  // A large weight of a type with a wide range is not read for it.
  Result<bool> scales_well(const Tensor& w, std::span<const double> scale) {
    if (scale.empty()) return true;
    if (!LazyWeights::takes(w.dtype(), w.shape())) return is_scaled_well(w, linear_, scale);
    if (w.dtype() != DType::f16)
      return std::ranges::all_of(scale, [](double v) { return std::abs(v) > 1e-10 && std::abs(v) < 1e10; });
    SDX_ASSIGN(const Tensor content, ctx_.weights().content(w));
    return is_scaled_well(content, linear_, scale);
  }

  Result<Tensor> scaled_weight(const Tensor& w, const std::vector<double>& scale) {
    if (!LazyWeights::takes(w.dtype(), w.shape())) return scaled(w, linear_, scale);
    auto recipe = std::make_shared<Recipe>();
    recipe->text = formatted("scaled axis {} by {}", linear_.weight_axis, sha1_hex(std::as_bytes(std::span(scale))));
    recipe->sources = {ctx_.weights().source(w)};
    recipe->make = [linear = linear_, scale](std::span<const Tensor> sources) {
      return scaled(sources[0], linear, scale);
    };
    return ctx_.weights().add(std::move(recipe), w.dtype(), w.shape());
  }

  Status rewrite(const Affine& affine, const std::vector<double>& shift, bool shifts) {
    const Node& node = graph_.node(linear_.node);
    const Tensor& w = *weight_of(graph_, node.inputs[1]);
    Rewrite rewrite(ctx_, formatted("{} + {}", node.op, graph_.node(user_).op));
    rewrite.take(linear_.node).take(user_);
    std::vector<ValueId> inputs(node.inputs.begin(), node.inputs.begin() + 2);
    if (!affine.scale.empty()) {
      SDX_ASSIGN(Tensor made, scaled_weight(w, affine.scale));
      inputs[1] = rewrite.constant(graph_.value(node.inputs[1]).name, std::move(made));
    }
    if (shifts) {
      SDX_ASSIGN(Tensor bias, Tensor::allocate(w.dtype(), Shape{linear_.channels}));
      for (size_t c = 0; c < shift.size(); ++c) store_double(bias, static_cast<int64_t>(c), shift[c]);
      inputs.push_back(rewrite.constant(graph_.value(node.inputs[1]).name + "_bias", std::move(bias)));
    }
    if (is_op(node, "BatchNormalization")) inputs.insert(inputs.end(), node.inputs.begin() + 3, node.inputs.end());
    const std::string op = is_op(node, "MatMul") && shifts ? "Gemm" : node.op;
    rewrite.become(graph_.node(user_).outputs[0],
                   rewrite.add({.op = op, .inputs = inputs, .attributes = node.attributes}));
    rewrite.apply();
    return {};
  }

  PassContext& ctx_;
  const Graph& graph_;
  NodeId user_;
  Linear linear_;
};

Status run(PassContext& ctx) {
  const Graph& graph = ctx.graph();
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    if (!ctx.may_rewrite()) return {};
    if (!graph.node(id).alive) continue;
    const auto linear = linear_of(graph, id);
    if (!linear) continue;
    const NodeId user = only_user(graph, graph.node(id).outputs[0]);
    if (user != kNoNode) SDX_TRY(Absorbing(ctx, user, *linear).run());
  }
  return {};
}

}  // namespace

constinit const Pass absorb_scales{"absorb_scales", Level::basic, Exactness::rounding,
                                   "lets weights take in the factors and shifts of channels behind them", run};

}  // namespace sdx::passes
