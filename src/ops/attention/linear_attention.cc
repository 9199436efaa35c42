// LinearAttention: for each head of k and v a state S [d_k, d_v] walks over time:
//   S = exp(decay) * S (gated rules), u = v, or beta * (v - S^T k) (delta rules), S = S + k u^T,
// and each query head of the group gives scale * S^T q. The state's type is past_state's, else query's.
#include <cmath>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

struct Rule {
  bool gated, delta;
};

Result<Rule> rule_of(const Attributes& attributes) {
  const std::string_view name = attributes.get_string("update_rule", "gated_delta");
  if (name == "linear") return Rule{false, false};
  if (name == "gated") return Rule{true, false};
  if (name == "delta") return Rule{false, true};
  if (name == "gated_delta") return Rule{true, true};
  return invalid_argument("attribute update_rule is {}: linear, gated, delta or gated_delta is wanted", name);
}

Result<Facts> infer_linear_attention(InferContext& ctx) {
  SDX_ASSIGN(const Rule rule, rule_of(ctx.attributes()));
  const int64_t heads = ctx.attr_int("q_num_heads", 0), kv_heads = ctx.attr_int("kv_num_heads", 0);
  if (kv_heads < 1 || heads < 1 || heads % kv_heads != 0)
    return ctx.fail("q_num_heads is {}, kv_num_heads is {}: a multiple of at least 1 is wanted", heads, kv_heads);
  for (const auto& [input, wanted, what] : {std::tuple(4, rule.gated, "decay"), std::tuple(5, rule.delta, "beta")})
    if (ctx.has_input(static_cast<size_t>(input)) != wanted)
      return ctx.fail("input {} is {} by this update_rule", what, wanted ? "wanted" : "not taken");
  for (const size_t i : {0, 1, 2, 4, 5})
    if (ctx.has_input(i) && ctx.has_rank(i) && ctx.rank(i) != 3)
      return ctx.fail("input {} has rank {}, 3 is wanted", i, ctx.rank(i));
  const DType state_type = ctx.has_input(3) ? ctx.dtype(3) : ctx.dtype(0);
  if (!ctx.has_rank(0) || !ctx.has_rank(1) || !ctx.has_rank(2))
    return Facts({tensor_fact(ctx.dtype(0), ctx.unknown_shape(3)), tensor_fact(state_type, ctx.unknown_shape(4))});
  const auto per_head = [&](size_t i, int64_t count) -> Result<Dim> {
    const Dim& width = ctx.dim(i, 2);
    if (width.is_known() && width.known() % count != 0)
      return ctx.fail("input {} has {} channels, which do not divide into {} heads", i, width.known(), count);
    ctx.assume({Constraint::Kind::divides, width, Dim(count)});
    return ctx.symbols().floor_div(width, Dim(count));
  };
  SDX_ASSIGN(const Dim q_size, per_head(0, heads));
  SDX_ASSIGN(Dim key_size, per_head(1, kv_heads));
  SDX_ASSIGN(const Dim value_size, per_head(2, kv_heads));
  SDX_ASSIGN(key_size, ctx.same(key_size, q_size, "head size of query and key"));
  for (const size_t i : {1, 2, 4, 5}) {
    if (!ctx.has_input(i) || !ctx.has_rank(i)) continue;
    for (const int d : {0, 1})
      SDX_TRY(ctx.same(ctx.dim(0, d), ctx.dim(i, d), formatted("dimension {} of input {}", d, i)).status());
  }
  const SymShape state{ctx.dim(0, 0), Dim(kv_heads), key_size, value_size};
  if (ctx.has_input(3) && ctx.has_rank(3)) {
    if (ctx.rank(3) != 4) return ctx.fail("past_state has rank {}, 4 is wanted", ctx.rank(3));
    for (size_t d = 0; d < 4; ++d)
      SDX_TRY(ctx.same(state[d], ctx.dim(3, static_cast<int>(d)), formatted("dimension {} of past_state", d)).status());
  }
  return Facts(
      {tensor_fact(ctx.dtype(0), SymShape{ctx.dim(0, 0), ctx.dim(0, 1), ctx.symbols().mul(Dim(heads), value_size)}),
       tensor_fact(state_type, state)});
}

