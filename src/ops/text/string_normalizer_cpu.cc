// StringNormalizer with its stop words prepared once a session.
#include "ops/text/string_normalizer.h"

namespace sdx::ops {

SDX_CPU_KERNELS(string_normalizer,
                {.name = "string_normalizer",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare = [](const NodeFacts& facts) -> Result<std::unique_ptr<KernelState>> {
                   SDX_ASSIGN(StringRules rules, string_rules(facts.attributes()));
                   return std::unique_ptr<KernelState>(std::make_unique<StringRules>(std::move(rules)));
                 },
                 .run = [](KernelContext& ctx) { return run_string_normalizer(ctx, ctx.state<StringRules>()); }});

}  // namespace sdx::ops
