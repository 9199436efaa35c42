// Tokenizer with its expressions compiled once a session, or none where tokens are runs of a class of bytes.
#include "ops/text/tokenizer.h"

namespace sdx::ops {
namespace {

struct PreparedTokenizer : KernelState {
  TokenizerForm form;
};

}  // namespace

SDX_CPU_KERNELS(tokenizer,
                {.name = "tokenizer",
                 .can_run = [](const NodeFacts&) { return yes(); },
                 .prepare = [](const NodeFacts& facts) -> Result<std::unique_ptr<KernelState>> {
                   auto prepared = std::make_unique<PreparedTokenizer>();
                   SDX_ASSIGN(prepared->form, tokenizer_form(facts.attributes(), TokenizerForm::Runs::found));
                   return std::unique_ptr<KernelState>(std::move(prepared));
                 },
                 .run = [](KernelContext& ctx) { return run_tokenizer(ctx, ctx.state<PreparedTokenizer>().form); }});

}  // namespace sdx::ops
