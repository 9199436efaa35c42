#include "ops/input_rules.h"

namespace sdx::ops {

Status check_inputs(const InferContext& ctx, std::span<const InputRule> rules) {
  size_t most = 0;
  for (const InputRule& rule : rules) {
    most = std::max(most, rule.input + 1);
    if (!ctx.has_input(rule.input)) {
      if (rule.need == InputRule::Need::optional) continue;
      return ctx.fail("input {} is missing", rule.input);
    }
    const DType type = ctx.dtype(rule.input);
    if (type != DType::undefined && !contains(rule.types, type))
      return ctx.fail("input {} has type {}, which this operator does not take", rule.input, name(type));
  }
  if (ctx.input_count() > most) return ctx.fail("there are {} inputs, at most {} are taken", ctx.input_count(), most);
  return {};
}

}  // namespace sdx::ops
