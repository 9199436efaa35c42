#include "onnx/first_form.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace sdx::onnx {
namespace {

constexpr size_t kHashedBytes = 256;  // of a tensor; a larger one is told apart by where it lies

class Hash {
 public:
  void add(uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15u;
    state_ ^= state_ >> 29;
  }
  void add(std::string_view text) {
    add(text.size());
    add_bytes(text.data(), text.size());
  }
  void add_bytes(const void* data, size_t size) {
    const auto* at = static_cast<const char*>(data);
    if (size >= 256) {  // trees have megabytes of attributes: four chains, none waits for the others
      Hash parts[4];
      for (; size >= 32; size -= 32, at += 32)
        for (size_t i = 0; i < 4; ++i) {
          uint64_t word = 0;
          std::memcpy(&word, at + 8 * i, 8);
          parts[i].add(word);
        }
      for (const Hash& part : parts) add(part.state_);
    }
    for (; size > 0; size -= std::min<size_t>(size, 8), at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, at, std::min<size_t>(size, 8));
      add(word);
      if (size < 8) return;
    }
  }
  template <typename List>
  void add_list(const List& list) {
    using T = std::decay_t<decltype(*list.begin())>;
    add(list.size());
    if constexpr (std::is_trivially_copyable_v<T>) {
      add_bytes(list.data(), list.size() * sizeof(T));
    } else {
      for (const T& element : list) add(element);
    }
  }
  void add(const Tensor& tensor) {
    add(static_cast<uint64_t>(tensor.dtype()));
    add_list(tensor.shape());
    if (tensor.byte_size() <= kHashedBytes) return add_bytes(tensor.raw(), tensor.byte_size());
    add(reinterpret_cast<uintptr_t>(tensor.raw()));
  }
  void add(const SparseTensor& sparse) {
    add_list(sparse.dense_shape);
    add(sparse.values);
    add(sparse.indices);
  }
  void add(const Fact& fact) {
    add(static_cast<uint64_t>(fact.kind) << 8 | static_cast<uint64_t>(fact.dtype));
    add_list(fact.inner);
  }
  uint64_t value() const { return state_ == 0 ? 1 : state_; }

 private:
  uint64_t state_ = 0x243f6a8885a308d3u;
};

enum class Subgraphs : uint8_t { skip, include };
void add_graph(Hash& hash, const Graph& graph);

void add_attributes(Hash& hash, const Node& node, Subgraphs subgraphs) {
  for (const Attribute& attribute : node.attributes.list()) {
    hash.add(attribute.name);
    hash.add(attribute.content.index());
    std::visit(
        [&](const auto& content) {
          using T = std::decay_t<decltype(content)>;
          if constexpr (std::is_same_v<T, GraphBox>) {
            if (subgraphs == Subgraphs::include) add_graph(hash, *content);
          } else if constexpr (std::is_same_v<T, std::vector<GraphBox>>) {
            if (subgraphs == Subgraphs::include)
              for (const GraphBox& box : content) add_graph(hash, *box);
          } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int64_t>) {
            hash.add_bytes(&content, sizeof(content));
          } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Tensor> ||
                               std::is_same_v<T, SparseTensor> || std::is_same_v<T, Fact>) {
            hash.add(content);
          } else {
            hash.add_list(content);
          }
        },
        attribute.content);
  }
}

void add_kind(Hash& hash, const Node& node, Subgraphs subgraphs) {
  hash.add(node.domain);
  hash.add(node.op);
  hash.add(node.inputs.size() << 32 | node.outputs.size());
  add_attributes(hash, node, subgraphs);
}

void add_graph(Hash& hash, const Graph& graph) {
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    const Node& node = graph.node(id);
    if (!node.alive) continue;
    hash.add(id);
    add_kind(hash, node, Subgraphs::include);
    hash.add_list(node.inputs);
    hash.add_list(node.outputs);
  }
  hash.add_list(graph.inputs());
  hash.add_list(graph.outputs());
  for (const Capture& capture : graph.captures()) hash.add(capture.inner);
  for (ValueId id = 0; id < graph.value_slots(); ++id)
    if (graph.value(id).is_initializer) hash.add(graph.value(id).fact.constant);
}

// Fingerprints the nodes of a group; at the first walk it notes which uses are inputs of the model's node, later it
// finds out which values these are now.
class GroupHash {
 public:
  GroupHash(const Graph& graph, const std::vector<NodeId>& nodes, GroupWiring& wiring)
      : graph_(graph), nodes_(nodes), wiring_(wiring), first_walk_(wiring.uses.empty()), now_(wiring.inputs) {}

