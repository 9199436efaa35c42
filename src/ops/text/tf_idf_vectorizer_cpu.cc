// TfIdfVectorizer with the n-grams prepared once a session.
#include "ops/text/tf_idf_vectorizer.h"

namespace sdx::ops {

SDX_CPU_KERNELS(tf_idf_vectorizer,
                {.name = "tf_idf_vectorizer",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare = [](const NodeFacts& facts) -> Result<std::unique_ptr<KernelState>> {
                   SDX_ASSIGN(auto table, ngram_table(facts.attributes()));
                   return std::unique_ptr<KernelState>(std::move(table));
                 },
                 .run = [](KernelContext& ctx) { return run_tf_idf(ctx, ctx.state<NgramTable>()); }});

}  // namespace sdx::ops
