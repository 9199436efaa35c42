#include "abi/value.h"

namespace sdx::abi {

StringDraft::StringDraft(const Tensor& tensor) : shape_(tensor.shape()) {
  elements_.reserve(static_cast<size_t>(tensor.count()));
  for (int64_t i = 0; i < tensor.count(); ++i) elements_.emplace_back(tensor.string_at(i));
}

std::vector<std::string>& StringDraft::edit() {
  const std::lock_guard lock(mutex_);
  changed_ = true;
  return elements_;
}

Result<Tensor> StringDraft::tensor() {
  const std::lock_guard lock(mutex_);
  if (!changed_) return packed_;
  StringTensorBuilder builder;
  for (const std::string& element : elements_) builder.append(element);
  SDX_ASSIGN(packed_, builder.finish(shape_));
  changed_ = false;
  return packed_;
}

}  // namespace sdx::abi

using namespace sdx;

Result<std::unique_ptr<OrtValue>> OrtValue::of_strings(std::span<const int64_t> shape) {
  StringTensorBuilder builder;
  for (int64_t i = count_of(shape); i > 0; --i) builder.append({});
  SDX_ASSIGN(Tensor tensor, builder.finish(shape));
  return std::make_unique<OrtValue>(Value(std::move(tensor)));
}

Result<Value> OrtValue::value() const {
  if (draft_ == nullptr) [[likely]]
    return content_;
  SDX_ASSIGN(Tensor tensor, draft_->tensor());
  return Value(std::move(tensor));
}

void OrtValue::set(Value value) {
  content_ = std::move(value);
  draft_ = nullptr;
  sparse_ = nullptr;
}

Result<std::shared_ptr<const abi::SparseForm>> OrtValue::sparse() const {
  if (sparse_ != nullptr) return sparse_;
  if (kind() != ValueKind::sparse)
    return invalid_argument("the value is {}, a sparse tensor is wanted", to_text(content_.type()));
  const SparseTensor& tensor = content_.sparse();
  return std::make_shared<const abi::SparseForm>(
      abi::SparseForm{ORT_SPARSE_COO, tensor.dense_shape, tensor.values, tensor.indices, {}});
}

void OrtValue::set_sparse(abi::SparseForm form) {
  SparseTensor content{form.dense_shape, form.values, form.indices};
  if (form.format == ORT_SPARSE_CSRC && form.outer.count() > 0) {  // to places in the flattened tensor
    std::vector<int64_t> places;
    const auto columns = form.indices.values<int64_t>(), rows = form.outer.values<int64_t>();
    for (size_t row = 0; row + 1 < rows.size(); ++row)
      for (int64_t i = rows[row]; i < rows[row + 1]; ++i)
        places.push_back(static_cast<int64_t>(row) * form.dense_shape[1] + columns[static_cast<size_t>(i)]);
    content.indices = vector_i64(places);
  }
  content_ = Value(std::move(content));
  draft_ = nullptr;
  sparse_ = std::make_shared<const abi::SparseForm>(std::move(form));
}

bool OrtValue::is_string_tensor() const { return content_.is_tensor() && content_.tensor().dtype() == DType::string; }

Result<abi::StringDraft*> OrtValue::edit_strings() {
  if (!is_string_tensor())
    return invalid_argument("the value is {}, a string tensor is wanted", to_text(content_.type()));
  if (draft_ == nullptr) draft_ = std::make_shared<abi::StringDraft>(content_.tensor());
  return draft_.get();
}

void OrtValue::set_memory(const OrtMemoryInfo& info) {
  memory_ = info == abi::cpu_memory() ? nullptr : std::make_shared<const OrtMemoryInfo>(info);
}
