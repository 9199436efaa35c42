// CausalConvWithState: y[l] = bias + sum over t of w[t] * p[l + t] for each channel, where p is the past state (or
// zeros) followed by the input; then SiLU where asked for. The present state is the end of p.
#include <cmath>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_causal_conv(InferContext& ctx) {
  const std::string_view activation = ctx.attr_string("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish")
    return ctx.fail("attribute activation is {}: none, silu or swish is wanted", activation);
  for (const size_t i : {0, 1, 3})
    if (ctx.has_input(i) && ctx.has_rank(i) && ctx.rank(i) != 3)
      return ctx.fail("input {} has rank {}, 3 is wanted", i, ctx.rank(i));
  const Dim batch = ctx.has_rank(0) ? ctx.dim(0, 0) : ctx.unknown_dim();
  const Dim channels = ctx.has_rank(0) ? ctx.dim(0, 1) : ctx.unknown_dim();
  Dim state = ctx.unknown_dim();
  if (ctx.has_rank(1)) {
    SDX_TRY(ctx.same(channels, ctx.dim(1, 0), "channels of weight").status());
    SDX_TRY(ctx.same(Dim(1), ctx.dim(1, 1), "dimension 1 of weight").status());
    if (ctx.dim(1, 2).is(0)) return ctx.fail("the kernel is empty");
    ctx.assume({Constraint::Kind::at_least, ctx.dim(1, 2), Dim(1)});
    state = ctx.symbols().sub(ctx.dim(1, 2), Dim(1));
  }
  if (ctx.has_input(2) && ctx.has_rank(2)) {
    if (ctx.rank(2) != 1) return ctx.fail("bias has rank {}, 1 is wanted", ctx.rank(2));
    SDX_TRY(ctx.same(channels, ctx.dim(2, 0), "channels of bias").status());
  }
  const SymShape state_shape{batch, channels, state};
  if (ctx.has_input(3) && ctx.has_rank(3))
    for (size_t d = 0; d < 3; ++d)
      SDX_TRY(ctx.same(state_shape[d], ctx.dim(3, static_cast<int>(d)), formatted("dimension {} of past_state", d))
                  .status());
  return Facts({tensor_fact(ctx.dtype(0), ctx.input(0).shape), tensor_fact(ctx.dtype(0), state_shape)});
}

Status causal_conv_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  const int64_t rows = x.dim(0) * x.dim(1), channels = x.dim(1), length = x.dim(2), taps = w.dim(2), state = taps - 1;
  const bool silu = ctx.attr_string("activation", "none") != "none";
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t channel = row % channels;
    const auto padded = [&](int64_t at) {
      if (at >= state) return load_double(x, row * length + at - state);
      return ctx.has_input(3) ? load_double(ctx.input(3), row * state + at) : 0.0;
    };
    for (int64_t l = 0; ctx.wants_output(0) && l < length; ++l) {
      double sum = ctx.has_input(2) ? load_double(ctx.input(2), channel) : 0;
      for (int64_t t = 0; t < taps; ++t) sum += load_double(w, channel * taps + t) * padded(l + t);
      store_double(ctx.output(0), row * length + l, silu ? sum / (1 + std::exp(-sum)) : sum);
    }
    for (int64_t s = 0; ctx.wants_output(1) && s < state; ++s)
      store_double(ctx.output(1), row * state + s, padded(length + s));
  }
  return {};
}

}  // namespace

SDX_OP(causal_conv_with_state) = {
    .name = "CausalConvWithState",
    .since = 27,
    .infer = infer_causal_conv,
    .reference = causal_conv_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
