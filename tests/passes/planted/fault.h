// Rewrites that are wrong on purpose, as engines got them wrong: each is right for most graphs and forgets one
// condition. Linked into sardonyx_planted only, where SARDONYX_PLANTED names those that run.
#pragma once

#include "graph/graph.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes::planted {

extern constinit const Pass div_mul, div_mul_of_removed, halved, cast_to_bool, max_without_nan, max_of_bools,
    row_zero_points;
extern constinit const Pass range_to_slice, transposes_around_pad, transposes_around_add, transposed_gemm,
    reshape_by_reshape, average_of_pads, quantize_above_transpose;
extern constinit const Pass norm_without_axes, norm_of_any_power, norm_that_expands;
extern constinit const Pass causal_from_the_end, masked_rows, negated_capture, loop_runs_once, hoisted_division,
    activation_of_itself;
extern constinit const Pass turned_batches, einsum_in_order, codes_without_zero, rounded_bias, absorbed_fill;
extern constinit const Pass pushed_axis, rotated_halves, hard_swish_of_two, shuffled_groups, shape_before_transpose;

constexpr Pass fault(std::string_view name, std::string_view sentence, Status (*run)(PassContext&)) {
  return {name, Level::basic, Exactness::bits, sentence, run};
}

// f(NodeId) for each node of the operator.
template <typename F>
Status for_each_node(PassContext& ctx, std::string_view op, F f) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (ctx.graph().node(id).alive && is_op(ctx.graph().node(id), op)) f(id);
  return {};
}

// What Rewrite::apply would refuse: a node that makes `output` from now on, whatever its type and shape become.
void force(PassContext& ctx, std::string_view what, std::vector<NodeId> taken, const NewNode& made, ValueId output);

}  // namespace sdx::passes::planted
