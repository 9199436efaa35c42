// The passes in their order, and the driver that runs them.
#pragma once

#include <set>

#include "passes/pass.h"

namespace sdx::passes {

std::span<const Pass* const> shipped_passes();  // in the order in which they run
// The same; a test may link its own instead, which has wrong ones among them.
std::span<const Pass* const> all_passes();

using PassNames = std::set<std::string, std::less<>>;
PassNames pass_names(std::string_view list, char separator);  // names that no pass has do no harm

struct PipelineOptions {
  Level from = Level::basic;  // the first level to run
  Level to = Level::layout;   // the last one
  PassNames disabled;
  uint64_t last_rewrite = UINT64_MAX;  // no more than so many
  bool keeps_declines = false;         // in the journal, for explanations
  bool rounds_products = false;        // to bfloat16: see round_products.cc
  bool widens_halves = false;          // widen_halves will see every convolution: none is saved, or another provider's
  bool verifies = false;               // the graph after each pass that changed it
};

struct PassCount {
  std::string_view pass;
  size_t rewrites = 0;
  int64_t ns = 0;
};

struct PipelineReport {
  Journal journal;
  std::vector<PassCount> counts;  // of the passes that ran, in order
};

// Adds to a failure "[after rewrite 7 of pass fuse_gelu: Gelu of erf_1, mul_2]", if there was one.
Status with_last_rewrite(Status status, const PipelineReport& report);

// Runs the passes of a level until none of them rewrites anything, then those of the next, over the graph and its
// subgraphs.
Status optimize(Graph& graph, const PipelineOptions& options, PipelineReport& report);

}  // namespace sdx::passes
