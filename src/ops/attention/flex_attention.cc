// FlexAttention (preview): scores = scale * q k^T, changed by subgraph score_mod; their softmax, changed by subgraph
// prob_mod; times v. Subgraphs see the type of softmax_precision: double for double inputs, else float32.
#include <cmath>

#include "ops/attention/attend.h"

namespace sdx::ops {
namespace {

DType score_type(const Attributes& attributes, DType input) {
  if (attributes.has("softmax_precision")) return dtype_from_onnx(attributes.get_int("softmax_precision", 1));
  return input == DType::f64 ? DType::f64 : DType::f32;
}

Result<Facts> infer_flex_attention(InferContext& ctx) {
  const DType scores = score_type(ctx.attributes(), ctx.dtype(0));
  if (scores != DType::f32 && scores != DType::f16 && scores != DType::f64 && scores != DType::bf16)
    return ctx.fail("attribute softmax_precision is {}: 1, 10, 11 or 16 is wanted",
                    ctx.attr_int("softmax_precision", 1));
  if (!ctx.has_rank(0) || !ctx.has_rank(1) || !ctx.has_rank(2)) return tensor_fact(ctx.dtype(0), ctx.unknown_shape(4));
  for (const size_t i : {0, 1, 2})
    if (ctx.rank(i) != 4) return ctx.fail("input {} has rank {}, 4 is wanted", i, ctx.rank(i));
  SDX_ASSIGN(const Dim batch, ctx.same(ctx.dim(0, 0), ctx.dim(1, 0), "batch of Q and K"));
  SDX_TRY(ctx.same(ctx.dim(1, 0), ctx.dim(2, 0), "batch of K and V").status());
  SDX_TRY(ctx.same(ctx.dim(1, 1), ctx.dim(2, 1), "heads of K and V").status());
  SDX_TRY(ctx.same(ctx.dim(1, 2), ctx.dim(2, 2), "sequence of K and V").status());
  SDX_TRY(ctx.same(ctx.dim(0, 3), ctx.dim(1, 3), "head size of Q and K").status());
  const Dim &heads = ctx.dim(0, 1), &kv_heads = ctx.dim(1, 1);
  if (heads.is_known() && kv_heads.is_known() &&
      (kv_heads.known() == 0 ? heads.known() != 0 : heads.known() % kv_heads.known() != 0))
    return ctx.fail("{} heads of Q cannot share {} heads of K", heads.known(), kv_heads.known());
  if (!heads.is_known() || !kv_heads.is_known()) ctx.assume({Constraint::Kind::divides, heads, kv_heads});
  return tensor_fact(ctx.dtype(0), SymShape{batch, heads, ctx.dim(0, 2), ctx.dim(2, 3)});
}

// What the subgraph makes of the scores, which keep their type and shape.
Result<Tensor> modified(KernelContext& ctx, std::string_view attribute, Tensor scores) {
  if (!ctx.attributes().has(attribute)) return scores;
  const Value input(scores);
  SDX_ASSIGN(const std::vector<Value> outputs, ctx.subgraphs().run(attribute, std::span(&input, 1)));
  if (outputs.size() != 1 || !outputs[0].is_tensor()) return invalid_argument("{} must give one tensor", attribute);
  const Tensor& out = outputs[0].tensor();
  if (out.dtype() != scores.dtype() || !(out.shape() == scores.shape()))
    return invalid_argument("{} gives {}{}, {}{} is wanted", attribute, name(out.dtype()), to_text(out.shape()),
                            name(scores.dtype()), to_text(scores.shape()));
  return out;
}

void softmax_rows(Tensor& scores, int64_t width) {
  for (int64_t first = 0; width > 0 && first < scores.count(); first += width) {
    double largest = load_double(scores, first), sum = 0;
    for (int64_t j = 1; j < width; ++j)
      if (const double v = load_double(scores, first + j); !(v <= largest)) largest = v;
    for (int64_t j = 0; j < width; ++j) sum += std::exp(load_double(scores, first + j) - largest);
    for (int64_t j = 0; j < width; ++j)
      store_double(scores, first + j, std::exp(load_double(scores, first + j) - largest) / sum);
  }
}

Status flex_attention_reference(KernelContext& ctx) {
  const Tensor &q = ctx.input(0), &k = ctx.input(1), &v = ctx.input(2);
  Tensor& y = ctx.output(0);
  const int64_t batch = q.dim(0), heads = q.dim(1), queries = q.dim(2), keys = k.dim(2), size = q.dim(3),
                value_size = v.dim(3);
  const int64_t share = k.dim(1) == 0 ? 1 : heads / k.dim(1);
  const auto* given = ctx.attributes().get<float>("scale");
  const double scale = given != nullptr ? *given : 1 / std::sqrt(static_cast<double>(size));
  const HeadView q_view = heads_first(q), k_view = heads_first(k), v_view = heads_first(v);
  SDX_ASSIGN(Tensor scores,
             Tensor::allocate(score_type(ctx.attributes(), q.dtype()), Shape{batch, heads, queries, keys}));
  const auto for_rows = [&](auto f) -> Status {
    for (int64_t row = 0; row < batch * heads * queries; ++row) {
      SDX_TRY(ctx.check_cancelled());
      f(row, row / (heads * queries), row / queries % heads, row % queries);
    }
    return {};
  };
  SDX_TRY(for_rows([&](int64_t row, int64_t b, int64_t h, int64_t i) {
    for (int64_t j = 0; j < keys; ++j) {
      double sum = 0;
      for (int64_t d = 0; d < size; ++d) sum += q_view.at(b, h, i, d) * k_view.at(b, h / share, j, d);
      store_double(scores, row * keys + j, scale * sum);
    }
  }));
  SDX_ASSIGN(const Tensor changed, modified(ctx, "score_mod", scores));
  SDX_ASSIGN(Tensor chances, clone(changed));
  softmax_rows(chances, keys);
  SDX_ASSIGN(const Tensor weights, modified(ctx, "prob_mod", chances));
  return for_rows([&](int64_t row, int64_t b, int64_t h, int64_t) {
    for (int64_t d = 0; d < value_size; ++d) {
      double sum = 0;
      for (int64_t j = 0; j < keys; ++j) sum += load_double(weights, row * keys + j) * v_view.at(b, h / share, j, d);
      store_double(y, row * value_size + d, sum);
    }
  });
}

}  // namespace

SDX_OP(flex_attention) = {
    .name = "FlexAttention",
    .domain = "ai.onnx.preview",
    .infer = infer_flex_attention,
    .reference = flex_attention_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
