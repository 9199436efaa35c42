// Normalisation over the last axis, as exporters spell it out: LayerNormalization, SimplifiedLayerNormalization (by the
// root of the mean square); and the sum in front of either.
#include <array>

#include "base/element.h"
#include "passes/list.h"
#include "passes/pattern.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

Pattern mean(const Pattern& x, std::string_view name) {
  // The axes are an input since opset 18, or stand in the attributes of no other form.
  return op("ReduceMean", {x, weight(formatted("{}_axes", name))}, name);
}

Pattern square(const Pattern& x) { return either({op("Pow", {x, number(2)}), op("Mul", {x, x})}); }

// x / sqrt(mean square + epsilon)
Pattern over_root(const Pattern& x, const Pattern& mean_square) {
  const Pattern root = op("Sqrt", {op("Add", {mean_square, weight("epsilon")})});
  return either(
      {op("Div", {x, root}), op("Mul", {x, op("Reciprocal", {root})}), op("Mul", {x, op("Div", {number(1), root})})});
}

Pattern layer_norm() {
  const Pattern x = any("x");
  const Pattern centred = op("Sub", {x, mean(x, "mean")});
  const Pattern normal = over_root(centred, mean(square(centred), "variance"));
  return op("Add", {op("Mul", {normal, weight("scale")}), weight("shift")});
}

Pattern layer_norm_without_shift() {
  const Pattern x = any("x");
  const Pattern centred = op("Sub", {x, mean(x, "mean")});
  return op("Mul", {over_root(centred, mean(square(centred), "variance")), weight("scale")});
}

// x f + (shift - mean f), f = scale / root
Pattern layer_norm_by_factor() {
  const Pattern x = any("x"), average = mean(x, "mean");
  const Pattern variance = mean(square(op("Sub", {x, average})), "variance");
  const Pattern root = op("Sqrt", {op("Add", {variance, weight("epsilon")})});
  const Pattern factor = op("Mul", {op("Reciprocal", {root}), weight("scale")});
  return op("Add", {op("Mul", {x, factor}), op("Sub", {weight("shift"), op("Mul", {average, factor})})});
}

Pattern root_norm() {
  const Pattern x = any("x");
  return op("Mul", {over_root(x, mean(square(x), "variance")), weight("scale")});
}

// Of float16 or bfloat16, computed in float32 but for the factor.
Pattern short_root_norm() {
  const Pattern x = any("x"), wide = shared(op("Cast", {x}));
  return op("Mul", {op("Cast", {over_root(wide, mean(square(wide), "variance"))}), weight("scale")});
}

// Of float32, with such a factor behind it.
Pattern shortened_root_norm() {
  const Pattern x = any("x");
  return op("Mul", {op("Cast", {over_root(x, mean(square(x), "variance"))}), weight("scale")});
}

struct Form {
  Pattern pattern;
  std::string_view op;
};

const std::array<Form, 6>& forms() {
  static const std::array<Form, 6> list = {Form{layer_norm(), "LayerNormalization"},
                                           Form{layer_norm_by_factor(), "LayerNormalization"},
                                           Form{layer_norm_without_shift(), "LayerNormalization"},
                                           Form{root_norm(), "SimplifiedLayerNormalization"},
                                           Form{short_root_norm(), "SimplifiedLayerNormalization"},
                                           Form{shortened_root_norm(), "SimplifiedLayerNormalization"}};
  return list;
}

class Fusing {
 public:
  explicit Fusing(PassContext& ctx) : ctx_(ctx), graph_(ctx.graph()) {}

  Result<bool> fuse(NodeId id, const Form& form) {
    const auto match = find(graph_, id, form.pattern);
    if (!match) return false;
    const ValueId x = match->value("x"), y = graph_.node(id).outputs[0];
    const auto epsilon = uniform_value(graph_, match->value("epsilon"));
    if (!epsilon || !is_floating(graph_.fact(x).dtype)) return false;
    const bool casts = !same_type(graph_, match->value("epsilon"), x), shortens = !same_type(graph_, x, y);
    if (casts && (!is_shorter(x) || graph_.fact(match->value("epsilon")).dtype != DType::f32)) return false;
    const bool has_factor = small_weight_of(graph_, match->value("scale")) != nullptr;
    if (shortens && (!is_shorter(y) || graph_.fact(x).dtype != DType::f32 || !has_factor)) return false;
    if (!fits_attribute(*epsilon, graph_.fact(x).dtype)) return decline(id, form, "epsilon is no float");
    for (const std::string_view name : {"mean", "variance"})
      if (match->value(name) != kNoValue && !is_over_last_axis(*match, name))
        return decline(id, form, "not over the last axis");
    const Fact& fact = graph_.fact(x);
    for (const std::string_view name : {"scale", "shift"}) {
      const ValueId value = match->value(name);
      if (value != kNoValue && (!is_along_last_axis(value, fact) || !same_type(graph_, value, y)))
        return decline(id, form, "a factor is not along the last axis");
    }
    Attributes attributes = make_attributes({{"axis", int64_t{-1}}, {"epsilon", static_cast<float>(*epsilon)}});
    std::vector<ValueId> inputs = {x, match->value("scale")};
    if (match->value("shift") != kNoValue) inputs.push_back(match->value("shift"));
    Rewrite rewrite(ctx_, form.op);
    for (const NodeId node : with_what_they_alone_need(graph_, match->nodes(), inputs)) rewrite.take(node);
    if (shortens) {
      SDX_ASSIGN(Tensor scale, in_float(*small_weight_of(graph_, inputs[1])));
      inputs[1] = rewrite.constant(graph_.value(inputs[1]).name, std::move(scale));
    }
    ValueId made = rewrite.add({.op = form.op, .inputs = inputs, .attributes = attributes});
    if (shortens) {
      const auto type = static_cast<int64_t>(graph_.fact(y).dtype);
      made = rewrite.add({.op = "Cast", .inputs = {made}, .attributes = make_attributes({{"to", type}})});
    }
    rewrite.become(y, made);
    return rewrite.apply();
  }

