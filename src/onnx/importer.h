// Importer: a model's messages become a canonical Graph: operators in their newest form, model-local functions inlined,
// types and symbolic shapes inferred. Operators without a contract stay as opaque nodes.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "graph/graph.h"
#include "onnx/first_form.h"
#include "onnx/model_file.h"

namespace sdx::onnx {

inline constexpr int kNewestOpset = 28;   // of ai.onnx
inline constexpr int kNewestMlOpset = 5;  // of ai.onnx.ml
inline constexpr int kNewestIrVersion = 14;

using OpaqueInference = std::function<Status(const Node&, std::span<const Fact* const> inputs, SymbolTable& symbols,
                                             std::span<Fact> outputs)>;

struct ImportOptions {
  bool strict_shapes = false;     // a declared shape that contradicts the inferred one is an error, not a warning
  int64_t max_nodes = 2'000'000;  // after inlining
  std::map<std::string, int64_t> symbol_values;  // free dimensions fixed by the caller, by symbol name
  std::map<std::string, Tensor> weights;         // instead of the main graph's initializers of these names
  // The element type of an output of an operator that no contract is for; undefined: what the model declares.
  std::function<DType(const Node&, size_t output, std::span<const Fact* const> inputs)> type_of_output;
  // May say more of its outputs: `outputs` holds what is known of them.
  OpaqueInference infer_opaque;
};

struct Imported {
  Graph graph;
  std::map<std::string, int64_t> opsets;  // by canonical domain
  std::vector<std::string> warnings;
  std::set<std::string> contradicted;  // values whose declaration a warning speaks of
  FirstForms forms;                    // point into the Model
};

// Errors name the model's file, the node and the value.
Result<Imported> import_model(const Model& model, const ImportOptions& options = {});

}  // namespace sdx::onnx
