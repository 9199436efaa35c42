// If: runs one of two subgraphs; its outputs are the node's. The branches may differ in shapes and ranks.
#include "base/element.h"
#include "ops/control/subgraph_facts.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_if(InferContext& ctx) {
  const size_t outputs = ctx.output_count();
  for (const char* branch : {"then_branch", "else_branch"}) {
    SDX_ASSIGN(const Graph* graph, subgraph(ctx.attributes(), branch, 0, std::nullopt));
    if (graph->outputs().size() < outputs)
      return ctx.fail("{} has {} outputs, {} are wanted", branch, graph->outputs().size(), outputs);
  }
  const size_t known_symbols = ctx.symbols().size();
  const auto take = [&](std::string_view branch) -> Result<Facts> {
    SDX_ASSIGN(std::vector<Fact> facts, ctx.infer_subgraph(branch, {}));
    if (facts.size() < outputs) return ctx.fail("{} gives {} outputs, {} are wanted", branch, facts.size(), outputs);
    facts.resize(outputs);
    return Facts(std::move(facts));
  };
  if (const auto condition = ctx.known_elements(0); condition && condition->size() == 1)
    return take((*condition)[0] != 0 ? "then_branch" : "else_branch");
  SDX_ASSIGN(const Facts then_facts, take("then_branch"));
  SDX_ASSIGN(const Facts else_facts, take("else_branch"));
  Facts joined;
  for (size_t i = 0; i < outputs; ++i) {
    const std::string what = formatted("output {}", i);
    SDX_ASSIGN(Fact fact, join_facts(ctx, then_facts.list[i], else_facts.list[i], what));
    fact = outside_of_body(ctx, std::move(fact), known_symbols);
    joined.list.push_back(std::move(fact));
  }
  return joined;
}

Status if_reference(KernelContext& ctx) {
  const Tensor& condition = ctx.input(0);
  if (condition.count() != 1)
    return invalid_argument("the condition has shape {}, one element is wanted", to_text(condition.shape()));
  const std::string_view branch = load_i64(condition, 0) != 0 ? "then_branch" : "else_branch";
  SDX_ASSIGN(std::vector<Value> results, ctx.subgraphs().run(branch, {}));
  SDX_CHECK(results.size() >= ctx.output_count(), "a branch gave too few outputs");
  for (size_t i = 0; i < ctx.output_count(); ++i)
    if (ctx.wants_output(i)) ctx.set_output(i, std::move(results[i]));
  return {};
}

}  // namespace

SDX_OP(if) = {
    .name = "If",
    .since = 25,
    .infer = infer_if,
    .reference = if_reference,
};

}  // namespace sdx::ops
