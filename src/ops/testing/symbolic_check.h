// What Contract::records_constraints promises, tried out: a node is inferred once with symbols in place of numbers, and
// for many numbers its recorded constraints and output expressions are compared with what infer says of those numbers.
#pragma once

#include <optional>
#include <string>

#include "ops/invoke.h"

namespace sdx::ops::testing {

// Whether the case itself is one that infer takes.
enum class CaseIs : uint8_t { valid, rejected };

// The first complaint; nullopt: the promise holds. `expected` are the outputs of a valid case, where known: followed
// elements are compared with them.
std::optional<std::string> find_broken_promise(const Contract& contract, const Node& node,
                                               std::span<const Value* const> inputs, CaseIs what,
                                               std::span<const Value> expected = {});

}  // namespace sdx::ops::testing
