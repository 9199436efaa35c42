#include "passes/pipeline.h"

#include <algorithm>
#include <chrono>

#include "graph/verify.h"
#include "passes/list.h"

namespace sdx::passes {
namespace {

constexpr int kMostRounds = 10;  // what is left after so many is left

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The graph, then the subgraphs that its nodes have by then.
Status run_over(const Pass& pass, Graph& graph, Journal& journal) {
  PassContext ctx(pass, graph, journal);
  SDX_TRY(pass.run(ctx));
  Status status;
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    if (!graph.node(id).alive) continue;
    for_each_subgraph(graph.node(id), [&](Graph& inner, const std::string&) {
      if (status.ok()) status = run_over(pass, inner, journal);
    });
  }
  return status;
}

class Driver {
 public:
  Driver(Graph& graph, const PipelineOptions& options, PipelineReport& report)
      : graph_(graph), options_(options), report_(report) {}

  // Until a whole round changes nothing. A pass that found nothing waits until another one has changed the graph.
  Status run(Level level) {
    std::vector<const Pass*> passes;
    for (const Pass* pass : all_passes())
      if (pass->level == level && !options_.disabled.contains(pass->name)) passes.push_back(pass);
    const size_t first = report_.counts.size();
    for (const Pass* pass : passes) report_.counts.push_back({.pass = pass->name});
    size_t quiet = 0;
    for (int round = 0; round < kMostRounds && quiet < passes.size(); ++round) {
      for (size_t i = 0; i < passes.size() && quiet < passes.size(); ++i) {
        SDX_ASSIGN(const bool changed, run_pass(*passes[i], report_.counts[first + i]));
        quiet = changed ? 1 : quiet + 1;
      }
    }
    return {};
  }

 private:
  Result<bool> run_pass(const Pass& pass, PassCount& count) {
    Journal& journal = report_.journal;
    const size_t before = journal.rewrites.size();
    const int64_t begin = now_ns();
    SDX_TRY(run_over(pass, graph_, journal).with_context(formatted("in pass {}", pass.name)));
    count.ns += now_ns() - begin;
    const size_t made = journal.rewrites.size() - before;
    count.rewrites += made;
    if (made > 0 && options_.verifies) SDX_TRY(verify(graph_).with_context(formatted("after pass {}", pass.name)));
    return made > 0;
  }

  Graph& graph_;
  const PipelineOptions& options_;
  PipelineReport& report_;
};

}  // namespace

// One a line, in their order.
std::span<const Pass* const> shipped_passes() {
  static constexpr const Pass* kPasses[] = {
      // clang-format off
      &gather_first,
      &fold_constants,
      &inline_branches,
      &eliminate_no_ops,
      &expand_einsum,
      &merge_chains,
      &push_transposes,
      &share_equal_nodes,
      &absorb_scales,
      &absorb_pads,
      &remove_dead_nodes,
      &fuse_nbits,
      &unturn_weights,
      &turn_products,
      &fuse_normalization,
      &fuse_group_norm,
      &fuse_gelu,
      &fuse_hard_swish,
      &fuse_activations,
      &fuse_integer_products,
      &fuse_quantized_products,
      &fuse_quantized_maps,
      &hoist_invariants,
      &channels_last,
      &keep_codes,
      &fold_dequantized,
      &widen_halves,
      &fuse_rotary,
      &fuse_attention,
      &shape_first,
      &fuse_bias,
      &fuse_epilogues,
      &round_products,
      &fuse_shuffles,
      &block_layout,
      &fold_orders,
      &fuse_blocked,
      &narrow_weights,
      &scatter_rows,
      &fuse_elementwise,
      // clang-format on
  };
  return kPasses;
}

PassNames pass_names(std::string_view list, char separator) {
  PassNames names;
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(separator));
    if (!name.empty()) names.emplace(name);
    list.remove_prefix(std::min(name.size() + 1, list.size()));
  }
  return names;
}

Status with_last_rewrite(Status status, const PipelineReport& report) {
  const std::vector<Rewritten>& rewrites = report.journal.rewrites;
  if (status.ok() || rewrites.empty()) return status;
  const Rewritten& last = rewrites.back();
  return std::move(status).with_context(
      formatted("after rewrite {} of pass {}: {} of {}", rewrites.size(), last.pass, last.what,
                join(last.origins, ", ", [](const std::string& origin) { return origin; })));
}

Status optimize(Graph& graph, const PipelineOptions& options, PipelineReport& report) {
  report.journal.last_rewrite = options.last_rewrite;
  report.journal.keeps_declines = options.keeps_declines;
  report.journal.rounds_products = options.rounds_products;
  report.journal.widens_halves = options.widens_halves;
  Driver driver(graph, options, report);
  for (const Level level : {Level::basic, Level::extended, Level::layout})
    if (level >= options.from && level <= options.to) SDX_TRY(with_last_rewrite(driver.run(level), report));
  return {};
}

}  // namespace sdx::passes
