#include "graph/attribute.h"

#include <algorithm>

#include "graph/graph.h"

namespace sdx {

GraphBox::GraphBox(std::unique_ptr<Graph> graph) : graph_(std::move(graph)) {}
GraphBox::GraphBox(const GraphBox& other) : graph_(std::make_unique<Graph>(*other.graph_)) {}
GraphBox::GraphBox(GraphBox&&) noexcept = default;
GraphBox& GraphBox::operator=(GraphBox other) noexcept {
  std::swap(graph_, other.graph_);
  return *this;
}
GraphBox::~GraphBox() = default;

const Attribute* Attributes::find(std::string_view name) const {
  for (const Attribute& attribute : list_)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

int64_t Attributes::get_int(std::string_view name, int64_t otherwise) const {
  const auto* value = get<int64_t>(name);
  return value ? *value : otherwise;
}
float Attributes::get_float(std::string_view name, float otherwise) const {
  const auto* value = get<float>(name);
  return value ? *value : otherwise;
}
std::string_view Attributes::get_string(std::string_view name, std::string_view otherwise) const {
  const auto* value = get<std::string>(name);
  return value ? std::string_view(*value) : otherwise;
}
std::span<const int64_t> Attributes::get_ints(std::string_view name) const {
  const auto* value = get<std::vector<int64_t>>(name);
  return value ? std::span<const int64_t>(*value) : std::span<const int64_t>();
}
std::span<const float> Attributes::get_floats(std::string_view name) const {
  const auto* value = get<std::vector<float>>(name);
  return value ? std::span<const float>(*value) : std::span<const float>();
}

void Attributes::set(std::string_view name, Attribute::Content content) {
  for (Attribute& attribute : list_) {
    if (attribute.name == name) {
      attribute.content = std::move(content);
      return;
    }
  }
  list_.push_back({std::string(name), std::move(content)});
}

void Attributes::remove(std::string_view name) {
  std::erase_if(list_, [&](const Attribute& attribute) { return attribute.name == name; });
}

}  // namespace sdx
