// What passes over quantized models ask: which codes stand behind a float32 value, which codes it becomes.
#pragma once

#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {

// Codes with a scale and a zero point, for the tensor or along an axis.
struct Codes {
  NodeId node = kNoNode;  // the DequantizeLinear or QuantizeLinear
  ValueId codes = kNoValue, scale = kNoValue, zero = kNoValue;
  DType type = DType::undefined;
  int64_t axis = 1;
  bool for_tensor = false;  // one scale, known before a run
};

bool is_byte(DType type);

// Integers of 8 or 32 bits that a DequantizeLinear makes the float32 value of.
std::optional<Codes> codes_behind(const Graph& graph, ValueId floats);
// Bytes that a QuantizeLinear makes of the float32 value, by one scale; `codes` is its output. The quantization is the
// only one that sees the value.
std::optional<Codes> codes_after(const Graph& graph, ValueId floats);

// Provably the same numbers.
bool same_weight(const Graph& graph, ValueId a, ValueId b);
// The same type, scale and zero point.
bool same_codes(const Graph& graph, const Codes& a, const Codes& b);

// The zero point, or a new one of that type.
ValueId zero_of(Rewrite& rewrite, const Codes& codes);

// Along `axis` of a tensor of that rank, or for the tensor.
bool is_along(const Codes& codes, int64_t axis, int64_t rank);

// Takes the DequantizeLinear too, where nobody else needs what it makes.
void take_if_alone(Rewrite& rewrite, const Graph& graph, const Codes& codes);

}  // namespace sdx::passes
