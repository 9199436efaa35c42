// What passes make of a graph that is given as text.
#pragma once

#include <gtest/gtest.h>

#include "graph/text.h"
#include "ops/graph_inference.h"
#include "passes/pipeline.h"

namespace sdx::passes {

struct Outcome {
  std::string text;  // "Add Mul" : the operators left, in order
  size_t rewrites = 0;
  std::string declined;
  std::string graph;  // all of it
};

inline Outcome after(std::string_view passes, std::string_view text, uint64_t last = UINT64_MAX) {
  auto parsed = parse_graph(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  if (!parsed.ok()) return {};
  Graph graph = std::move(parsed).value();
  ops::InferenceBudget budget;
  const Status inferred = ops::infer_graph(graph, budget);
  EXPECT_TRUE(inferred.ok()) << inferred.message();
  PipelineOptions options;
  options.verifies = true;
  options.last_rewrite = last;
  options.keeps_declines = true;
  const PassNames wanted = pass_names(passes, ' ');
  options.rounds_products = wanted.contains("round_products");
  for (const Pass* pass : all_passes())
    if (!wanted.contains(pass->name)) options.disabled.emplace(pass->name);
  PipelineReport report;
  const Status status = optimize(graph, options, report);
  EXPECT_TRUE(status.ok()) << status.message();
  Outcome outcome;
  outcome.rewrites = report.journal.rewrites.size();
  const auto order = graph.topological_order();
  for (const NodeId id : order.value()) outcome.text += (outcome.text.empty() ? "" : " ") + graph.node(id).op;
  for (const Declined& declined : report.journal.declines) outcome.declined += declined.reason + "\n";
  outcome.graph = to_text(graph);
  return outcome;
}

inline std::string ops_after(std::string_view passes, std::string_view text) { return after(passes, text).text; }

}  // namespace sdx::passes
