// Attributes of a node: a name and a value of one of the standard's kinds.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/fact.h"

namespace sdx {

class Graph;

// A subgraph held by value: copying an attribute copies the subgraph.
class GraphBox {
 public:
  explicit GraphBox(std::unique_ptr<Graph> graph);
  GraphBox(const GraphBox& other);
  GraphBox(GraphBox&&) noexcept;
  GraphBox& operator=(GraphBox other) noexcept;
  ~GraphBox();
  Graph& operator*() const { return *graph_; }
  Graph* operator->() const { return graph_.get(); }

 private:
  std::unique_ptr<Graph> graph_;
};

// Numbers of AttributeProto.AttributeType.
enum class AttributeKind : uint8_t {
  undefined = 0,
  f = 1,
  i = 2,
  s = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  ints = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
  sparse_tensor = 11,
  sparse_tensors = 12,
  type = 13,
  types = 14,
};

struct Attribute {
  using Content = std::variant<float, int64_t, std::string, Tensor, GraphBox, std::vector<float>, std::vector<int64_t>,
                               std::vector<std::string>, std::vector<Tensor>, std::vector<GraphBox>, SparseTensor,
                               std::vector<SparseTensor>, Fact, std::vector<Fact>>;
  std::string name;
  Content content;

  AttributeKind kind() const { return static_cast<AttributeKind>(content.index() + 1); }
};

class Attributes {
 public:
  const Attribute* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // Of the kind asked for, or null when the attribute is absent or of another kind.
  template <typename T>
  const T* get(std::string_view name) const {
    const Attribute* attribute = find(name);
    return attribute == nullptr ? nullptr : std::get_if<T>(&attribute->content);
  }
  int64_t get_int(std::string_view name, int64_t otherwise) const;
  float get_float(std::string_view name, float otherwise) const;
  std::string_view get_string(std::string_view name, std::string_view otherwise) const;
  std::span<const int64_t> get_ints(std::string_view name) const;  // empty when absent
  std::span<const float> get_floats(std::string_view name) const;

  void set(std::string_view name, Attribute::Content content);
  void remove(std::string_view name);
  std::vector<Attribute>& list() { return list_; }
  const std::vector<Attribute>& list() const { return list_; }

 private:
  std::vector<Attribute> list_;
};

}  // namespace sdx