Status linear_attention_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Rule rule, rule_of(ctx.attributes()));
  const Tensor &q = ctx.input(0), &k = ctx.input(1), &v = ctx.input(2);
  const int64_t heads = ctx.attr_int("q_num_heads", 1), kv_heads = ctx.attr_int("kv_num_heads", 1);
  const int64_t batch = q.dim(0), steps = q.dim(1), dk = q.dim(2) / heads, dv = v.dim(2) / kv_heads;
  const int64_t share = heads / kv_heads;
  const double given = ctx.attr_float("scale", 0);
  const double scale = given == 0 ? 1 / std::sqrt(static_cast<double>(dk)) : given;
  const int64_t decay_width = rule.gated ? ctx.input(4).dim(2) : 0, beta_width = rule.delta ? ctx.input(5).dim(2) : 0;
  if (rule.gated && decay_width != kv_heads && decay_width != kv_heads * dk)
    return invalid_argument("decay has {} channels, {} or {} are wanted", decay_width, kv_heads, kv_heads * dk);
  if (rule.delta && beta_width != kv_heads && beta_width != 1)
    return invalid_argument("beta has {} channels, {} or 1 are wanted", beta_width, kv_heads);
  std::vector<double> state(static_cast<size_t>(dk * dv)), update(static_cast<size_t>(dv));
  const auto cell = [&](int64_t i, int64_t j) -> double& { return state[static_cast<size_t>(i * dv + j)]; };
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t h = 0; h < kv_heads; ++h) {
      const int64_t state_at = (b * kv_heads + h) * dk * dv;
      for (int64_t i = 0; i < dk * dv; ++i)
        state[static_cast<size_t>(i)] = ctx.has_input(3) ? load_double(ctx.input(3), state_at + i) : 0;
      for (int64_t t = 0; t < steps; ++t) {
        SDX_TRY(ctx.check_cancelled());
        const int64_t row = b * steps + t, key_at = (row * kv_heads + h) * dk, value_at = (row * kv_heads + h) * dv;
        for (int64_t i = 0; rule.gated && i < dk; ++i) {
          const int64_t at = decay_width == kv_heads ? row * kv_heads + h : key_at + i;
          const double factor = std::exp(load_double(ctx.input(4), at));
          for (int64_t j = 0; j < dv; ++j) cell(i, j) *= factor;
        }
        for (int64_t j = 0; j < dv; ++j) {
          double value = load_double(v, value_at + j);
          if (rule.delta) {
            for (int64_t i = 0; i < dk; ++i) value -= cell(i, j) * load_double(k, key_at + i);
            value *= load_double(ctx.input(5), beta_width == 1 ? row : row * kv_heads + h);
          }
          update[static_cast<size_t>(j)] = value;
        }
        for (int64_t i = 0; i < dk; ++i)
          for (int64_t j = 0; j < dv; ++j) cell(i, j) += load_double(k, key_at + i) * update[static_cast<size_t>(j)];
        for (int64_t g = h * share; ctx.wants_output(0) && g < (h + 1) * share; ++g) {
          for (int64_t j = 0; j < dv; ++j) {
            double sum = 0;
            for (int64_t i = 0; i < dk; ++i) sum += load_double(q, (row * heads + g) * dk + i) * cell(i, j);
            store_double(ctx.output(0), (row * heads + g) * dv + j, scale * sum);
          }
        }
      }
      for (int64_t i = 0; ctx.wants_output(1) && i < dk * dv; ++i)
        store_double(ctx.output(1), state_at + i, state[static_cast<size_t>(i)]);
    }
  }
  return {};
}

}  // namespace

SDX_OP(linear_attention) = {
    .name = "LinearAttention",
    .since = 27,
    .infer = infer_linear_attention,
    .reference = linear_attention_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
