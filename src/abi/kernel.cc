#include "abi/kernel.h"

namespace sdx::abi {

Result<OrtValue*> output_of(OrtKernelContext& context, size_t index, std::span<const int64_t> dims) {
  if (index >= context.outputs.size())
    return invalid_argument("output {} is asked for, the node has {}", index, context.outputs.size());
  OrtKernelContext::Output& output = context.outputs[index];
  if (!output.wanted) return static_cast<OrtValue*>(nullptr);
  if (output.value != nullptr) return output.value.get();
  for (const int64_t dim : dims)
    if (dim < 0) return invalid_argument("output {} is to have a dimension of {}", index, dim);
  if (output.dtype == DType::string) {
    SDX_ASSIGN(output.value, OrtValue::of_strings(dims));
    return output.value.get();
  }
  if (output.dtype == DType::undefined) return invalid_argument("the type of output {} is not known", index);
  Allocator* const allocator = context.environment == nullptr ? nullptr : context.environment->allocator;
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(output.dtype, dims, allocator));
  output.value = std::make_unique<OrtValue>(Value(std::move(tensor)));
  return output.value.get();
}

}  // namespace sdx::abi
