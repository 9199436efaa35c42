// A convolution or product by weights, or a BatchNormalization, followed by what scales or shifts its channels by
// weights (Mul, Div, Add, Sub, BatchNormalization): the weights and the bias take it in.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/element.h"
#include "base/sha1.h"
#include "ops/largest_code.h"
#include "ops/scale_floats.h"
#include "passes/element_recipe.h"
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

std::vector<double> numbers_of(const Tensor& weight) {
  std::vector<double> numbers(static_cast<size_t>(weight.count()));
  if (is_half(weight)) {
    for_half_blocks(weight, weight.count(),
                    [&](int64_t at, std::span<const float> block) { std::ranges::copy(block, numbers.begin() + at); });
  } else if (weight.dtype() == DType::f32) {
    for (size_t i = 0; i < numbers.size(); ++i) {
      float v;
      std::memcpy(&v, weight.bytes() + i * sizeof(v), sizeof(v));
      numbers[i] = v;
    }
  } else {
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = load_double(weight, static_cast<int64_t>(i));
  }
  return numbers;
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
  std::vector<double> numbers = numbers_of(*weight);
  if (numbers.size() == 1) numbers.resize(static_cast<size_t>(linear.channels), numbers[0]);
  return numbers;
}

std::optional<Affine> batch_normalization(const Graph& graph, const Node& node, const Linear& linear) {
  if (linear.channel_axis != 1 || node.attributes.get_int("training_mode", 0) != 0 || uses_other_outputs(graph, node))
    return std::nullopt;
  std::vector<double> parts[4];
  for (size_t i = 0; i < 4; ++i) {
    const Tensor* weight = small_weight_of(graph, input_of(node, i + 1));
    if (weight == nullptr || weight->count() != linear.channels) return std::nullopt;
    parts[i] = numbers_of(*weight);
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

double largest_of(const Tensor& w, int64_t first, int64_t count) {
  double largest = 0;
  if (is_half(w)) {
    const uint16_t infinity = w.dtype() == DType::f16 ? 0x7c00 : 0x7f80;
    const uint16_t code = ops::largest_code(w.bytes() + 2 * first, static_cast<size_t>(count), infinity);
    return load_double(w.dtype(), &code, 0);
  }
  if (w.dtype() == DType::f32) {
    float of_floats = 0;
    for (int64_t i = first; i < first + count; ++i) {
      float v;
      std::memcpy(&v, w.bytes() + static_cast<size_t>(i) * sizeof(float), sizeof(float));
      of_floats = std::abs(v) > of_floats ? std::abs(v) : of_floats;  // not NaN
    }
    return of_floats;
  }
  for (int64_t i = first; i < first + count; ++i) largest = std::fmax(largest, std::abs(load_double(w, i)));
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

void scale_row(DType type, const std::byte* from, double by, int64_t count, std::byte* to) {
  if (type == DType::f32) return ops::scale_floats(from, by, reinterpret_cast<float*>(to), static_cast<size_t>(count));
  const Tensor row = Tensor::wrap(type, Shape{count}, const_cast<std::byte*>(from), nullptr);
  if (is_half(row)) {
    for_half_blocks(row, count, [&](int64_t at, std::span<float> block) {
      ops::scale_floats(std::as_bytes(block).data(), by, block.data(), block.size());
      ops::f32_to_half(type, block.data(), to + 2 * at, block.size());
    });
    return;
  }
  Tensor made = Tensor::wrap(type, Shape{count}, to, nullptr);
  for (int64_t i = 0; i < count; ++i) store_double(made, i, load_double(row, i) * by);
}

// Element (i, c, j) of [outer, channels, inner] times scale[c].
ElementRecipe scaling(DType type, const Shape& shape, const Linear& linear, std::span<const double> scale) {
  const int64_t inner = count_range(shape, static_cast<size_t>(linear.weight_axis) + 1, shape.size());
  const auto part_of = [&](DType elements) {
    return [elements, inner, scale = std::vector<double>(scale.begin(), scale.end())](
               const std::byte* from, int64_t first, int64_t count, std::byte* to) {
      const int64_t size = bit_width(elements) / 8;
      for (int64_t done = 0; done < count;) {
        const int64_t at = first + done, run = std::min(inner - at % inner, count - done);
        const double by = scale[static_cast<size_t>(at / inner) % scale.size()];
        scale_row(elements, from + done * size, by, run, to + done * size);
        done += run;
      }
    };
  };
  ElementRecipe made{.from = type, .type = type, .part = part_of(type)};
  if (bit_width(type) == 16) made.of_floats = part_of(DType::f32);
  if (linear.weight_axis == 0) made.by_first_axis.emplace(scale.begin(), scale.end());
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
    return numbers_of(*weight);
  }

  // A product of two matrices may have a bias; one of stacks may not.
  bool becomes_gemm() const {
    const Fact& a = graph_.fact(graph_.node(linear_.node).inputs[0]);
    return a.has_rank() && a.rank() == 2;
  }

  // A large weight of a type with a wide range, or that will have one when it is made, is not read for it.
  Result<bool> scales_well(const Tensor& w, std::span<const double> scale) {
    if (scale.empty()) return true;
    if (!LazyWeights::takes(w.dtype(), w.shape())) return is_scaled_well(w, linear_, scale);
    const bool is_convolution = graph_.node(linear_.node).op.starts_with("Conv");
    if (w.dtype() != DType::f16 || (is_convolution && ctx_.widens_halves()))
      return std::ranges::all_of(scale, [](double v) { return std::abs(v) > 1e-10 && std::abs(v) < 1e10; });
    SDX_ASSIGN(const Tensor content, ctx_.weights().content(w));
    return is_scaled_well(content, linear_, scale);
  }

  Result<Tensor> scaled_weight(const Tensor& w, const std::vector<double>& scale) {
    ElementRecipe made = scaling(w.dtype(), w.shape(), linear_, scale);
    if (!LazyWeights::takes(w.dtype(), w.shape())) return made({&w, 1});
    auto recipe = std::make_shared<Recipe>();
    recipe->text = formatted("scaled axis {} by {}", linear_.weight_axis, sha1_hex(std::as_bytes(std::span(scale))));
    recipe->sources = {ctx_.weights().source(w)};
    recipe->make = std::move(made);
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
