#include "ops/attention/scaled_dot_product.h"

#include <cmath>

#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

bool by_position(const Attributes& attributes, std::string_view operand) {
  return attributes.get_int(formatted("{}_by_position", operand), 0) != 0;
}

constexpr std::string_view kNames[] = {"q", "k", "v"};

// [batch, heads, positions, channels] from the shape as it is given.
SymShape heads_before(const SymShape& shape, bool is_by_position) {
  if (shape.size() == 5) return {shape[0], shape[3], shape[1], shape[4]};
  SymShape turned = shape;
  if (is_by_position) std::swap(turned[1], turned[2]);
  return turned;
}

Result<SymShape> heads_of(const InferContext& ctx, size_t i) {
  if (ctx.rank(i) != 4 && ctx.rank(i) != 5) return ctx.fail("input {} has rank {}, 4 or 5 is wanted", i, ctx.rank(i));
  const int64_t part = ctx.attr_int(formatted("{}_part", kNames[i]), 0);
  if (ctx.rank(i) == 5) {
    const Dim& parts = ctx.dim(i, 2);
    if (part < 0 || (parts.is_known() && part >= parts.known())) return ctx.fail("{} has no part {}", kNames[i], part);
    ctx.assume({Constraint::Kind::at_least, parts, Dim(part + 1)});
  }
  return heads_before(*ctx.input(i).shape, by_position(ctx.attributes(), kNames[i]));
}

// What input i, of that name, is broadcast to.
Status check_broadcast(const InferContext& ctx, size_t i, std::string_view name, std::span<const Dim> scores) {
  if (!ctx.has_input(i)) return {};
  if (!ctx.has_rank(i)) return ctx.fail("the rank of the {} is not known", name);
  if (ctx.rank(i) > 4) return ctx.fail("the {} has rank {}, at most 4 is taken", name, ctx.rank(i));
  for (int axis = 0; axis < ctx.rank(i); ++axis) {
    const Dim& own = ctx.dim(i, axis);
    const Dim& wanted = scores[static_cast<size_t>(axis + 4 - ctx.rank(i))];
    if (!own.is(1) && ctx.symbols().equal(own, wanted) == Truth::no && wanted.is_known() && own.is_known())
      return ctx.fail("dimension {} of the {} is {}, 1 or {} is wanted", axis, name, own.known(), wanted.known());
    ctx.assume_broadcasts_to(own, wanted);
  }
  return {};
}

Result<Facts> infer_scaled_dot_product(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {
      {0, kTypes}, {1, kTypes}, {2, kTypes}, {3, kTypes, kOptional}, {4, set_of(DType::boolean), kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SymShape operands[3];
  for (const size_t i : {size_t{0}, size_t{1}, size_t{2}}) {
    if (!ctx.has_rank(i)) return tensor_fact(ctx.dtype(0), ctx.unknown_shape(4));
    SDX_ASSIGN(operands[i], heads_of(ctx, i));
  }
  const auto& [q, k, v] = operands;
  SDX_ASSIGN(const Dim batch, ctx.same(q[0], k[0], "batch of q and k"));
  SDX_TRY(ctx.same(k[0], v[0], "batch of k and v").status());
  const Dim& heads = q[1];
  if (heads.is_known() && k[1].is_known() && (k[1].known() == 0 ? !heads.is(0) : heads.known() % k[1].known() != 0))
    return ctx.fail("heads of q and k: {} are no multiple of {}", heads.known(), k[1].known());
  ctx.assume({Constraint::Kind::divides, heads, k[1]});
  SDX_TRY(ctx.same(k[1], v[1], "heads of k and v").status());
  SDX_TRY(ctx.same(q[3], k[3], "channels of q and k").status());
  SDX_TRY(ctx.same(k[2], v[2], "positions of k and v").status());
  const float softcap = ctx.attr_float("softcap", 0);
  if (!(softcap >= 0) || (softcap > 0 && ctx.has_input(4)))
    return ctx.fail("attribute softcap is {}: 0, or a positive number without choice, is wanted", softcap);
  const Dim scores[] = {batch, heads, q[2], k[2]};
  SDX_TRY(check_broadcast(ctx, 3, "mask", scores));
  SDX_TRY(check_broadcast(ctx, 4, "choice", scores));
  return tensor_fact(ctx.dtype(0), heads_before({batch, heads, q[2], v[3]}, by_position(ctx.attributes(), "y")));
}

Status scaled_dot_product_reference(KernelContext& ctx) {
  const ScaledDotProduct a = ScaledDotProduct::of(ctx);
  const AttentionSizes& sizes = a.sizes;
  std::vector<double> scores(static_cast<size_t>(sizes.keys));
  for (int64_t row = 0; row < sizes.batch * sizes.heads * sizes.queries; ++row) {
    const int64_t b = row / (sizes.heads * sizes.queries), h = row / sizes.queries % sizes.heads,
                  i = row % sizes.queries, kv = h / (sizes.heads / sizes.kv_heads);
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < sizes.keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < sizes.head_size; ++d) score += a.q.at(b, h, i, d) * a.k.at(b, kv, j, d);
      score *= a.scale;
      if (a.softcap > 0) score = a.softcap * std::tanh(score / a.softcap);
      const bool has_choice = a.choice.tensor != nullptr;
      if (has_choice && (load_i64(*a.choice.tensor, a.choice.index(b, h, i, j)) != 0) == a.hidden_where)
        score = a.hidden_score;
      if (a.mask.tensor != nullptr) score += load_double(*a.mask.tensor, a.mask.index(b, h, i, j));
      scores[static_cast<size_t>(j)] = score;
      top = std::max(top, score);
    }
    for (double& score : scores) sum += score = std::exp(score - top);
    for (double& score : scores) score = a.zero_rows && std::isnan(score / sum) ? 0 : score / sum;
    for (int64_t d = 0; d < sizes.value_size; ++d) {
      double y = 0;
      for (int64_t j = 0; j < sizes.keys; ++j) y += scores[static_cast<size_t>(j)] * a.v.at(b, kv, j, d);
      store_double(ctx.output(0), a.y.index(b, h, i, d), y);
    }
  }
  return {};
}

