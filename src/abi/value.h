// OrtValue: a value of the engine's, and what the ABI adds: strings that are still being written, and a memory info.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abi/memory.h"
#include "base/fork.h"
#include "base/value.h"
#include "onnxruntime_c_api.h"

namespace sdx::abi {

// A string tensor whose elements are replaced one by one. Readers see them packed into one tensor, made when asked for.
class StringDraft {
 public:
  explicit StringDraft(const Tensor& tensor);
  std::vector<std::string>& edit();  // the caller may keep writing into the elements until the next reading
  Result<Tensor> tensor();

 private:
  ForkMutex mutex_;  // several runs may read one value at once
  Shape shape_;
  std::vector<std::string> elements_;
  Tensor packed_;
  bool changed_ = true;
};

// A sparse tensor as the ABI has it: one of three formats, filled once. Engine values have the first one only.
struct SparseForm {
  OrtSparseFormat format = ORT_SPARSE_UNDEFINED;
  Shape dense_shape;
  Tensor values;          // of COO and CSR rank 1; of blocks [blocks, rows, columns, ...]
  Tensor indices, outer;  // COO: [n] or [n, 2]; CSR: columns [n], and where rows begin; blocks: int32 [2, blocks]
};

}  // namespace sdx::abi

struct OrtValue {
  OrtValue() = default;
  explicit OrtValue(sdx::Value content) : content_(std::move(content)) {}
  // Empty texts of a shape that was checked.
  static sdx::Result<std::unique_ptr<OrtValue>> of_strings(std::span<const int64_t> shape);

  sdx::Result<sdx::Value> value() const;
  // The same without a check, for what cannot hold a draft.
  const sdx::Value& content() const { return content_; }
  sdx::Value& content() { return content_; }
  void set(sdx::Value value);

  bool is_string_tensor() const;
  sdx::Result<sdx::abi::StringDraft*> edit_strings();

  // Of sparse tensors: the form, made of the content where nobody has set one.
  sdx::Result<std::shared_ptr<const sdx::abi::SparseForm>> sparse() const;
  void set_sparse(sdx::abi::SparseForm form);

  sdx::ValueKind kind() const { return content_.kind(); }
  sdx::DType dtype() const { return content_.tensor().dtype(); }         // of tensors
  const sdx::Shape& shape() const { return content_.tensor().shape(); }  // of tensors

  const OrtMemoryInfo& memory() const { return memory_ ? *memory_ : sdx::abi::cpu_memory(); }
  void set_memory(const OrtMemoryInfo& info);

 private:
  sdx::Value content_;  // with a draft: a string tensor of the right shape, elements not up to date
  std::shared_ptr<sdx::abi::StringDraft> draft_;
  std::shared_ptr<const sdx::abi::SparseForm> sparse_;
  std::shared_ptr<const OrtMemoryInfo> memory_;  // null: cpu_memory()
};
