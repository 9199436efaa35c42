// Evaluation of a prepared forest: blocks of rows, tree after tree within a block, so that a tree's nodes stay in the
// cache. Votes are added in the order of the trees: the result does not depend on the number of threads.
#pragma once

#include "ops/ml/tree.h"

namespace sdx::ops {

template <typename T>
inline void add_vote(Aggregate aggregate, T& sum, uint8_t& has, T weight) {
  switch (aggregate) {
    case Aggregate::average:
    case Aggregate::sum: sum += weight; break;
    case Aggregate::min: sum = has && sum < weight ? sum : weight; break;
    case Aggregate::max: sum = has && sum > weight ? sum : weight; break;
  }
  has = 1;
}

// finish(row, sums, has): the aggregated votes of one row, one a target; base values and transforms are its business.
template <typename T, typename Finish>
Status run_forest(KernelContext& ctx, const Forest<T>& forest, Finish finish) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const FeatureRows form, feature_rows(x));
  if (form.rows > 0 && form.features < forest.features)
    return invalid_argument("x has {} features, the trees ask for {}", form.features, forest.features);
  const size_t targets = forest.targets;
  return parallel_ranges(ctx, form.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    std::vector<T> buffer;
    const T* block = load_rows(x, form.features, begin, end, buffer);
    const size_t rows = static_cast<size_t>(end - begin);
    std::vector<T> sums(rows * targets);
    std::vector<uint8_t> has(rows * targets);
    for (const uint32_t root : forest.roots) {
      uint32_t leaves[kRowGrain];
      forest.leaves(root, block, static_cast<size_t>(form.features), rows, leaves);
      if (forest.lone_votes) {
        for (size_t row = 0; row < rows; ++row)
          add_vote(forest.aggregate, sums[row], has[row], forest.plain_nodes[leaves[row]].threshold);
        continue;
      }
      for (size_t row = 0; row < rows; ++row) {
        const TreeNode<T>& leaf = forest.nodes[leaves[row]];
        for (uint32_t v = leaf.on_true; v < leaf.on_false; ++v) {
          const Vote<T>& vote = forest.votes[v];
          add_vote(forest.aggregate, sums[row * targets + vote.target], has[row * targets + vote.target], vote.weight);
        }
      }
    }
    for (size_t row = 0; row < rows; ++row) {
      const std::span<T> own(sums.data() + row * targets, targets);
      if (forest.aggregate == Aggregate::average)
        for (T& sum : own) sum /= static_cast<T>(forest.roots.size());
      finish(begin + static_cast<int64_t>(row), own, std::span<uint8_t>(has.data() + row * targets, targets));
    }
  });
}

// Adds base values and writes the row's scores, of a regressor: several targets are transformed, of one only PROBIT is
// done, as onnxruntime has it.
template <typename T>
void write_regression(const Forest<T>& forest, std::span<T> sums, std::span<float> out) {
  for (size_t t = 0; t < sums.size(); ++t) {
    const T base = forest.base.empty() ? T(0) : forest.base[t];
    out[t] = static_cast<float>(sums[t] + base);
  }
  if (out.size() > 1 || forest.transform == PostTransform::probit) transform_scores(forest.transform, out);
}

}  // namespace sdx::ops
