#include "inspect_values.h"

#include <functional>

namespace sdx::api {
namespace {

void write_shape(const std::optional<SymShape>& shape, const SymbolTable& symbols, Unnamed unnamed, JsonText& json) {
  json.key("shape");
  if (!shape) {
    json.null();
    return;
  }
  json.begin_array();
  for (const Dim& dim : *shape) {
    const auto atom = dim.as_atom();
    if (dim.is_known()) {
      json.value(dim.known());
    } else if (unnamed == Unnamed::as_null && atom && symbols.atom(*atom).anonymous) {
      json.null();
    } else {
      json.value(symbols.to_text(dim));
    }
  }
  json.end_array();
}

std::string_view kind_name(ValueKind kind) {
  constexpr std::string_view kNames[] = {"unknown", "tensor", "sequence", "map", "optional", "sparse_tensor"};
  return kNames[static_cast<size_t>(kind)];
}

bool is_anonymous(const SymbolTable& symbols, const Dim& dim) {
  const auto atom = dim.as_atom();
  return atom && symbols.atom(*atom).anonymous;
}

// Something is declared that was not inferred. A symbol of the declaration's own says nothing.
bool says_more(const Graph& graph, const ValueInfo& value,
               const std::map<std::string, std::vector<std::string>>& bound) {
  if (!value.declared) return false;
  const Fact &found = value.fact, &said = *value.declared;
  if (type_of(found) != type_of(said)) return true;
  if (!said.shape) return false;
  if (!found.shape || found.rank() != said.rank()) return true;
  for (int axis = 0; axis < said.rank(); ++axis) {
    const Dim& dim = said.dim(axis);
    if (dim == found.dim(axis) || is_anonymous(graph.symbols(), dim)) continue;
    if (dim.is_known() || bound.contains(graph.symbols().to_text(dim))) return true;
  }
  return false;
}

using GraphAction = std::function<void(const Graph& graph, const std::string& place)>;

void for_each_graph(const Graph& graph, const std::string& place, const GraphAction& action) {
  action(graph, place);
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    const Node& node = graph.node(id);
    if (!node.alive) continue;
    for_each_subgraph(node, [&](const Graph& inner, const std::string& attribute) {
      for_each_graph(inner, formatted("{}{}/{}", place.empty() ? "" : place + "/", node.label(), attribute), action);
    });
  }
}

void write_all_values(const Graph& graph, const std::string& place, JsonText& json) {
  for (ValueId id = 0; id < graph.value_slots(); ++id) {
    const ValueInfo& value = graph.value(id);
    if (value.producer == kNoNode && !value.is_input) continue;  // weights, captures, holes
    json.begin_object();
    if (!place.empty()) json.member("graph", place);
    write_value_members(value, graph.symbols(), Unnamed::by_number, json);
    json.end_object();
  }
}

// Where the symbols of the inputs stand.
std::map<std::string, std::vector<std::string>> places_of_symbols(const Graph& graph) {
  std::map<std::string, std::vector<std::string>> places;
  for (const ValueId id : graph.inputs()) {
    const Fact& fact = graph.fact(id);
    if (!fact.shape) continue;
    for (int axis = 0; axis < fact.rank(); ++axis)
      if (!fact.dim(axis).is_known() && !is_anonymous(graph.symbols(), fact.dim(axis)))
        places[graph.symbols().to_text(fact.dim(axis))].push_back(
            formatted("axis {} of {}", axis, graph.value(id).name));
  }
  return places;
}

}  // namespace

void write_value_members(const ValueInfo& value, const SymbolTable& symbols, Unnamed unnamed, JsonText& json) {
  json.member("name", value.name).member("type", to_text(type_of(value.fact)));
  json.member("kind", kind_name(value.fact.kind));
  write_shape(value.fact.shape, symbols, unnamed, json);
}

void write_shapes(const Graph& graph, JsonText& json) {
  json.key("values").begin_array();
  for_each_graph(graph, "", [&](const Graph& one, const std::string& place) { write_all_values(one, place, json); });
  json.end_array().key("assumptions").begin_array();
  const auto places = places_of_symbols(graph);
  for (const auto& [symbol, where] : places) {
    if (where.size() < 2) continue;
    json.begin_object().member("kind", "symbol").member("symbol", symbol).key("places").begin_array();
    for (const std::string& place : where) json.value(place);
    json.end_array().end_object();
  }
  for_each_graph(graph, "", [&](const Graph& one, const std::string&) {
    for (ValueId id = 0; id < one.value_slots(); ++id) {
      const ValueInfo& value = one.value(id);
      if (!says_more(one, value, places)) continue;
      json.begin_object().member("kind", "declared").member("value", value.name);
      json.member("declared", to_text(*value.declared, one.symbols()));
      json.member("inferred", to_text(value.fact, one.symbols())).end_object();
    }
  });
  for_each_graph(graph, "", [&](const Graph& one, const std::string&) {
    for (NodeId id = 0; id < one.node_slots(); ++id) {
      const Node& node = one.node(id);
      if (!node.alive) continue;
      for (const Constraint& constraint : node.constraints)
        json.begin_object()
            .member("kind", "condition")
            .member("node", node.label())
            .member("condition", one.symbols().to_text(constraint))
            .end_object();
    }
  });
  json.end_array();
}

}  // namespace sdx::api
