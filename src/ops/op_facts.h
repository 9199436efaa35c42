// What the ONNX standard says about each operator version (generated from operator_facts.tsv), and which contract
// stands behind each operator. Everything here is constant data; domain "ai.onnx" is written "" in the tables and equal
// in look-ups.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "graph/attribute.h"

namespace sdx::ops {

struct Contract;
struct KernelList;

inline constexpr int kUnbounded = std::numeric_limits<int>::max();

enum class FormalOption : uint8_t { single, optional, variadic };

// Sets of element types: bit 1 << TensorProto.DataType.
struct TypeConstraint {
  std::string_view name;  // "T", or the type itself ("f32") where the schema gives a formal a concrete type
  uint64_t tensor_types;
  uint64_t sequence_types;
  uint64_t optional_types;
  uint64_t optional_sequence_types;
  bool maps;  // also takes maps, or sequences of maps
};

struct Formal {
  std::string_view name;
  std::string_view type;  // name of its constraint
  FormalOption option;
  bool homogeneous;    // of a variadic one: all of one type
  int min_arity;       // of a variadic one
  int16_t constraint;  // index into OpFacts::constraints
};

struct AttributeFacts {
  std::string_view name;
  AttributeKind kind;
  bool required;
  bool has_default;
  std::string_view default_value;  // as text; lists are separated by commas
};

struct OpFacts {
  std::string_view domain;
  std::string_view name;
  int since;
  bool deprecated;
  bool newest;
  bool has_function;  // the standard defines it as a formula over other operators
  int min_inputs;
  int max_inputs;  // kUnbounded for a variadic last input
  int min_outputs;
  int max_outputs;
  std::span<const Formal> inputs;
  std::span<const Formal> outputs;
  std::span<const TypeConstraint> constraints;
  std::span<const AttributeFacts> attributes;  // sorted by name
};

struct OpEntry {
  std::string_view domain;
  std::string_view name;
  const Contract* contract;
  const KernelList* cpu_kernels;  // null: only the reference or an expansion runs it on the CPU
};

// The version in force at an opset: the largest since <= opset. Null where the standard has none.
const OpFacts* find_facts(std::string_view domain, std::string_view name, int opset);
const OpEntry* find_op(std::string_view domain, std::string_view name);

const AttributeFacts* find_attribute(const OpFacts& facts, std::string_view name);

std::span<const OpFacts> all_facts();  // sorted by domain, name, since
std::span<const OpEntry> all_ops();    // sorted by domain, name

}  // namespace sdx::ops
