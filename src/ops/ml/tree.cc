#include "ops/ml/tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/element.h"

namespace sdx::ops {
namespace {

// Fails on an index outside and on a cycle. Nodes may be shared: some converters join branches.
Status check_structure(const TreeSource& source) {
  const auto count = static_cast<int64_t>(source.nodes.size());
  for (const auto& [target, weight] : source.votes)
    if (target < 0 || target >= source.targets)
      return invalid_argument("a leaf votes for target {}, outside [0, {})", target, source.targets);
  for (int64_t i = 0; i < count; ++i) {
    const auto& node = source.nodes[static_cast<size_t>(i)];
    if (node.mode == TreeMode::leaf) continue;
    for (const int64_t child : {node.on_true, node.on_false})
      if (child < 0 || child >= count)
        return invalid_argument("node {} has child {}, outside [0, {})", i, child, count);
    if (node.feature < 0 || node.feature > std::numeric_limits<int32_t>::max())
      return invalid_argument("node {} asks for feature {}", i, node.feature);
    if (node.mode == TreeMode::member && (node.members < 0 || node.members >= static_cast<int64_t>(source.sets.size())))
      return invalid_argument("node {} tests membership but membership_values has too few sets", i);
  }
  enum : uint8_t { fresh, open, done };
  std::vector<uint8_t> state(source.nodes.size(), fresh);
  std::vector<std::pair<int64_t, int>> path;  // node, children looked at
  for (const int64_t root : source.roots) {
    if (root < 0 || root >= count) return invalid_argument("root {} is outside [0, {})", root, count);
    if (state[static_cast<size_t>(root)] == fresh) path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [at, looked] = path.back();
      const auto& node = source.nodes[static_cast<size_t>(at)];
      state[static_cast<size_t>(at)] = open;
      if (node.mode == TreeMode::leaf || looked == 2) {
        state[static_cast<size_t>(at)] = done;
        path.pop_back();
        continue;
      }
      const int64_t child = looked++ == 0 ? node.on_true : node.on_false;
      if (state[static_cast<size_t>(child)] == open)
        return invalid_argument("the tree runs in a circle through node {}", child);
      if (state[static_cast<size_t>(child)] == fresh) path.emplace_back(child, 0);
    }
  }
  return {};
}

}  // namespace

template <typename T>
Result<std::unique_ptr<Forest<T>>> Forest<T>::create(const TreeSource& source) {
  SDX_TRY(check_structure(source));
  constexpr size_t kMost = std::numeric_limits<uint32_t>::max();
  if (source.nodes.size() > kMost || source.votes.size() > kMost)
    return invalid_argument("the ensemble has too many nodes");
  auto made = std::make_unique<Forest<T>>();
  Forest& forest = *made;
  forest.targets = static_cast<size_t>(source.targets);
  forest.plain = true;
  for (const int64_t root : source.roots) forest.roots.push_back(static_cast<uint32_t>(root));
  forest.nodes.reserve(source.nodes.size());
  forest.votes.reserve(source.votes.size());
  for (const auto& [target, weight] : source.votes)
    forest.votes.push_back({static_cast<uint32_t>(target), static_cast<T>(weight)});
  for (const auto& from : source.nodes) {
    TreeNode<T> node;
    node.mode = from.mode;
    node.on_true = static_cast<uint32_t>(from.on_true);
    node.on_false = static_cast<uint32_t>(from.on_false);
    if (from.mode != TreeMode::leaf) {
      node.threshold = static_cast<T>(from.threshold);
      node.feature = static_cast<uint32_t>(from.feature);
      node.missing_is_true = from.missing_is_true;
      if (from.mode == TreeMode::member) node.members = static_cast<uint32_t>(from.members);
      forest.features = std::max(forest.features, from.feature + 1);
      forest.plain = forest.plain && from.mode == TreeMode::leq && !from.missing_is_true;
    }
    forest.nodes.push_back(node);
  }
  if (forest.plain) {
    forest.plain_nodes.reserve(forest.nodes.size());
    forest.lone_votes = forest.targets == 1;
    for (uint32_t i = 0; i < forest.nodes.size(); ++i) {
      const TreeNode<T>& node = forest.nodes[i];
      if (node.mode == TreeMode::leaf) {
        const bool lone = node.on_false - node.on_true == 1;
        forest.lone_votes = forest.lone_votes && lone;
        forest.plain_nodes.push_back({lone ? forest.votes[node.on_true].weight : T(0), 0, {i, i}});
      } else {
        forest.plain_nodes.push_back({node.threshold, node.feature, {node.on_true, node.on_false}});
      }
    }
  }
  for (const auto& set : source.sets) {
    std::vector<T> sorted;
    sorted.reserve(set.size());
    for (const double value : set) sorted.push_back(static_cast<T>(value));
    std::sort(sorted.begin(), sorted.end());
    forest.sets.push_back(std::move(sorted));
  }
  return made;
}

