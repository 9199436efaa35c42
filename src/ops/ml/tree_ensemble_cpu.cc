// TreeEnsemble with its trees prepared once a session.
#include "ops/ml/tree.h"
#include "ops/ml/tree_ops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(tree_ensemble,
                {.name = "tree_ensemble",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare =
                     [](const NodeFacts& facts) { return prepare_tree_ensemble(facts.attributes(), facts.dtype(0)); },
                 .run = [](KernelContext& ctx) { return run_tree_ensemble(ctx, ctx.state<KernelState>()); },
                 .packed_bytes = forest_bytes});

}  // namespace sdx::ops
