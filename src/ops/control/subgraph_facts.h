// What is known about values that pass through subgraphs: facts of several branches or iterations, merged.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// What holds for both: equal dimensions stay, others become unknown; ranks that differ give none. Fails where the types
// contradict. An optional of X and an X merge to an optional of X.
Result<Fact> join_facts(const InferContext& ctx, const Fact& a, const Fact& b, std::string_view what);

// Facts that leave a body: symbols made while it was inferred, and elements, mean something in one iteration only.
// `known_symbols` is the size of the symbol table before.
Fact outside_of_body(const InferContext& ctx, Fact fact, size_t known_symbols);

// Facts of an element taken from a sequence: unnamed dimensions may differ from element to element.
Fact element_of(const InferContext& ctx, const Fact& sequence);

// The body's facts at the fixed point of its loop-carried values.
struct LoopFacts {
  std::vector<Fact> carried;  // after any number of iterations, none among them
  std::vector<Fact> rest;     // other outputs of the body, those before the carried ones first
};
// Inputs of the body are `leading`, the carried values, `trailing`; its outputs are `outputs_before` values, the
// carried ones, and the rest.
Result<LoopFacts> infer_loop(const InferContext& ctx, std::vector<Fact> leading, std::vector<Fact> carried,
                             const std::vector<Fact>& trailing, size_t outputs_before);

// The subgraph attribute, with the number of inputs and outputs checked (nullopt: any).
Result<const Graph*> subgraph(const Attributes& attributes, std::string_view attribute, std::optional<size_t> inputs,
                              std::optional<size_t> outputs);

// What the subgraph says of its input: inferred, else declared.
const Fact& formal_fact(const Graph& graph, ValueId value);

}  // namespace sdx::ops
