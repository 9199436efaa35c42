// What references are made of: elementwise maps over any type, broadcasting, and copying of runs of elements.
#pragma once

#include "base/element.h"
#include "kernel/kernel.h"

namespace sdx::ops {

// y[i] = f(x[i]): floating types through double; integers through `g` (null: through double and back), wrapped to the
// type.
Status reference_unary(KernelContext& ctx, double (*f)(double), int64_t (*g)(int64_t) = nullptr);

// y[i] = f(x[i]) in double, for an f that holds an operator's attributes.
template <typename F>
Status reference_map(KernelContext& ctx, F f) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  for (int64_t i = 0; i < x.count(); ++i) store_double(y, i, f(load_double(x, i)));
  return {};
}

// y = f(a, b) with broadcasting. Signed integers and booleans through `g`, unsigned through `h`.
struct BinaryFunctions {
  double (*f)(double, double) = nullptr;
  int64_t (*g)(int64_t, int64_t) = nullptr;
  uint64_t (*h)(uint64_t, uint64_t) = nullptr;
};
Status reference_binary(KernelContext& ctx, const BinaryFunctions& functions);
Tensor reference_binary(const Tensor& a, const Tensor& b, Tensor out, const BinaryFunctions& functions);

// Walks a broadcast shape in row-major order, keeping the linear index into each operand.
class BroadcastWalker {
 public:
  using Dims = std::span<const int64_t>;
  BroadcastWalker(Dims out_shape, std::span<const Dims> operand_shapes);
  BroadcastWalker(Dims out_shape, std::initializer_list<Dims> operand_shapes)
      : BroadcastWalker(out_shape, std::span(operand_shapes.begin(), operand_shapes.size())) {}
  int64_t operand(size_t i) const { return offsets_[i]; }
  void next();

 private:
  Shape shape_;
  Shape position_;
  std::vector<Shape> strides_;  // one an operand; 0 along dimensions it repeats
  std::vector<int64_t> offsets_;
};

// Writes output `index` of the context from runs of elements of other tensors, in the order of the output. Any element
// type.
class ElementWriter {
 public:
  // Uses the tensor that the executor allocated where there is one of this shape.
  static Result<ElementWriter> create(KernelContext& ctx, size_t index, std::span<const int64_t> shape);

  void append(const Tensor& source, int64_t first, int64_t count = 1);
  void repeat(const Tensor& source, int64_t at, int64_t count);  // one element, `count` times
  Status finish();                                               // all elements must have been written

 private:
  ElementWriter(KernelContext& ctx, size_t index) : ctx_(ctx), index_(index) {}
  void append_packed(const Tensor& source, int64_t first, int64_t count);

  KernelContext& ctx_;
  size_t index_;
  Shape shape_;
  int64_t total_ = 0;
  int64_t written_ = 0;
  int bits_ = 0;  // 0: strings
  std::byte* data_ = nullptr;
  StringTensorBuilder strings_;
};

// One element of 0, false or the empty string.
Result<Tensor> zero_element(DType type);

// Elements of an integer input as int64, for shapes, axes, indices.
Shape read_ints(const Tensor& tensor);

}  // namespace sdx::ops
