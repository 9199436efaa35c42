#include "ops/loss/nll_f32.h"

namespace sdx::ops {
namespace {

struct Sums {
  double loss = 0, weight = 0;
};

template <typename Label>
Status sum_up(KernelContext& ctx, const float* log_probabilities, float* losses, Sums& sums) {
  const Tensor& scores = ctx.input(0);
  const Label* labels = ctx.input(1).data<Label>();
  const float* weights = ctx.has_input(2) ? ctx.input(2).data<float>() : nullptr;
  const auto* ignored = ctx.attributes().get<int64_t>("ignore_index");
  const int64_t classes = scores.dim(1), inner = count_range(scores.shape(), 2, scores.shape().size());
  const int64_t samples = ctx.input(1).count();
  for (int64_t first = 0, sample = 0; first < samples; first += inner, ++sample) {
    const float* plane = log_probabilities + sample * classes * inner;
    for (int64_t i = 0; i < inner; ++i) {
      const auto label = static_cast<int64_t>(labels[first + i]);
      double weight = 0, loss = 0;
      if (ignored == nullptr || label != *ignored) {
        if (label < 0 || label >= classes) return invalid_argument("label {} is outside [0, {})", label, classes);
        weight = weights != nullptr ? static_cast<double>(weights[label]) : 1;
        loss = -weight * static_cast<double>(plane[label * inner + i]);
      }
      if (losses != nullptr) losses[first + i] = static_cast<float>(loss);
      sums.loss += loss;
      sums.weight += weight;
    }
  }
  return {};
}

}  // namespace

Verdict can_run_nll_f32(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32 || (facts.has_input(2) && facts.dtype(2) != DType::f32)) return no("only f32");
  return facts.dtype(1) == DType::i64 || facts.dtype(1) == DType::i32 ? yes() : no("labels are neither i64 nor i32");
}

Status run_nll_f32(KernelContext& ctx, const float* log_probabilities) {
  const std::string_view reduction = ctx.attr_string("reduction", "mean");
  auto* y = ctx.output(0).data<float>();
  float* losses = reduction == "none" ? y : nullptr;
  Sums sums;
  SDX_TRY(ctx.input(1).dtype() == DType::i64 ? sum_up<int64_t>(ctx, log_probabilities, losses, sums)
                                             : sum_up<int32_t>(ctx, log_probabilities, losses, sums));
  if (reduction == "sum") *y = static_cast<float>(sums.loss);
  if (reduction == "mean") *y = static_cast<float>(sums.loss / sums.weight);
  return {};
}

}  // namespace sdx::ops
