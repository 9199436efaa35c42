// Types and attributes out of their messages.
#pragma once

#include "graph/graph.h"
#include "onnx/model_file.h"

namespace sdx::onnx {

// A named dimension becomes the symbol of that name, an unnamed unknown one a fresh symbol. An absent type: a fact that
// knows nothing. Negative dimensions count as unknown, as exporters write them.
Result<Fact> fact_from_type(const TypeProto* type, SymbolTable& symbols);

// Of what a sequence or an optional holds: nobody checks its sizes, so what is declared of them is nothing to rely on.
void forget_shapes(Fact& fact);

// "ai.onnx" and "" are one domain.
std::string canonical_domain(std::string_view domain);

// All kinds but subgraphs. Before IR version 2 attributes had no type: it is then the field that is set.
AttributeKind type_of(const AttributeProto& attribute);
Result<Attribute> attribute_from_proto(const AttributeProto& attribute, const Model& model, SymbolTable& symbols);

}  // namespace sdx::onnx
