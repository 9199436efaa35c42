#include "runtime/trace_event.h"

namespace sdx::runtime {

void TensorList::add(DType dtype, std::span<const int64_t> dims, size_t bytes, bool constant) {
  words_.push_back(static_cast<int64_t>(dtype) << 1 | static_cast<int64_t>(constant));
  words_.push_back(static_cast<int64_t>(bytes));
  words_.push_back(static_cast<int64_t>(dims.size()));
  for (const int64_t dim : dims) words_.push_back(dim);
}

void TensorList::add(const Value& value, bool constant) {
  if (value.is_tensor()) {
    const Tensor& tensor = value.tensor();
    add(tensor.dtype(), tensor.shape(), tensor.byte_size(), constant);
  } else if (value.kind() == ValueKind::optional) {
    add(value.optional().element, constant);
  }
}

}  // namespace sdx::runtime