// A step of one row waits for memory; those of its neighbours do not wait for it.
template <typename T>
void Forest<T>::leaves(uint32_t root, const T* x, size_t stride, size_t count, uint32_t* found) const {
  constexpr size_t kTogether = 8;
  size_t row = 0;
  if (plain && nodes[root].mode != TreeMode::leaf) {
    const PlainNode<T>* const all = plain_nodes.data();
    for (; row + kTogether <= count; row += kTogether) {
      const T* own = x + row * stride;
      uint32_t at[kTogether], moved = 1;
      for (uint32_t& start : at) start = root;
      while (moved != 0) {
        moved = 0;
#pragma GCC unroll 8
        for (size_t i = 0; i < kTogether; ++i) {
          const PlainNode<T>& node = all[at[i]];
          const uint32_t next = node.next[!(own[i * stride + node.feature] <= node.threshold)];
          moved |= next ^ at[i];
          at[i] = next;
        }
      }
      std::copy_n(at, kTogether, found + row);
    }
  }
  for (; row < count; ++row) found[row] = static_cast<uint32_t>(&leaf(root, x + row * stride) - nodes.data());
}

template <typename T>
const TreeNode<T>& Forest<T>::leaf(uint32_t root, const T* x) const {
  const TreeNode<T>* const all = nodes.data();
  const TreeNode<T>* node = all + root;
  if (plain) {
    while (node->mode != TreeMode::leaf)
      node = all + (x[node->feature] <= node->threshold ? node->on_true : node->on_false);
    return *node;
  }
  while (node->mode != TreeMode::leaf) {
    const T value = x[node->feature];
    bool holds = false;
    switch (node->mode) {
      case TreeMode::leq: holds = value <= node->threshold; break;
      case TreeMode::lt: holds = value < node->threshold; break;
      case TreeMode::gte: holds = value >= node->threshold; break;
      case TreeMode::gt: holds = value > node->threshold; break;
      case TreeMode::eq: holds = value == node->threshold; break;
      case TreeMode::neq: holds = value != node->threshold; break;
      case TreeMode::member: {
        const std::vector<T>& set = sets[node->members];
        holds = !std::isnan(value) && std::binary_search(set.begin(), set.end(), value);
        break;
      }
      case TreeMode::leaf: break;
    }
    if (node->missing_is_true && std::isnan(value)) holds = true;
    node = all + (holds ? node->on_true : node->on_false);
  }
  return *node;
}

Result<std::vector<double>> read_numbers(const Attributes& attributes, std::string_view name) {
  std::vector<double> values;
  if (const auto* tensor = attributes.get<Tensor>(std::string(name) + "_as_tensor")) {
    if (attributes.has(name)) return invalid_argument("both {} and {}_as_tensor are given", name, name);
    if (!is_floating(tensor->dtype()))
      return invalid_argument("{}_as_tensor is {}, floats are wanted", name, sdx::name(tensor->dtype()));
    values.reserve(static_cast<size_t>(tensor->count()));
    for (int64_t i = 0; i < tensor->count(); ++i) values.push_back(load_double(*tensor, i));
    return values;
  }
  const auto floats = attributes.get_floats(name);
  values.assign(floats.begin(), floats.end());
  return values;
}

