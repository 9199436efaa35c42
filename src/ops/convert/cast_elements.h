// Conversion between element types, as Cast and CastLike do it.
//
// Floating to integer: toward zero to int64 (NaN: 0; beyond its range: its nearest end), of which the target keeps the
// low bits; the same on every machine. To boolean: not equal to 0. Floating numbers as text have the fewest digits that
// give the number back.
#pragma once

#include <string>

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {

struct CastRules {
  Overflow overflow = Overflow::saturate;  // of the 8-bit floats
  RoundMode round = RoundMode::up;         // of float8e8m0
};
Result<CastRules> cast_rules(const Attributes& attributes);

std::string number_to_text(const Tensor& tensor, int64_t index);
// Fails unless all of the text is a number (white space around it, INF and NaN in any case are allowed).
Status store_text(std::string_view text, Tensor& y, int64_t index, const CastRules& rules);

// Output 0 of the context from input 0, for any two types.
Status cast_reference(KernelContext& ctx);

// The same for native types and 16-bit floats.
Verdict can_cast(DType from, DType to);
Status run_cast(KernelContext& ctx);

// Elements of shape-carrying tensors through a conversion to `to`.
Result<Facts> infer_cast_to(InferContext& ctx, DType to);

}  // namespace sdx::ops
