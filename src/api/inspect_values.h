// The part of an inspection that is about shapes: every value's symbolic shape, and what a run's numbers are taken to
// be.
#pragma once

#include "graph/graph.h"
#include "json_text.h"

namespace sdx::api {

// How a dimension without a name is written: null, or "?7", where the same number means the same size.
enum class Unnamed : uint8_t { as_null, by_number };

// Members "name", "type", "kind" and "shape" of an open object.
void write_value_members(const ValueInfo& value, const SymbolTable& symbols, Unnamed unnamed, JsonText& json);

// Members "values" (of all graphs; an inner one is named by its node and attribute) and "assumptions":
//   {"kind": "declared", "value", "declared", "inferred"}   the model says something else than what was inferred
//   {"kind": "symbol", "symbol", "places"}                  several dimensions of inputs are taken to have one size
//   {"kind": "condition", "node", "condition"}              what a shape rule could not decide
void write_shapes(const Graph& graph, JsonText& json);

}  // namespace sdx::api
