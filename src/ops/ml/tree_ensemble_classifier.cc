// TreeEnsembleClassifier: the votes of each row's leaves, summed by class, plus base values; the label is that of the
// best class among those with votes. Two labels and votes for one class alone: the votes are the evidence for the
// second label, which wins above 0.5 where no weight is negative, else above 0; from one score come two columns, 1 - s
// and s, or -s and s (SecondClass). That case is onnxruntime's; where its two columns contradict the standard (labels 0
// and 1 whatever the labels are called, base values left out) the standard holds here.
#include <algorithm>

#include "ops/ml/tree_ops.h"

namespace sdx::ops {
namespace {

Result<ClassLabels> tree_labels(const Attributes& attributes) {
  SDX_ASSIGN(ClassLabels labels, ClassLabels::from(attributes, "classlabels_int64s", "classlabels_strings"));
  if (labels.size() == 0) return invalid_argument("neither classlabels_int64s nor classlabels_strings is given");
  return labels;
}

template <typename T>
struct Classifier : KernelState {
  std::unique_ptr<Forest<T>> forest;
  ClassLabels labels;
  int voted_class = -1;  // the only one, of two; else -1
  bool all_positive = true;
};

Result<Facts> infer_tree_ensemble_classifier(InferContext& ctx) {
  SDX_ASSIGN(const ClassLabels labels, tree_labels(ctx.attributes()));
  return infer_classifier(ctx, labels.dtype(), Dim(static_cast<int64_t>(labels.size())));
}

template <typename T>
Result<std::unique_ptr<KernelState>> prepare(const Attributes& attributes) {
  auto made = std::make_unique<Classifier<T>>();
  SDX_ASSIGN(made->labels, tree_labels(attributes));
  const size_t classes = made->labels.size();
  SDX_ASSIGN(const TreeSource source, read_trees(attributes, "class", static_cast<int64_t>(classes)));
  SDX_ASSIGN(made->forest, Forest<T>::create(source));
  SDX_ASSIGN(made->forest->transform, post_transform(attributes));
  SDX_ASSIGN(const std::vector<double> base, read_numbers(attributes, "base_values"));
  if (!base.empty() && base.size() != classes && base.size() != 1)
    return invalid_argument("{} base values are given for {} classes", base.size(), classes);
  made->forest->base.assign(base.begin(), base.end());
  bool voted[2] = {};
  for (const Vote<T>& vote : made->forest->votes) {
    if (vote.weight < 0) made->all_positive = false;
    if (classes == 2) voted[vote.target] = true;
  }
  if (classes == 2 && voted[0] != voted[1]) made->voted_class = voted[1] ? 1 : 0;
  return std::unique_ptr<KernelState>(std::move(made));
}

// Of one row: writes the scores, gives the class.
template <typename T>
int32_t classify(const Classifier<T>& state, std::span<T> sums, std::span<uint8_t> has, float* out) {
  const Forest<T>& forest = *state.forest;
  if (state.voted_class >= 0 && forest.base.size() < 2) {
    const bool one_score = !has[1];
    if (one_score && forest.base.size() == 1) sums[0] += forest.base[0];
    const T evidence = one_score ? sums[0] : sums[1];
    if (one_score) {
      write_two_classes(forest.transform, state.all_positive ? SecondClass::complement : SecondClass::opposite,
                        static_cast<float>(evidence), out);
    } else {
      for (size_t c = 0; c < 2; ++c) out[c] = static_cast<float>(sums[c]);
      transform_scores(forest.transform, {out, 2});
    }
    return evidence > (state.all_positive ? T(0.5) : T(0)) ? 1 : 0;
  }
  if (forest.base.size() == sums.size()) {
    for (size_t c = 0; c < sums.size(); ++c) sums[c] += forest.base[c];
    std::fill(has.begin(), has.end(), uint8_t{1});
  } else if (forest.base.size() == 1) {
    sums[0] += forest.base[0];
  }
  int32_t best = -1;
  for (size_t c = 0; c < sums.size(); ++c)
    if (has[c] && (best < 0 || sums[c] > sums[static_cast<size_t>(best)])) best = static_cast<int32_t>(c);
  for (size_t c = 0; c < sums.size(); ++c) out[c] = static_cast<float>(sums[c]);
  if (sums.size() > 1 || forest.transform == PostTransform::probit)
    transform_scores(forest.transform, {out, sums.size()});
  return std::max(best, 0);
}

template <typename T>
Status run(KernelContext& ctx, const Classifier<T>& state) {
  SDX_ASSIGN(const FeatureRows form, feature_rows(ctx.input(0)));
  const size_t classes = state.labels.size();
  SDX_ASSIGN(Tensor scores, Tensor::allocate(DType::f32, Shape{form.rows, static_cast<int64_t>(classes)}));
  std::vector<int32_t> best(static_cast<size_t>(form.rows));
  float* z = scores.data<float>();
  SDX_TRY(run_forest<T>(ctx, *state.forest, [&](int64_t row, std::span<T> sums, std::span<uint8_t> has) {
    best[static_cast<size_t>(row)] = classify(state, sums, has, z + row * static_cast<int64_t>(classes));
  }));
  if (ctx.wants_output(0)) {
    SDX_ASSIGN(Tensor labels, state.labels.tensor_of(best));
    ctx.set_output(0, std::move(labels));
  }
  if (ctx.wants_output(1)) ctx.set_output(1, std::move(scores));
  return {};
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_tree_classifier(const Attributes& attributes, DType x) {
  return x == DType::f64 ? prepare<double>(attributes) : prepare<float>(attributes);
}

Status run_tree_classifier(KernelContext& ctx, const KernelState& state) {
  if (ctx.input(0).dtype() == DType::f64) return run(ctx, static_cast<const Classifier<double>&>(state));
  return run(ctx, static_cast<const Classifier<float>&>(state));
}

SDX_OP(tree_ensemble_classifier) = {
    .name = "TreeEnsembleClassifier",
    .domain = "ai.onnx.ml",
    .since = 5,
    .infer = infer_tree_ensemble_classifier,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const auto state, prepare_tree_classifier(ctx.attributes(), ctx.input(0).dtype()));
      return run_tree_classifier(ctx, *state);
    },
    .records_constraints = true,
};

}  // namespace sdx::ops
