// Fact: what is known about a value: its type, its symbolic shape and, for small integer tensors and constants, its
// elements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "graph/dim.h"

namespace sdx {

struct Fact {
  ValueKind kind = ValueKind::none;  // none: nothing is known
  DType dtype = DType::undefined;    // of a tensor's elements, or of a map's keys
  std::optional<SymShape> shape;     // of a tensor; nullopt: not even the rank
  std::vector<Fact> inner;           // sequence, optional: the element; map: the values
  Tensor constant;                   // defined: the value never changes
  // Elements of an integer tensor of rank 0 or 1 that carries shapes; kept beside `shape`, absent where not known.
  std::optional<std::vector<Dim>> elements;

  static Fact tensor(DType type) {
    return {.kind = ValueKind::tensor, .dtype = type, .shape = {}, .inner = {}, .constant = {}, .elements = {}};
  }
  static Fact tensor(DType type, SymShape shape) {
    Fact fact = tensor(type);
    fact.shape = std::move(shape);
    return fact;
  }
  static Fact constant_of(Tensor value);
  static Fact of(const Value& value);
  static Fact sequence(Fact element);
  static Fact optional(Fact element);

  bool is_tensor() const { return kind == ValueKind::tensor; }
  bool has_rank() const { return shape.has_value(); }
  int rank() const { return static_cast<int>(shape->size()); }
  const Dim& dim(int axis) const { return (*shape)[static_cast<size_t>(axis)]; }
  bool is_constant() const { return constant.defined(); }
  std::optional<Shape> known_shape() const;  // all dimensions are integers
};

ValueType type_of(const Fact& fact);
SymShape to_symbolic(std::span<const int64_t> shape);
// "f32[batch,3]", "f32[...]" for an unknown rank, "seq(f32[2])", "?" for nothing known.
std::string to_text(const Fact& fact, const SymbolTable& symbols);
bool same_type_and_shape(const Fact& a, const Fact& b);

inline constexpr size_t kMaxTrackedElements = 256;  // of shape-carrying tensors

}  // namespace sdx