namespace {

Result<TreeMode> mode_of(std::string_view name) {
  constexpr std::pair<std::string_view, TreeMode> kModes[] = {
      {"BRANCH_LEQ", TreeMode::leq}, {"BRANCH_LT", TreeMode::lt}, {"BRANCH_GTE", TreeMode::gte},
      {"BRANCH_GT", TreeMode::gt},   {"BRANCH_EQ", TreeMode::eq}, {"BRANCH_NEQ", TreeMode::neq},
      {"LEAF", TreeMode::leaf}};
  for (const auto& [text, mode] : kModes)
    if (text == name) return mode;
  return invalid_argument("nodes_modes has \"{}\"", name);
}

// Positions of nodes by tree and id.
class NodeIndex {
 public:
  static Result<NodeIndex> create(std::span<const int64_t> trees, std::span<const int64_t> ids) {
    NodeIndex index;
    index.entries_.reserve(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) index.entries_.emplace_back(trees[i], ids[i], static_cast<int64_t>(i));
    if (!std::ranges::is_sorted(index.entries_)) std::ranges::sort(index.entries_);
    const auto same = [](const Entry& a, const Entry& b) { return key(a) == key(b); };
    if (const auto twice = std::ranges::adjacent_find(index.entries_, same); twice != index.entries_.end())
      return invalid_argument("tree {} has two nodes {}", std::get<0>(*twice), std::get<1>(*twice));
    return index;
  }
  // Quick where one asks for many nodes of a tree whose ids have no gaps.
  Result<int64_t> find(int64_t tree, int64_t id) {
    if (first_ == entries_.size() || std::get<0>(entries_[first_]) != tree)
      first_ = static_cast<size_t>(
          std::ranges::lower_bound(entries_, tree, {}, [](const Entry& e) { return std::get<0>(e); }) -
          entries_.begin());
    if (first_ < entries_.size()) {
      const uint64_t ahead = static_cast<uint64_t>(id) - static_cast<uint64_t>(std::get<1>(entries_[first_]));
      if (ahead < entries_.size() - first_ && key(entries_[first_ + ahead]) == std::pair(tree, id))
        return std::get<2>(entries_[first_ + ahead]);
    }
    const auto at = std::ranges::lower_bound(entries_, std::pair(tree, id), {}, key);
    if (at == entries_.end() || key(*at) != std::pair(tree, id))
      return invalid_argument("tree {} has no node {}", tree, id);
    return std::get<2>(*at);
  }

 private:
  using Entry = std::tuple<int64_t, int64_t, int64_t>;  // tree, id, position
  static std::pair<int64_t, int64_t> key(const Entry& entry) { return {std::get<0>(entry), std::get<1>(entry)}; }
  std::vector<Entry> entries_;  // sorted
  size_t first_ = 0;            // node of the tree that was asked for
};

// The roots of the trees, in the order in which these come: node 0, else the first.
std::vector<int64_t> roots_of(std::span<const int64_t> trees, std::span<const int64_t> ids) {
  std::vector<int64_t> roots;
  std::map<int64_t, size_t> place;  // of a tree among the roots
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto [at, fresh] = place.try_emplace(trees[i], roots.size());
    if (fresh) roots.push_back(static_cast<int64_t>(i));
    if (ids[i] == 0) roots[at->second] = static_cast<int64_t>(i);
  }
  return roots;
}

}  // namespace

