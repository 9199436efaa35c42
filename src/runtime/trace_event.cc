#include "runtime/trace_event.h"

#include <algorithm>

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

bool TensorList::continues(size_t& at, const Value& value, bool constant) const {
  if (value.kind() == ValueKind::optional) return continues(at, value.optional().element, constant);
  if (!value.is_tensor()) return true;
  const Tensor& tensor = value.tensor();
  const Shape& shape = tensor.shape();
  if (at + 3 + shape.size() > words_.size()) return false;
  const int64_t* words = words_.data() + at;
  at += 3 + shape.size();  // the bytes follow from type and shape
  return words[0] == (static_cast<int64_t>(tensor.dtype()) << 1 | static_cast<int64_t>(constant)) &&
         words[2] == static_cast<int64_t>(shape.size()) && std::equal(shape.begin(), shape.end(), words + 3);
}

const char* name(SessionEvent event) {
  switch (event) {
    case SessionEvent::load_from_path: return "model_loading_uri";
    case SessionEvent::load_from_bytes: return "model_loading_array";
    case SessionEvent::initialize: return "session_initialization";
    case SessionEvent::run: return "model_run";
    case SessionEvent::execute: return "SequentialExecutor::Execute";
  }
  return "";
}

}  // namespace sdx::runtime
