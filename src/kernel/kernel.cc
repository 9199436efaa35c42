#include "kernel/kernel.h"

namespace sdx {

const Value& KernelContext::input_value(size_t i) const {
  SDX_CHECK(has_input(i), "a kernel reads an input that is not there");
  return *inputs_[i];
}

const Shape& KernelContext::output_shape(size_t i) const {
  SDX_CHECK(specs_[i].shape_known, "a kernel relies on an output shape that is not known");
  return specs_[i].shape;
}

Result<Tensor*> KernelContext::allocate_output(size_t i, std::span<const int64_t> shape) {
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(specs_[i].dtype, shape, environment_.allocator));
  outputs_[i] = std::move(tensor);
  return &outputs_[i].tensor();
}

SubgraphRunner& KernelContext::subgraphs() const {
  SDX_CHECK(subgraphs_ != nullptr, "a kernel runs a subgraph where there is none");
  return *subgraphs_;
}

}  // namespace sdx
