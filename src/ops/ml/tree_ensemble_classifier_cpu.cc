// TreeEnsembleClassifier with its trees prepared once a session.
#include "ops/ml/tree.h"
#include "ops/ml/tree_ops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(tree_ensemble_classifier,
                {.name = "tree_ensemble_classifier",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare =
                     [](const NodeFacts& facts) { return prepare_tree_classifier(facts.attributes(), facts.dtype(0)); },
                 .run = [](KernelContext& ctx) { return run_tree_classifier(ctx, ctx.state<KernelState>()); },
                 .packed_bytes = forest_bytes});

}  // namespace sdx::ops
