// Arity and types of operators outside the standard, whose schemas are not among the generated facts.
#pragma once

#include "ops/infer.h"

namespace sdx::ops {

inline constexpr DTypeSet kBytes = set_of(DType::u8, DType::i8);
inline constexpr DTypeSet kShortFloats = set_of(DType::f32, DType::f16, DType::bf16);

struct InputRule {
  size_t input;
  DTypeSet types;
  enum class Need : uint8_t { required, optional } need = Need::required;
};
inline constexpr InputRule::Need kOptional = InputRule::Need::optional;

// Every required input is there, every known type allowed, and no input lies beyond the last rule's.
Status check_inputs(const InferContext& ctx, std::span<const InputRule> rules);

}  // namespace sdx::ops
