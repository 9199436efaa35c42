// TreeEnsemble: inner nodes and leaves apart; each leaf votes for one target with one weight. Membership nodes test
// whether the feature is in a set. float64 is summed in double, float32 and float16 in float32.
#include "base/element.h"
#include "ops/ml/tree_ops.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_tree_ensemble(InferContext& ctx) {
  return infer_regressor(ctx, ctx.attr_int("n_targets", 1), ctx.dtype(0));
}

// Sets of members, in the order of the membership nodes, separated by NaN.
std::vector<std::vector<double>> member_sets(const Tensor& values) {
  std::vector<std::vector<double>> sets(1);
  for (int64_t i = 0; i < values.count(); ++i) {
    const double value = load_double(values, i);
    if (value == value) {
      sets.back().push_back(value);
    } else {
      sets.emplace_back();
    }
  }
  if (sets.back().empty()) sets.pop_back();  // a NaN ends the last set too
  return sets;
}

Result<TreeSource> read_source(const Attributes& attributes) {
  const auto ints = [&](std::string_view name) { return attributes.get_ints(name); };
  const Tensor *splits = attributes.get<Tensor>("nodes_splits"), *modes = attributes.get<Tensor>("nodes_modes");
  const Tensor* weights = attributes.get<Tensor>("leaf_weights");
  if (splits == nullptr || modes == nullptr || weights == nullptr)
    return invalid_argument("nodes_splits, nodes_modes and leaf_weights are wanted");
  const auto features = ints("nodes_featureids"), targets = ints("leaf_targetids");
  const auto on_true = ints("nodes_truenodeids"), on_false = ints("nodes_falsenodeids");
  const auto true_leafs = ints("nodes_trueleafs"), false_leafs = ints("nodes_falseleafs");
  const auto missing = ints("nodes_missing_value_tracks_true");
  const auto count = static_cast<int64_t>(features.size());
  for (const auto& [size, what] :
       {std::pair(splits->count(), "nodes_splits"), std::pair(modes->count(), "nodes_modes"),
        std::pair(std::ssize(on_true), "nodes_truenodeids"), std::pair(std::ssize(on_false), "nodes_falsenodeids"),
        std::pair(std::ssize(true_leafs), "nodes_trueleafs"), std::pair(std::ssize(false_leafs), "nodes_falseleafs"),
        std::pair(missing.empty() ? count : std::ssize(missing), "nodes_missing_value_tracks_true")})
    if (size != count) return invalid_argument("{} has {} entries, nodes_featureids has {}", what, size, count);
  if (weights->count() != std::ssize(targets))
    return invalid_argument("{} leaf weights are given for {} targets of leaves", weights->count(), targets.size());

  TreeSource source;
  source.targets = attributes.get_int("n_targets", 1);
  if (source.targets < 1) return invalid_argument("n_targets is {}", source.targets);
  const Tensor* members = attributes.get<Tensor>("membership_values");
  for (const Tensor* numbers : {splits, modes, weights, members})
    if (numbers != nullptr && numbers->dtype() == DType::string)
      return invalid_argument("a tensor of strings is given, numbers are wanted");
  if (members != nullptr) source.sets = member_sets(*members);
  const auto roots = ints("tree_roots");
  source.roots.assign(roots.begin(), roots.end());
  for (const int64_t root : roots)
    if (root < 0 || root >= count) return invalid_argument("root {} is outside [0, {})", root, count);
  // Inner nodes first, the leaves after them.
  const auto child = [&](int64_t id, bool leaf) {
    return leaf && id >= 0 && id < std::ssize(targets) ? count + id : leaf ? -1 : id < count ? id : -1;
  };
  source.nodes.reserve(features.size() + targets.size());
  source.votes.reserve(targets.size());
  int64_t member_nodes = 0;
  for (size_t i = 0; i < features.size(); ++i) {
    TreeSource::Branch node;
    const int64_t mode = load_i64(*modes, static_cast<int64_t>(i));
    if (mode < 0 || mode > static_cast<int64_t>(TreeMode::member)) return invalid_argument("nodes_modes has {}", mode);
    node.mode = static_cast<TreeMode>(mode);
    node.threshold = load_double(*splits, static_cast<int64_t>(i));
    node.feature = features[i];
    node.missing_is_true = !missing.empty() && missing[i] != 0;
    node.on_true = child(on_true[i], true_leafs[i] != 0);
    node.on_false = child(on_false[i], false_leafs[i] != 0);
    if (node.mode == TreeMode::member) node.members = member_nodes++;
    source.nodes.push_back(node);
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto vote = static_cast<int64_t>(i);
    source.votes.emplace_back(targets[i], load_double(*weights, vote));
    source.nodes.push_back({.on_true = vote, .on_false = vote + 1});
  }
  return source;
}

template <typename T>
Result<std::unique_ptr<KernelState>> prepare(const Attributes& attributes) {
  SDX_ASSIGN(const TreeSource source, read_source(attributes));
  SDX_ASSIGN(auto forest, Forest<T>::create(source));
  const int64_t aggregate = attributes.get_int("aggregate_function", 1);
  if (aggregate < 0 || aggregate > 3) return invalid_argument("aggregate_function is {}, outside [0, 3]", aggregate);
  forest->aggregate = static_cast<Aggregate>(aggregate);
  SDX_ASSIGN(forest->transform, post_transform_of(attributes.get_int("post_transform", 0)));
  return std::unique_ptr<KernelState>(std::move(forest));
}

template <typename T>
Status run(KernelContext& ctx, const Forest<T>& forest) {
  Tensor& y = ctx.output(0);
  const auto targets = static_cast<int64_t>(forest.targets);
  return run_forest<T>(ctx, forest, [&](int64_t row, std::span<T> sums, std::span<uint8_t>) {
    const bool transforms =
        forest.transform == PostTransform::probit || (targets > 1 && forest.transform != PostTransform::none);
    if (!transforms) {
      for (size_t t = 0; t < sums.size(); ++t) store_double(y, row * targets + static_cast<int64_t>(t), sums[t]);
      return;
    }
    std::vector<float> scores(sums.begin(), sums.end());
    transform_scores(forest.transform, scores);
    for (size_t t = 0; t < sums.size(); ++t) store_double(y, row * targets + static_cast<int64_t>(t), scores[t]);
  });
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_tree_ensemble(const Attributes& attributes, DType x) {
  return x == DType::f64 ? prepare<double>(attributes) : prepare<float>(attributes);
}

Status run_tree_ensemble(KernelContext& ctx, const KernelState& state) {
  if (ctx.input(0).dtype() == DType::f64) return run(ctx, static_cast<const Forest<double>&>(state));
  return run(ctx, static_cast<const Forest<float>&>(state));
}

SDX_OP(tree_ensemble) = {
    .name = "TreeEnsemble",
    .domain = "ai.onnx.ml",
    .since = 5,
    .infer = infer_tree_ensemble,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const auto state, prepare_tree_ensemble(ctx.attributes(), ctx.input(0).dtype()));
      return run_tree_ensemble(ctx, *state);
    },
    .records_constraints = true,
};

}  // namespace sdx::ops
