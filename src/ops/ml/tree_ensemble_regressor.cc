// TreeEnsembleRegressor: the votes of each row's leaves, aggregated by target, plus base values. float64 x and weights
// are summed in double, all else in float32.
#include "ops/ml/tree_ops.h"

namespace sdx::ops {
namespace {

Result<Aggregate> aggregate_of(const Attributes& attributes) {
  const std::string_view name = attributes.get_string("aggregate_function", "SUM");
  if (name == "AVERAGE") return Aggregate::average;
  if (name == "SUM") return Aggregate::sum;
  if (name == "MIN") return Aggregate::min;
  if (name == "MAX") return Aggregate::max;
  return invalid_argument("aggregate_function is {}, not AVERAGE, SUM, MIN or MAX", name);
}

Result<Facts> infer_tree_ensemble_regressor(InferContext& ctx) {
  return infer_regressor(ctx, ctx.attr_int("n_targets", 1));
}

template <typename T>
Result<std::unique_ptr<KernelState>> prepare(const Attributes& attributes) {
  const int64_t targets = attributes.get_int("n_targets", 1);
  if (targets < 1) return invalid_argument("n_targets is {}", targets);
  SDX_ASSIGN(const TreeSource source, read_trees(attributes, "target", targets));
  SDX_ASSIGN(auto forest, Forest<T>::create(source));
  SDX_ASSIGN(forest->aggregate, aggregate_of(attributes));
  SDX_ASSIGN(forest->transform, post_transform(attributes));
  SDX_ASSIGN(const std::vector<double> base, read_numbers(attributes, "base_values"));
  if (!base.empty() && base.size() != static_cast<size_t>(targets))
    return invalid_argument("{} base values are given for {} targets", base.size(), targets);
  forest->base.assign(base.begin(), base.end());
  return std::unique_ptr<KernelState>(std::move(forest));
}

template <typename T>
Status run(KernelContext& ctx, const Forest<T>& forest) {
  float* y = ctx.output(0).data<float>();
  return run_forest<T>(ctx, forest, [&](int64_t row, std::span<T> sums, std::span<uint8_t>) {
    write_regression(forest, sums, {y + row * static_cast<int64_t>(sums.size()), sums.size()});
  });
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_tree_regressor(const Attributes& attributes, DType x) {
  return x == DType::f64 ? prepare<double>(attributes) : prepare<float>(attributes);
}

Status run_tree_regressor(KernelContext& ctx, const KernelState& state) {
  if (ctx.input(0).dtype() == DType::f64) return run(ctx, static_cast<const Forest<double>&>(state));
  return run(ctx, static_cast<const Forest<float>&>(state));
}

SDX_OP(tree_ensemble_regressor) = {
    .name = "TreeEnsembleRegressor",
    .domain = "ai.onnx.ml",
    .since = 5,
    .infer = infer_tree_ensemble_regressor,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const auto state, prepare_tree_regressor(ctx.attributes(), ctx.input(0).dtype()));
      return run_tree_regressor(ctx, *state);
    },
    .records_constraints = true,
};

}  // namespace sdx::ops
