#include "ops/logic/compare.h"

namespace sdx::ops {

Verdict takes_native(const NodeFacts& facts) {
  bool arithmetic = false;
  visit_native(facts.dtype(0), [&](auto sample) { arithmetic = std::is_arithmetic_v<decltype(sample)>; });
  return arithmetic ? yes() : no(formatted("not {}", name(facts.dtype(0))));
}

Truth less_than(const InferContext& ctx, const Dim& a, const Dim& b) { return ctx.symbols().less(a, b); }

Truth not_above(const InferContext& ctx, const Dim& a, const Dim& b) {
  switch (ctx.symbols().less(b, a)) {
    case Truth::yes: return Truth::no;
    case Truth::no: return Truth::yes;
    default: return Truth::unknown;
  }
}

Result<Facts> infer_compare(InferContext& ctx, Truth (*rule)(const InferContext&, const Dim& a, const Dim& b)) {
  return infer_elements(ctx, DType::boolean,
                        [&](std::span<const Dim> pair) { return truth_element(ctx, rule(ctx, pair[0], pair[1])); });
}

}  // namespace sdx::ops
