#include "ops/rnn/recurrent.h"

#include <cmath>

#include "base/element.h"

namespace sdx::ops {
namespace {

struct KnownFunction {
  std::string_view name;  // lower case
  Activation::Function function;
  int parameters;  // 0, 1: alpha, 2: alpha and beta
  double alpha, beta;
};
using Function = Activation::Function;
constexpr KnownFunction kFunctions[] = {
    {"relu", Function::relu, 0, 0, 0},
    {"tanh", Function::tanh, 0, 0, 0},
    {"sigmoid", Function::sigmoid, 0, 0, 0},
    {"affine", Function::affine, 2, 1, 0},
    {"leakyrelu", Function::leaky_relu, 1, 0.01f, 0},
    {"thresholdedrelu", Function::thresholded_relu, 1, 1, 0},
    {"scaledtanh", Function::scaled_tanh, 2, 1, 1},
    {"hardsigmoid", Function::hard_sigmoid, 2, 0.2f, 0.5},
    {"elu", Function::elu, 1, 1, 0},
    {"softsign", Function::softsign, 0, 0, 0},
    {"softplus", Function::softplus, 0, 0, 0},
};

Result<int> directions_of(const Attributes& attributes) {
  const std::string_view direction = attributes.get_string("direction", "forward");
  // The first version of GRU spells its default "foward".
  if (direction == "forward" || direction == "foward" || direction == "reverse") return 1;
  if (direction == "bidirectional") return 2;
  return invalid_argument("attribute direction is {}: forward, reverse or bidirectional is wanted", direction);
}

// Input `i`, where it is there and known, must have this shape.
Status check_shape(const InferContext& ctx, size_t i, std::string_view what, const SymShape& wanted) {
  if (!ctx.has_input(i) || !ctx.has_rank(i)) return {};
  if (ctx.rank(i) != static_cast<int>(wanted.size()))
    return ctx.fail("{} has rank {}, {} is wanted", what, ctx.rank(i), wanted.size());
  for (size_t d = 0; d < wanted.size(); ++d)
    SDX_TRY(ctx.same(wanted[d], ctx.dim(i, static_cast<int>(d)), formatted("dimension {} of {}", d, what)).status());
  return {};
}

// Another input that has the batch may say what X does not. That both agree is checked already.
void refine_batch(const InferContext& ctx, size_t i, int axis, Dim& batch) {
  if (batch.is_known() || !ctx.has_input(i) || !ctx.has_rank(i)) return;
  if (ctx.dim(i, axis).is_known() || !ctx.has_rank(0)) batch = ctx.dim(i, axis);
}

}  // namespace

double Activation::operator()(double x) const {
  switch (function) {
    case Function::relu: return x > 0 || std::isnan(x) ? x : 0;
    case Function::tanh: return std::tanh(x);
    case Function::sigmoid: return 1 / (1 + std::exp(-x));
    case Function::affine: return alpha * x + beta;
    case Function::leaky_relu: return x >= 0 ? x : alpha * x;
    case Function::thresholded_relu: return x >= alpha || std::isnan(x) ? x : 0;
    case Function::scaled_tanh: return alpha * std::tanh(beta * x);
    case Function::hard_sigmoid: {
      const double v = alpha * x + beta;
      return v < 0 ? 0 : v > 1 ? 1 : v;
    }
    case Function::elu: return x >= 0 ? x : alpha * std::expm1(x);
    case Function::softsign: return std::isinf(x) ? std::copysign(1, x) : x / (1 + std::fabs(x));
    case Function::softplus: return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
  }
  return x;
}

Result<std::vector<Activation>> activations_of(const Attributes& attributes, RecurrentKind kind, int directions) {
  std::vector<std::string> names;
  if (const auto* given = attributes.get<std::vector<std::string>>("activations")) names = *given;
  const size_t per_direction = kind == RecurrentKind::rnn ? 1 : kind == RecurrentKind::gru ? 2 : 3;
  const size_t wanted = per_direction * static_cast<size_t>(directions);
  if (names.empty()) {
    constexpr std::string_view kDefaults[][3] = {{"tanh"}, {"sigmoid", "tanh"}, {"sigmoid", "tanh", "tanh"}};
    for (size_t i = 0; i < wanted; ++i) names.emplace_back(kDefaults[static_cast<int>(kind)][i % per_direction]);
  }
  // RNN's own default has two names whatever the direction.
  if (names.size() > wanted && kind == RecurrentKind::rnn) names.resize(wanted);
  if (names.size() != wanted)
    return invalid_argument("attribute activations has {} names, {} are wanted", names.size(), wanted);
  const auto alphas = attributes.get_floats("activation_alpha"), betas = attributes.get_floats("activation_beta");
  size_t alpha = 0, beta = 0;
  std::vector<Activation> list;
  for (const std::string& given : names) {
    std::string lower = given;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const KnownFunction* found = nullptr;
    for (const KnownFunction& known : kFunctions)
      if (known.name == lower) found = &known;
    if (found == nullptr) return invalid_argument("attribute activations names {}, which is no activation", given);
    Activation made{found->function, found->alpha, found->beta};
    if (found->parameters >= 1 && alpha < alphas.size()) made.alpha = alphas[alpha++];
    if (found->parameters >= 2 && beta < betas.size()) made.beta = betas[beta++];
    list.push_back(made);
  }
  return list;
}

template <RecurrentKind kind>
Result<Facts> infer_recurrent(InferContext& ctx) {
  if (const auto* hidden = ctx.attributes().get<int64_t>("hidden_size"); hidden != nullptr && *hidden < 1)
    return ctx.fail("attribute hidden_size is {}, at least 1 is wanted", *hidden);
  SDX_ASSIGN(const int directions, directions_of(ctx.attributes()));
  SDX_TRY(activations_of(ctx.attributes(), kind, directions).status());
  const int64_t layout = ctx.attr_int("layout", 0);
  if (layout != 0 && layout != 1) return ctx.fail("attribute layout is {}: 0 or 1 is wanted", layout);
  if (ctx.has_rank(0) && ctx.rank(0) != 3) return ctx.fail("X has rank {}, 3 is wanted", ctx.rank(0));
  Dim steps = ctx.has_rank(0) ? ctx.dim(0, 0) : ctx.unknown_dim(),
      batch = ctx.has_rank(0) ? ctx.dim(0, 1) : ctx.unknown_dim();
  if (layout == 1) std::swap(steps, batch);
  const Dim inputs = ctx.has_rank(0) ? ctx.dim(0, 2) : ctx.unknown_dim();
  Dim hidden = ctx.unknown_dim();
  if (ctx.has_rank(2)) {
    if (ctx.rank(2) != 3) return ctx.fail("R has rank {}, 3 is wanted", ctx.rank(2));
    hidden = ctx.dim(2, 2);
  }
  if (ctx.attributes().has("hidden_size")) {
    SDX_ASSIGN(hidden, ctx.same(hidden, Dim(ctx.attr_int("hidden_size", 0)), "hidden_size and R"));
  }
  const auto times = [&](int64_t n) { return ctx.symbols().mul(Dim(n), hidden); };
  constexpr int kGates = gates_of(kind);
  const Dim count(directions);
  SDX_TRY(check_shape(ctx, 1, "W", {count, times(kGates), inputs}));
  SDX_TRY(check_shape(ctx, 2, "R", {count, times(kGates), hidden}));
  SDX_TRY(check_shape(ctx, 3, "B", {count, times(2 * kGates)}));
  SDX_TRY(check_shape(ctx, 4, "sequence_lens", {batch}));
  const auto state_shape = [&] {
    return layout == 1 ? SymShape{batch, count, hidden} : SymShape{count, batch, hidden};
  };
  SymShape state = state_shape();
  SDX_TRY(check_shape(ctx, 5, "initial_h", state));
  if constexpr (kind == RecurrentKind::lstm) {
    SDX_TRY(check_shape(ctx, 6, "initial_c", state));
    SDX_TRY(check_shape(ctx, 7, "P", {count, times(3)}));
  }
  refine_batch(ctx, 4, 0, batch);
  refine_batch(ctx, 5, layout == 1 ? 0 : 1, batch);
  if constexpr (kind == RecurrentKind::lstm) refine_batch(ctx, 6, layout == 1 ? 0 : 1, batch);
  state = state_shape();
  const SymShape y = layout == 1 ? SymShape{batch, steps, count, hidden} : SymShape{steps, count, batch, hidden};
  std::vector<Fact> facts{tensor_fact(ctx.dtype(0), y), tensor_fact(ctx.dtype(0), state)};
  if constexpr (kind == RecurrentKind::lstm) facts.push_back(tensor_fact(ctx.dtype(0), state));
  return Facts(std::move(facts));
}
template Result<Facts> infer_recurrent<RecurrentKind::rnn>(InferContext&);
template Result<Facts> infer_recurrent<RecurrentKind::gru>(InferContext&);
template Result<Facts> infer_recurrent<RecurrentKind::lstm>(InferContext&);

Result<Recurrence> recurrence_of(const KernelContext& ctx, RecurrentKind kind) {
  Recurrence made;
  const Tensor& x = ctx.input(0);
  made.batch_first = ctx.attr_int("layout", 0) == 1;
  made.steps = x.dim(made.batch_first ? 1 : 0);
  made.batch = x.dim(made.batch_first ? 0 : 1);
  made.input_size = x.dim(2);
  made.hidden = ctx.input(2).dim(2);
  SDX_ASSIGN(made.directions, directions_of(ctx.attributes()));
  made.reverse_first = ctx.attr_string("direction", "forward") == "reverse";
  made.clip = ctx.attr_float("clip", 0);
  SDX_ASSIGN(made.activations, activations_of(ctx.attributes(), kind, made.directions));
  for (int64_t b = 0; b < made.batch; ++b) {
    const int64_t length = ctx.has_input(4) ? load_i64(ctx.input(4), b) : made.steps;
    if (length < 0 || length > made.steps)
      return invalid_argument("sequence_lens[{}] is {}, which is outside [0, {}]", b, length, made.steps);
    made.lengths.push_back(length);
  }
  return made;
}

double dot_row(const Tensor& w, int64_t row, const std::vector<double>& x) {
  double sum = 0;
  const auto count = static_cast<int64_t>(x.size());
  for (int64_t i = 0; i < count; ++i) sum += x[static_cast<size_t>(i)] * load_double(w, row * count + i);
  return sum;
}

Status run_recurrence(KernelContext& ctx, const Recurrence& sizes, RecurrentCell& cell) {
  const bool wants_y = ctx.wants_output(0), wants_h = ctx.wants_output(1);
  std::vector<double> x(static_cast<size_t>(sizes.input_size)), h(static_cast<size_t>(sizes.hidden));
  for (int direction = 0; direction < sizes.directions; ++direction) {
    for (int64_t b = 0; b < sizes.batch; ++b) {
      const int64_t length = sizes.lengths[static_cast<size_t>(b)];
      for (int64_t i = 0; i < sizes.hidden; ++i)
        h[static_cast<size_t>(i)] = ctx.has_input(5) ? load_double(ctx.input(5), sizes.state_row(direction, b) + i) : 0;
      cell.begin(direction, b);
      for (int64_t t = 0; t < sizes.steps; ++t) {
        SDX_TRY(ctx.check_cancelled());
        const int64_t step = sizes.is_reverse(direction) && t < length ? length - 1 - t : t;
        if (t < length) {
          for (int64_t i = 0; i < sizes.input_size; ++i)
            x[static_cast<size_t>(i)] = load_double(ctx.input(0), sizes.x_row(step, b) + i);
          cell.step(x, h);
        }
        if (!wants_y) continue;
        for (int64_t i = 0; i < sizes.hidden; ++i)
          store_double(ctx.output(0), sizes.y_row(step, direction, b) + i, t < length ? h[static_cast<size_t>(i)] : 0);
      }
      cell.end(direction, b);
      if (!wants_h) continue;
      for (int64_t i = 0; i < sizes.hidden; ++i)
        store_double(ctx.output(1), sizes.state_row(direction, b) + i, length > 0 ? h[static_cast<size_t>(i)] : 0);
    }
  }
  return {};
}

Status drop_output_sequence(UpgradeContext& ctx) {
  ctx.attributes().remove("output_sequence");
  return {};
}

}  // namespace sdx::ops
