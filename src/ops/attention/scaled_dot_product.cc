#include "ops/attention/scaled_dot_product.h"

#include <cmath>

#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

bool by_position(const Attributes& attributes, std::string_view operand) {
  return attributes.get_int(formatted("{}_by_position", operand), 0) != 0;
}

// [batch, heads, positions, channels] from the shape as it is given.
SymShape heads_before(const SymShape& shape, bool is_by_position) {
  SymShape turned = shape;
  if (is_by_position) std::swap(turned[1], turned[2]);
  return turned;
}

Result<Facts> infer_scaled_dot_product(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}, {2, kTypes}, {3, kTypes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SymShape operands[3];
  for (const size_t i : {size_t{0}, size_t{1}, size_t{2}}) {
    if (!ctx.has_rank(i)) return tensor_fact(ctx.dtype(0), ctx.unknown_shape(4));
    if (ctx.rank(i) != 4) return ctx.fail("input {} has rank {}, 4 is wanted", i, ctx.rank(i));
    constexpr std::string_view kNames[] = {"q", "k", "v"};
    operands[i] = heads_before(*ctx.input(i).shape, by_position(ctx.attributes(), kNames[i]));
  }
  const auto& [q, k, v] = operands;
  SDX_ASSIGN(const Dim batch, ctx.same(q[0], k[0], "batch of q and k"));
  SDX_TRY(ctx.same(k[0], v[0], "batch of k and v").status());
  SDX_ASSIGN(const Dim heads, ctx.same(q[1], k[1], "heads of q and k"));
  SDX_TRY(ctx.same(k[1], v[1], "heads of k and v").status());
  SDX_TRY(ctx.same(q[3], k[3], "channels of q and k").status());
  SDX_TRY(ctx.same(k[2], v[2], "positions of k and v").status());
  if (ctx.has_input(3)) {
    if (!ctx.has_rank(3)) return ctx.fail("the rank of the mask is not known");
    if (ctx.rank(3) > 4) return ctx.fail("the mask has rank {}, at most 4 is taken", ctx.rank(3));
    const Dim scores[] = {batch, heads, q[2], k[2]};
    for (int axis = 0; axis < ctx.rank(3); ++axis) {
      const Dim& own = ctx.dim(3, axis);
      const Dim& wanted = scores[axis + 4 - ctx.rank(3)];
      if (!own.is(1) && ctx.symbols().equal(own, wanted) == Truth::no && wanted.is_known() && own.is_known())
        return ctx.fail("dimension {} of the mask is {}, 1 or {} is wanted", axis, own.known(), wanted.known());
      ctx.assume_broadcasts_to(own, wanted);
    }
  }
  return tensor_fact(ctx.dtype(0), heads_before({batch, heads, q[2], v[3]}, by_position(ctx.attributes(), "y")));
}

Status scaled_dot_product_reference(KernelContext& ctx) {
  const ScaledDotProduct a = ScaledDotProduct::of(ctx);
  const AttentionSizes& sizes = a.sizes;
  std::vector<double> scores(static_cast<size_t>(sizes.keys));
  for (int64_t row = 0; row < sizes.batch * sizes.heads * sizes.queries; ++row) {
    const int64_t b = row / (sizes.heads * sizes.queries), h = row / sizes.queries % sizes.heads,
                  i = row % sizes.queries;
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t j = 0; j < sizes.keys; ++j) {
      double score = 0;
      for (int64_t d = 0; d < sizes.head_size; ++d) score += a.q.at(b, h, i, d) * a.k.at(b, h, j, d);
      score = score * a.scale + (a.mask != nullptr ? load_double(*a.mask, a.mask_index(b, h, i, j)) : 0);
      scores[static_cast<size_t>(j)] = score;
      top = std::max(top, score);
    }
    for (double& score : scores) sum += score = std::exp(score - top);
    for (int64_t d = 0; d < sizes.value_size; ++d) {
      double y = 0;
      for (int64_t j = 0; j < sizes.keys; ++j) y += scores[static_cast<size_t>(j)] / sum * a.v.at(b, h, j, d);
      store_double(ctx.output(0), a.y.index(b, h, i, d), y);
    }
  }
  return {};
}

HeadView view_of(const Tensor& tensor, bool is_by_position) {
  HeadView view = heads_first(tensor);
  if (!is_by_position) return view;
  view.head = tensor.dim(3);
  view.position = tensor.dim(2) * tensor.dim(3);
  return view;
}

}  // namespace

ScaledDotProduct ScaledDotProduct::of(KernelContext& ctx) {
  ScaledDotProduct a;
  const auto view = [&](const Tensor& tensor, std::string_view operand) {
    return view_of(tensor, by_position(ctx.attributes(), operand));
  };
  const auto dim = [&](const Tensor& tensor, std::string_view operand, int axis) {
    const bool turned = by_position(ctx.attributes(), operand);
    return tensor.dim(axis == 1 && turned ? 2 : axis == 2 && turned ? 1 : axis);
  };
  const Tensor &q = ctx.input(0), &k = ctx.input(1), &v = ctx.input(2);
  a.q = view(q, "q"), a.k = view(k, "k"), a.v = view(v, "v"), a.y = view(ctx.output(0), "y");
  a.sizes = {.batch = q.dim(0), .heads = dim(q, "q", 1), .kv_heads = dim(q, "q", 1), .queries = dim(q, "q", 2)};
  a.sizes.keys = dim(k, "k", 2);
  a.sizes.head_size = q.dim(3);
  a.sizes.value_size = v.dim(3);
  a.scale = ctx.attr_float("scale", 1);
  if (!ctx.has_input(3)) return a;
  a.mask = &ctx.input(3);
  int64_t stride = 1;
  for (int axis = a.mask->rank() - 1; axis >= 0; --axis) {
    if (a.mask->dim(axis) != 1) a.mask_strides[axis + 4 - a.mask->rank()] = stride;
    stride *= a.mask->dim(axis);
  }
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