  std::optional<uint64_t> walk() {
    for (size_t i = 0; i < nodes_.size(); ++i)
      for (size_t k = 0; k < graph_.node(nodes_[i]).outputs.size(); ++k)
        if (graph_.node(nodes_[i]).outputs[k] != kNoValue) made_[graph_.node(nodes_[i]).outputs[k]] = i << 32 | k;
    resolved_.assign(now_.size(), false);
    for (const NodeId id : nodes_) {
      const Node& node = graph_.node(id);
      add_kind(hash_, node, Subgraphs::include);
      for (const ValueId input : node.inputs)
        if (!add_use(input)) return std::nullopt;
      for (const ValueId capture : node.captures)
        if (!add_use(capture)) return std::nullopt;
    }
    if (!first_walk_ && next_use_ != wiring_.uses.size()) return std::nullopt;
    for (const ValueId output : wiring_.outputs) {
      if (output == kNoValue) continue;
      const auto made = made_.find(output);
      hash_.add(made == made_.end() ? ~uint64_t{0} : made->second);
    }
    return hash_.value();
  }
  std::vector<ValueId> inputs() && { return std::move(now_); }

 private:
  bool add_use(ValueId value) {
    if (first_walk_) {
      const auto found = std::ranges::find(wiring_.inputs, value);
      wiring_.uses.push_back(value == kNoValue || found == wiring_.inputs.end()
                                 ? -1
                                 : static_cast<int32_t>(found - wiring_.inputs.begin()));
    }
    if (next_use_ >= wiring_.uses.size()) return false;
    const int32_t use = wiring_.uses[next_use_++];
    if (use >= 0) {
      const auto k = static_cast<size_t>(use);
      if (value == kNoValue || (resolved_[k] && now_[k] != value)) return false;
      now_[k] = value;
      resolved_[k] = true;
      hash_.add(uint64_t{1} << 56 | k);
      return true;
    }
    if (value == kNoValue) {
      hash_.add(uint64_t{2} << 56);
    } else if (const auto made = made_.find(value); made != made_.end()) {
      hash_.add(uint64_t{3} << 56 ^ made->second);
    } else if (graph_.value(value).is_initializer && !graph_.value(value).is_input) {
      hash_.add(graph_.fact(value).constant);
    } else {
      hash_.add(uint64_t{4} << 56 | value);
    }
    return true;
  }

  const Graph& graph_;
  const std::vector<NodeId>& nodes_;
  GroupWiring& wiring_;
  bool first_walk_;
  size_t next_use_ = 0;
  std::vector<ValueId> now_;
  std::vector<bool> resolved_;
  std::unordered_map<ValueId, uint64_t> made_;
  Hash hash_;
};

bool exists(const Graph& graph, ValueId id) {
  const ValueInfo& value = graph.value(id);
  return value.producer != kNoNode || value.is_input || value.is_initializer ||
         std::ranges::find(graph.captures(), id, &Capture::inner) != graph.captures().end();
}

}  // namespace

GroupId FirstForms::add(FirstForm form) {
  groups_.push_back(std::move(form));
  return static_cast<GroupId>(groups_.size() - 1);
}

std::vector<GroupId> FirstForms::calls_around(GroupId group) const {
  std::vector<GroupId> calls;
  for (const FirstForm* form = find(group); form != nullptr && form->call != 0; form = find(form->call))
    calls.push_back(form->call);
  return calls;
}

void FirstForms::add_constant(const std::string& name, const Tensor& data, ConstantForm form) {
  constants_[{name, data.raw()}] = form;
}

const ConstantForm* FirstForms::find_constant(const ValueInfo& value) const {
  const auto found = constants_.find({value.name, value.fact.constant.raw()});
  return found == constants_.end() ? nullptr : &found->second;
}

uint64_t fingerprint(const Node& node) {
  Hash hash;
  add_kind(hash, node, Subgraphs::skip);
  for (const ValueId input : node.inputs) hash.add(input == kNoValue);
  return hash.value();
}

uint64_t fingerprint(const Graph& graph, const std::vector<NodeId>& nodes, GroupWiring& wiring) {
  if (nodes.empty()) return 0;
  return GroupHash(graph, nodes, wiring).walk().value_or(0);
}

std::optional<std::vector<ValueId>> untouched_inputs(const Graph& graph, const std::vector<NodeId>& nodes,
                                                     const FirstForm& form) {
  if (nodes.empty() || form.fingerprint == 0) return std::nullopt;
  if (form.wiring == nullptr) {
    const Node& node = graph.node(nodes[0]);
    if (nodes.size() != 1 || fingerprint(node) != form.fingerprint) return std::nullopt;
    return node.inputs;
  }
  GroupWiring wiring = *form.wiring;
  GroupHash hash(graph, nodes, wiring);
  if (hash.walk() != form.fingerprint) return std::nullopt;
  std::vector<ValueId> inputs = std::move(hash).inputs();
  for (const ValueId input : inputs)
    if (input != kNoValue && !exists(graph, input)) return std::nullopt;
  return inputs;
}

}  // namespace sdx::onnx