  // Norm(a + b [+ bias]), where the sum may be wanted too.
  void take_sum(NodeId id) {
    const Node& norm = graph_.node(id);
    const bool simplified = is_op(norm, "SimplifiedLayerNormalization");
    if (!simplified && !is_op(norm, "LayerNormalization")) return;
    if (uses_other_outputs(graph_, norm) || !normalizes_last_axis(norm)) return;
    const ValueId sum = norm.inputs[0];
    const Node* add = made_by(graph_, sum, "Add");
    const Fact& fact = graph_.fact(sum);
    if (add == nullptr || (fact.dtype != DType::f32 && fact.dtype != DType::f16)) return;
    if (!fact.has_rank() || fact.rank() != 3) return;
    const size_t first = same_type_and_dims(graph_, add->inputs[0], sum) ? 0 : 1;
    if (!same_type_and_dims(graph_, add->inputs[first], sum) || !can_be_skipped_to(add->inputs[1 - first], sum)) return;
    const bool wanted = !has_one_use(graph_, sum);
    Rewrite rewrite(ctx_, formatted("Add + {}", norm.op));
    rewrite.take(producer_of(graph_, sum)).take(id);
    std::vector<ValueId> inputs = {add->inputs[first], add->inputs[1 - first], norm.inputs[1]};
    if (!simplified && input_of(norm, 2) != kNoValue) inputs.push_back(norm.inputs[2]);
    const ValueId made =
        rewrite.add({.op = simplified ? "SkipSimplifiedLayerNormalization" : "SkipLayerNormalization",
                     .domain = kContrib,
                     .inputs = inputs,
                     .attributes = make_attributes({{"epsilon", norm.attributes.get_float("epsilon", 1e-5f)}}),
                     .outputs = wanted ? size_t{4} : size_t{1}});
    rewrite.become(norm.outputs[0], made);
    if (wanted) rewrite.become(sum, made + 3);
    rewrite.apply();
  }

 private:
  bool decline(NodeId id, const Form& form, std::string_view reason) {
    ctx_.decline(id, formatted("{}: {}", form.op, reason));
    return false;
  }

  static Result<Tensor> in_float(const Tensor& weight) {
    SDX_ASSIGN(Tensor made, Tensor::allocate(DType::f32, weight.shape()));
    for (int64_t i = 0; i < weight.count(); ++i) made.data<float>()[i] = static_cast<float>(load_double(weight, i));
    return made;
  }

  bool is_shorter(ValueId x) const { return graph_.fact(x).dtype == DType::f16 || graph_.fact(x).dtype == DType::bf16; }

  bool is_over_last_axis(const Match& match, std::string_view name) const {
    const Node& mean = graph_.node(match.node(graph_, name));
    const Fact& x = graph_.fact(mean.inputs[0]);
    const auto axes = ints_of(graph_, mean.inputs[1]);
    if (!axes || axes->size() != 1 || mean.attributes.get_int("keepdims", 1) != 1 || !x.has_rank()) return false;
    return (*axes)[0] == -1 || (*axes)[0] == x.rank() - 1;
  }

  bool is_along_last_axis(ValueId value, const Fact& x) const {
    const Tensor& weight = *weight_of(graph_, value);
    return weight.rank() == 1 && x.has_rank() && x.dim(x.rank() - 1).is(weight.dim(0));
  }

  // As large as the sum, or the same for each of the batch; a bias is none.
  bool can_be_skipped_to(ValueId skip, ValueId sum) const {
    const Fact &small = graph_.fact(skip), &large = graph_.fact(sum);
    if (!same_type(graph_, skip, sum) || !small.has_rank() || (small.rank() != 2 && small.rank() != 3)) return false;
    for (int axis = 1; axis <= 2; ++axis)
      if (graph_.symbols().equal(small.dim(small.rank() - axis), large.dim(3 - axis)) != Truth::yes) return false;
    return small.rank() == 2 || small.dim(0).is(1) || graph_.symbols().equal(small.dim(0), large.dim(0)) == Truth::yes;
  }

  bool normalizes_last_axis(const Node& norm) const {
    const Fact& x = graph_.fact(norm.inputs[0]);
    const int64_t axis = norm.attributes.get_int("axis", -1);
    return x.has_rank() && (axis == -1 || axis == x.rank() - 1);
  }

  PassContext& ctx_;
  const Graph& graph_;
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  Fusing fusing(ctx);
  for (size_t i = order.size(); i-- > 0;) {
    for (const Form& form : forms()) {
      SDX_ASSIGN(const bool fused, fusing.fuse(order[i], form));
      if (fused) break;
    }
  }
  SDX_ASSIGN(const std::vector<NodeId> after, ctx.order());
  for (const NodeId id : after)
    if (ctx.graph().node(id).alive) fusing.take_sum(id);
  return {};
}

}  // namespace

constinit const Pass fuse_normalization{"fuse_normalization", Level::extended, Exactness::rounding,
                                        "makes one node of a normalisation and the sum before it", run};

}  // namespace sdx::passes
