#include "ops/loss/nll.h"

#include "base/element.h"

namespace sdx::ops {

Result<Fact> infer_nll(const InferContext& ctx) {
  const std::string_view reduction = ctx.attr_string("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    return ctx.fail("attribute reduction is \"{}\"; none, sum or mean is allowed", reduction);
  const Fact &scores = ctx.input(0), &labels = ctx.input(1);
  SymShape loss;
  if (scores.has_rank()) {
    if (scores.rank() < 2) return ctx.fail("input has rank {}, below 2", scores.rank());
    loss.push_back(scores.dim(0));
    for (int i = 2; i < scores.rank(); ++i) loss.push_back(scores.dim(i));
    if (labels.has_rank()) {
      if (labels.rank() != scores.rank() - 1)
        return ctx.fail("labels have rank {}, {} is wanted", labels.rank(), scores.rank() - 1);
      for (size_t i = 0; i < loss.size(); ++i) {
        SDX_ASSIGN(loss[i], ctx.same(loss[i], labels.dim(static_cast<int>(i)), formatted("dimension {} of labels", i)));
      }
    }
    if (ctx.has_input(2) && ctx.has_rank(2)) {
      if (ctx.rank(2) != 1) return ctx.fail("weights have rank {}, not 1", ctx.rank(2));
      SDX_TRY(ctx.same(scores.dim(1), ctx.dim(2, 0), "classes and number of weights").status());
    }
  }
  if (reduction != "none") return tensor_fact(scores.dtype, SymShape());
  if (!scores.has_rank()) return tensor_fact(scores.dtype, labels.shape);
  return tensor_fact(scores.dtype, std::move(loss));
}

Status compute_nll(KernelContext& ctx, std::span<const double> log_probabilities) {
  const Tensor& scores = ctx.input(0);
  const Tensor& labels = ctx.input(1);
  const Tensor* weights = ctx.has_input(2) ? &ctx.input(2) : nullptr;
  const auto* ignored = ctx.attributes().get<int64_t>("ignore_index");
  const std::string_view reduction = ctx.attr_string("reduction", "mean");
  const int64_t classes = scores.dim(1), inner = count_range(scores.shape(), 2, scores.shape().size());
  double sum = 0, weight_sum = 0;
  for (int64_t i = 0; i < labels.count(); ++i) {
    const int64_t label = load_i64(labels, i);
    double weight = 0, loss = 0;
    if (ignored == nullptr || label != *ignored) {
      if (label < 0 || label >= classes) return invalid_argument("label {} is outside [0, {})", label, classes);
      weight = weights != nullptr ? load_double(*weights, label) : 1;
      loss = -weight * log_probabilities[static_cast<size_t>((i / inner * classes + label) * inner + i % inner)];
    }
    if (reduction == "none") store_double(ctx.output(0), i, loss);
    sum += loss;
    weight_sum += weight;
  }
  if (reduction == "sum") store_double(ctx.output(0), 0, sum);
  if (reduction == "mean") store_double(ctx.output(0), 0, sum / weight_sum);
  return {};
}

}  // namespace sdx::ops
