// The text form of a graph: for reading, for pass tests, for dumps. What is printed without elision parses back to an
// equal graph.
//
//   graph "main" {
//     input x: f32[batch, 3]
//     init w: f32[2] = {1, 2}
//     y: f32[batch, 3], _ = Clip(x, w, _) {axis = 1, mode = "linear"} #"node name"
//     z: f32[2] = com.microsoft.Gelu(w)
//     output y
//   }
//
// An omitted input or output is _. Names that are not plain words are quoted. A subgraph's captures are `capture outer
// as inner: fact`.
#pragma once

#include <string>
#include <string_view>

#include "graph/graph.h"

namespace sdx {

struct TextOptions {
  int64_t max_elements = INT64_MAX;  // constants with more are printed as "..." and cannot be parsed
};

std::string to_text(const Graph& graph, const TextOptions& options = {});
Result<Graph> parse_graph(std::string_view text);

}  // namespace sdx
