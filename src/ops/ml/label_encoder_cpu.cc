// LabelEncoder with its table prepared once a session.
#include "ops/ml/label_encoder.h"

namespace sdx::ops {

SDX_CPU_KERNELS(label_encoder,
                {.name = "label_encoder",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare = [](const NodeFacts& facts) -> Result<std::unique_ptr<KernelState>> {
                   SDX_ASSIGN(auto table, label_table(facts.attributes()));
                   return std::unique_ptr<KernelState>(std::move(table));
                 },
                 .run = [](KernelContext& ctx) { return run_label_encoder(ctx, ctx.state<LabelTable>()); }});

}  // namespace sdx::ops