Result<TreeSource> read_trees(const Attributes& attributes, std::string_view votes, int64_t targets) {
  const auto trees = attributes.get_ints("nodes_treeids"), ids = attributes.get_ints("nodes_nodeids");
  const auto features = attributes.get_ints("nodes_featureids");
  const auto on_true = attributes.get_ints("nodes_truenodeids"), on_false = attributes.get_ints("nodes_falsenodeids");
  const auto missing = attributes.get_ints("nodes_missing_value_tracks_true");
  const auto* modes = attributes.get<std::vector<std::string>>("nodes_modes");
  SDX_ASSIGN(const std::vector<double> thresholds, read_numbers(attributes, "nodes_values"));
  const size_t count = ids.size();
  for (const auto& [size, what] :
       {std::pair(trees.size(), "nodes_treeids"), std::pair(features.size(), "nodes_featureids"),
        std::pair(on_true.size(), "nodes_truenodeids"), std::pair(on_false.size(), "nodes_falsenodeids"),
        std::pair(modes == nullptr ? 0 : modes->size(), "nodes_modes"), std::pair(thresholds.size(), "nodes_values"),
        std::pair(missing.empty() ? count : missing.size(), "nodes_missing_value_tracks_true")})
    if (size != count) return invalid_argument("{} has {} entries, nodes_nodeids has {}", what, size, count);

  TreeSource source;
  source.targets = targets;
  source.nodes.resize(count);
  SDX_ASSIGN(NodeIndex index, NodeIndex::create(trees, ids));
  source.roots = roots_of(trees, ids);
  for (size_t i = 0; i < count; ++i) {
    TreeSource::Branch& node = source.nodes[i];
    SDX_ASSIGN(node.mode, mode_of((*modes)[i]));
    if (node.mode == TreeMode::leaf) continue;
    node.threshold = thresholds[i];
    node.feature = features[i];
    node.missing_is_true = !missing.empty() && missing[i] != 0;
    SDX_ASSIGN(node.on_true, index.find(trees[i], on_true[i]));
    SDX_ASSIGN(node.on_false, index.find(trees[i], on_false[i]));
  }
  const std::string prefix(votes);
  const auto vote_trees = attributes.get_ints(prefix + "_treeids"),
             vote_nodes = attributes.get_ints(prefix + "_nodeids");
  const auto vote_targets = attributes.get_ints(prefix + "_ids");
  SDX_ASSIGN(const std::vector<double> weights, read_numbers(attributes, prefix + "_weights"));
  if (vote_nodes.size() != vote_trees.size() || vote_targets.size() != vote_trees.size() ||
      weights.size() != vote_trees.size())
    return invalid_argument("{0}_treeids, {0}_nodeids, {0}_ids and {0}_weights have {1}, {2}, {3} and {4} entries",
                            votes, vote_trees.size(), vote_nodes.size(), vote_targets.size(), weights.size());
  // Counted, then placed: the votes of a leaf stand together, in their order.
  const auto leaf_of = [&](size_t vote) -> Result<TreeSource::Branch*> {
    SDX_ASSIGN(const int64_t at, index.find(vote_trees[vote], vote_nodes[vote]));
    TreeSource::Branch& node = source.nodes[static_cast<size_t>(at)];
    return node.mode == TreeMode::leaf ? &node : nullptr;
  };
  for (size_t i = 0; i < vote_trees.size(); ++i) {
    SDX_ASSIGN(TreeSource::Branch * leaf, leaf_of(i));
    if (leaf != nullptr) ++leaf->on_false;
  }
  int64_t placed = 0;
  for (TreeSource::Branch& node : source.nodes) {
    if (node.mode != TreeMode::leaf) continue;
    node.on_true = placed;
    placed += std::exchange(node.on_false, placed);
  }
  source.votes.resize(static_cast<size_t>(placed));
  for (size_t i = 0; i < vote_trees.size(); ++i) {
    SDX_ASSIGN(TreeSource::Branch * leaf, leaf_of(i));
    if (leaf != nullptr) source.votes[static_cast<size_t>(leaf->on_false++)] = {vote_targets[i], weights[i]};
  }
  return source;
}

template struct Forest<float>;
template struct Forest<double>;

}  // namespace sdx::ops
