// Value: what flows along an edge: a tensor, or a sequence, map, optional or sparse tensor made of them.
// Values are immutable once made and cheap to copy.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "base/tensor.h"

namespace sdx {

enum class ValueKind : uint8_t { none, tensor, sequence, map, optional, sparse };

// The type of a value without shapes: kind; `dtype` of a tensor's elements or a map's keys; what is inside.
struct ValueType {
  ValueKind kind = ValueKind::none;
  DType dtype = DType::undefined;
  std::vector<ValueType> inner;  // sequence, optional: one; map: the values' type
  friend bool operator==(const ValueType&, const ValueType&) = default;
};
ValueType tensor_type(DType type);
ValueType sequence_type(ValueType element);
ValueType optional_type(ValueType element);
std::string to_text(const ValueType& type);  // the standard's spelling: "seq(tensor(float))"

class Value;
struct Sequence;
struct Map;
struct OptionalValue;
struct SparseTensor;

class Value {
 public:
  Value() = default;
  Value(Tensor tensor) : content_(std::move(tensor)) {}
  Value(Sequence sequence);
  Value(Map map);
  Value(OptionalValue optional);
  Value(SparseTensor sparse);

  ValueKind kind() const { return static_cast<ValueKind>(content_.index()); }
  bool defined() const { return kind() != ValueKind::none; }
  bool is_tensor() const { return kind() == ValueKind::tensor; }
  const Tensor& tensor() const;  // InternalError when it is something else
  Tensor& tensor();
  const Sequence& sequence() const;
  const Map& map() const;
  const OptionalValue& optional() const;
  const SparseTensor& sparse() const;
  ValueType type() const;

 private:
  std::variant<std::monostate, Tensor, std::shared_ptr<const Sequence>, std::shared_ptr<const Map>,
               std::shared_ptr<const OptionalValue>, std::shared_ptr<const SparseTensor>>
      content_;
};

struct Sequence {
  ValueType element_type;
  std::vector<Value> elements;
};

// keys: rank 1, int64 or string (the standard allows every integer type). values: a rank-1 tensor, or a sequence.
struct Map {
  Tensor keys;
  Value values;
};

struct OptionalValue {
  ValueType element_type;
  Value element;  // kind none: empty
};

// Coordinate form: values [n]; indices [n] (linear) or [n, rank]; made dense only by who asks.
struct SparseTensor {
  Shape dense_shape;
  Tensor values;
  Tensor indices;
};
Result<Tensor> make_dense(const SparseTensor& sparse);

}  // namespace sdx
