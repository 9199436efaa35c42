// Tree ensembles in one prepared form: what TreeEnsemble, TreeEnsembleRegressor and TreeEnsembleClassifier compute
// from. Every index is checked when the form is made; evaluation reads nothing outside and always ends.
#pragma once

#include "ops/ml/ml_common.h"

namespace sdx::ops {

enum class TreeMode : uint8_t { leq, lt, gte, gt, eq, neq, member, leaf };  // TreeEnsemble's numbers
enum class Aggregate : uint8_t { average, sum, min, max };                  // TreeEnsemble's numbers

template <typename T>
struct TreeNode {
  T threshold = 0;       // of a member node: unused
  uint32_t feature = 0;  // of a member node too
  TreeMode mode = TreeMode::leaf;
  uint8_t missing_is_true = 0;
  uint16_t padding = 0;
  uint32_t on_true = 0, on_false = 0;  // nodes; of a leaf: its first vote and the end of its votes
  uint32_t members = 0;                // index of the set, of a member node
};

// A node of a plain forest, for walks of several rows at once: the next node where x[feature] <= threshold, and where
// not. A leaf is its own next, and its threshold the weight of its vote where votes are lone.
template <typename T>
struct PlainNode {
  T threshold = 0;
  uint32_t feature = 0;
  uint32_t next[2] = {};
};

template <typename T>
struct Vote {
  uint32_t target = 0;
  T weight = 0;
};

// An ensemble as the attributes say it, before checks.
struct TreeSource {
  struct Branch {
    double threshold = 0;
    int64_t feature = 0;
    TreeMode mode = TreeMode::leaf;
    bool missing_is_true = false;
    int64_t on_true = 0, on_false = 0;  // indices into `nodes`; of a leaf: its first vote and the end of its votes
    int64_t members = -1;               // index into `sets`
  };
  using Vote = std::pair<int64_t, double>;  // target and weight
  std::vector<Branch> nodes;
  std::vector<Vote> votes;
  std::vector<int64_t> roots;
  std::vector<std::vector<double>> sets;
  int64_t targets = 1;
};

// Bytes that making the prepared form of an ensemble with these attributes takes: its source, and the form.
inline int64_t forest_bytes(const NodeFacts& facts) {
  const auto count = [&](std::string_view name) { return facts.attr_ints(name).size(); };
  const size_t nodes = count("nodes_featureids") + count("leaf_targetids");
  const size_t votes = count("target_ids") + count("class_ids") + count("leaf_targetids");
  const bool wide = facts.dtype(0) == DType::f64;
  // Beside the source: first thresholds and an index of the nodes, 32 bytes each, then the form.
  const size_t node = std::max<size_t>(32, wide ? sizeof(TreeNode<double>) : sizeof(TreeNode<float>)) +
                      (wide ? sizeof(PlainNode<double>) : sizeof(PlainNode<float>));
  const size_t vote = wide ? sizeof(Vote<double>) : sizeof(Vote<float>);
  return static_cast<int64_t>(nodes * (node + sizeof(TreeSource::Branch)) + votes * (vote + sizeof(TreeSource::Vote)));
}

template <typename T>
struct Forest : KernelState {
  std::vector<TreeNode<T>> nodes;
  std::vector<uint32_t> roots;
  std::vector<Vote<T>> votes;
  std::vector<std::vector<T>> sets;  // sorted
  size_t targets = 1;
  int64_t features = 0;                   // x must have this many at least
  bool plain = false;                     // only <=, false for NaN
  std::vector<PlainNode<T>> plain_nodes;  // of a plain forest
  bool lone_votes = false;                // a plain forest with one target and a vote a leaf
  Aggregate aggregate = Aggregate::sum;
  PostTransform transform = PostTransform::none;
  std::vector<T> base;  // none, or one a target (or, of a classifier, one for all)

  static Result<std::unique_ptr<Forest>> create(const TreeSource& source);
  // The leaf that x ends in.
  const TreeNode<T>& leaf(uint32_t root, const T* x) const;
  // The leaves of `count` rows, `stride` apart.
  void leaves(uint32_t root, const T* x, size_t stride, size_t count, uint32_t* found) const;
};

// Reads the attributes shared by the classifier and the regressor; `votes` is "class" or "target".
Result<TreeSource> read_trees(const Attributes& attributes, std::string_view votes, int64_t targets);
// Values of floats attribute `name` or of the tensor `name`_as_tensor, as doubles.
Result<std::vector<double>> read_numbers(const Attributes& attributes, std::string_view name);

}  // namespace sdx::ops
