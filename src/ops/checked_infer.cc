#include "ops/checked_infer.h"

#include <new>
#include <stdexcept>

namespace sdx::ops {
namespace {

Status check_value_inputs(const Contract& contract, const InferContext& ctx) {
  for (size_t i = 0; i < ctx.input_count() && i < 32; ++i)
    if ((contract.needs_values >> i & 1) != 0 && ctx.has_rank(i) && ctx.rank(i) > 1)
      return ctx.fail("input {} has rank {}, 0 or 1 is wanted", i, ctx.rank(i));
  return {};
}

Status check_shape(const InferContext& ctx, size_t output, const Fact& fact) {
  if (!fact.shape) return {};
  for (const Dim& dim : *fact.shape) {
    if (dim.is_known() && dim.known() < 0)
      return ctx.fail("output {} would have a dimension of {} elements", output, dim.known());
    if (!ctx.symbols().is_non_negative(dim)) ctx.assume({Constraint::Kind::at_least, dim, Dim(0)});
  }
  const auto shape = fact.known_shape();
  if (shape && !checked_count(*shape))
    return ctx.fail("output {} would have shape {}, which is more than can be addressed", output, to_text(*shape));
  return {};
}

}  // namespace

Result<Facts> checked_infer(const Contract& contract, InferContext& ctx) {
  SDX_TRY(check_value_inputs(contract, ctx));
  try {
    SDX_ASSIGN(Facts facts, contract.infer(ctx));
    for (size_t i = facts.list.size(); i < ctx.output_count(); ++i)
      if (ctx.wants_output(i)) return ctx.fail("output {} is asked for, the operator gives {}", i, facts.list.size());
    for (size_t i = 0; i < facts.list.size(); ++i) SDX_TRY(check_shape(ctx, i, facts.list[i]));
    return facts;
  } catch (const std::bad_alloc&) {
    return Status(Code::runtime_exception, "out of memory while shapes are inferred");
  } catch (const std::length_error&) {
    return Status(Code::runtime_exception, "out of memory while shapes are inferred");
  }
}

}  // namespace sdx::ops
