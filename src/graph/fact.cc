#include "graph/fact.h"

#include "base/element.h"

namespace sdx {

SymShape to_symbolic(std::span<const int64_t> shape) { return SymShape(shape.begin(), shape.end()); }

Fact Fact::constant_of(Tensor value) {
  Fact fact = tensor(value.dtype(), to_symbolic(value.shape()));
  if (is_integer(value.dtype()) && value.rank() <= 1 && static_cast<size_t>(value.count()) <= kMaxTrackedElements) {
    fact.elements.emplace();
    for (int64_t i = 0; i < value.count(); ++i) fact.elements->push_back(Dim(load_i64(value, i)));
  }
  fact.constant = std::move(value);
  return fact;
}

Fact Fact::sequence(Fact element) {
  Fact fact;
  fact.kind = ValueKind::sequence;
  fact.inner.push_back(std::move(element));
  return fact;
}

Fact Fact::optional(Fact element) {
  Fact fact = sequence(std::move(element));
  fact.kind = ValueKind::optional;
  return fact;
}

namespace {

Fact of_type(const ValueType& type) {
  Fact fact;
  fact.kind = type.kind;
  fact.dtype = type.dtype;
  for (const auto& inner : type.inner) fact.inner.push_back(of_type(inner));
  return fact;
}

}  // namespace

Fact Fact::of(const Value& value) {
  if (value.is_tensor()) return tensor(value.tensor().dtype(), to_symbolic(value.tensor().shape()));
  return of_type(value.type());
}

std::optional<Shape> Fact::known_shape() const {
  if (!shape) return std::nullopt;
  Shape known;
  for (const Dim& dim : *shape) {
    if (!dim.is_known()) return std::nullopt;
    known.push_back(dim.known());
  }
  return known;
}

ValueType type_of(const Fact& fact) {
  ValueType type{fact.kind, fact.dtype, {}};
  for (const auto& inner : fact.inner) type.inner.push_back(type_of(inner));
  return type;
}

std::string to_text(const Fact& fact, const SymbolTable& symbols) {
  const auto inner = [&] { return fact.inner.empty() ? std::string("?") : to_text(fact.inner[0], symbols); };
  switch (fact.kind) {
    case ValueKind::none: return "?";
    case ValueKind::sequence: return "seq(" + inner() + ")";
    case ValueKind::optional: return "opt(" + inner() + ")";
    case ValueKind::map: return formatted("map({}, {})", name(fact.dtype), inner());
    case ValueKind::sparse:
    case ValueKind::tensor: break;
  }
  std::string text = fact.kind == ValueKind::sparse ? "sparse " : "";
  text += fact.dtype == DType::undefined ? "?" : name(fact.dtype);
  if (!fact.shape) return text + "[...]";
  return text + "[" + join(*fact.shape, ", ", [&](const Dim& dim) { return symbols.to_text(dim); }) + "]";
}

bool same_type_and_shape(const Fact& a, const Fact& b) {
  if (a.kind != b.kind || a.dtype != b.dtype || a.shape != b.shape || a.inner.size() != b.inner.size()) return false;
  for (size_t i = 0; i < a.inner.size(); ++i)
    if (!same_type_and_shape(a.inner[i], b.inner[i])) return false;
  return true;
}

}  // namespace sdx