HeadView view_of(const Tensor& tensor, bool is_by_position, int64_t part) {
  HeadView view = heads_first(tensor);
  if (tensor.rank() == 5) {
    const int64_t channels = tensor.dim(3) * tensor.dim(4);
    view.head = tensor.dim(4);
    view.position = tensor.dim(2) * channels;
    view.batch = tensor.dim(1) * view.position;
    view.offset = part * channels;
  } else if (is_by_position) {
    view.head = tensor.dim(3);
    view.position = tensor.dim(2) * tensor.dim(3);
  }
  return view;
}

ScaledDotProduct::Operand broadcast_operand(const KernelContext& ctx, size_t i) {
  ScaledDotProduct::Operand operand;
  if (!ctx.has_input(i)) return operand;
  operand.tensor = &ctx.input(i);
  int64_t stride = 1;
  for (int axis = operand.tensor->rank() - 1; axis >= 0; --axis) {
    const int64_t size = operand.tensor->dim(axis);
    if (size != 1) operand.strides[axis + 4 - operand.tensor->rank()] = stride;
    stride *= size;
  }
  return operand;
}

}  // namespace

ScaledDotProduct ScaledDotProduct::of(KernelContext& ctx) {
  ScaledDotProduct a;
  const auto view = [&](const Tensor& tensor, std::string_view operand) {
    return view_of(tensor, by_position(ctx.attributes(), operand), ctx.attr_int(formatted("{}_part", operand), 0));
  };
  // Of heads, then positions.
  const auto dim = [&](const Tensor& tensor, std::string_view operand, int axis) {
    if (tensor.rank() == 5) return tensor.dim(axis == 1 ? 3 : 1);
    return tensor.dim(by_position(ctx.attributes(), operand) ? 3 - axis : axis);
  };
  const Tensor &q = ctx.input(0), &k = ctx.input(1), &v = ctx.input(2);
  a.q = view(q, "q"), a.k = view(k, "k"), a.v = view(v, "v"), a.y = view(ctx.output(0), "y");
  a.sizes = {.batch = q.dim(0), .heads = dim(q, "q", 1), .kv_heads = dim(k, "k", 1), .queries = dim(q, "q", 2)};
  a.sizes.keys = dim(k, "k", 2);
  a.sizes.head_size = q.dim(q.rank() - 1);
  a.sizes.value_size = v.dim(v.rank() - 1);
  a.scale = ctx.attr_float("scale", 1);
  a.softcap = ctx.attr_float("softcap", 0);
  a.mask = broadcast_operand(ctx, 3);
  a.choice = broadcast_operand(ctx, 4);
  a.hidden_where = ctx.attr_int("hidden_where", 0) != 0;
  a.hidden_score = ctx.attr_float("hidden_score", 0);
  a.zero_rows = ctx.attr_int("zero_rows", 0) != 0;
  return a;
}

SDX_OP(scaled_dot_product) = {
    .name = "ScaledDotProductAttention",
    .domain = "sardonyx",
    .infer = infer_scaled_dot_product,
    .reference = scaled_dot_product_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
