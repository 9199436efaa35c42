#include "runtime/detach.h"

namespace sdx::runtime {

Value lent(const Value& value) {
  if (!value.is_tensor()) return value;
  const Tensor& tensor = value.tensor();
  return Tensor::wrap(tensor.dtype(), tensor.shape(), const_cast<void*>(tensor.raw()), nullptr, tensor.memory());
}

Result<Value> detached(const Value& value, TakenMemory& taken) {
  if (value.is_tensor()) {
    const Tensor& tensor = value.tensor();
    if (tensor.owner() != nullptr && (tensor.byte_size() == 0 || taken.insert(tensor.raw()))) return value;
    SDX_ASSIGN(Tensor copy, clone(tensor));
    return Value(std::move(copy));
  }
  if (value.kind() == ValueKind::sequence) {
    Sequence sequence{value.sequence().element_type, {}};
    for (const Value& element : value.sequence().elements) {
      SDX_ASSIGN(Value copy, detached(element, taken));
      sequence.elements.push_back(std::move(copy));
    }
    return Value(std::move(sequence));
  }
  if (value.kind() == ValueKind::optional && value.optional().element.defined()) {
    SDX_ASSIGN(Value element, detached(value.optional().element, taken));
    return Value(OptionalValue{value.optional().element_type, std::move(element)});
  }
  if (value.kind() == ValueKind::map) {
    SDX_ASSIGN(Value keys, detached(value.map().keys, taken));
    SDX_ASSIGN(Value values, detached(value.map().values, taken));
    return Value(Map{keys.tensor(), std::move(values)});
  }
  return value;
}

}  // namespace sdx::runtime
