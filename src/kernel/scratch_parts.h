// A kernel's scratch memory, part by part: ScratchSize adds up in `scratch_bytes` what ScratchParts hands out in `run`.
#pragma once

#include <algorithm>

#include "kernel/scratch_slots.h"

namespace sdx {

class ScratchSize {
 public:
  explicit ScratchSize(const ScratchFacts& facts) : facts_(facts) {}

  SymbolTable& symbols() const { return facts_.symbols; }
  const NodeFacts& node() const { return facts_.node; }

  // Dimensions of inputs and outputs; where the rank is not known, a fresh one.
  Dim input(size_t i, int axis) const { return dim(node().has_input(i) ? &node().input(i) : nullptr, axis); }
  Dim output(size_t i, int axis) const { return dim(i < facts_.outputs.size() ? facts_.outputs[i] : nullptr, axis); }
  // Elements; 0 of an input that is omitted.
  Dim input_count(size_t i) const { return node().has_input(i) ? count(&node().input(i)) : Dim(0); }
  Dim output_count(size_t i) const { return count(i < facts_.outputs.size() ? facts_.outputs[i] : nullptr); }
  Dim product(std::initializer_list<Dim> factors) const {
    Dim all(1);
    for (const Dim& factor : factors) all = symbols().mul(all, factor);
    return all;
  }

  // One part of `elements` elements of so many bytes.
  ScratchSize& part(const Dim& elements, size_t element_bytes) {
    bytes_ = symbols().add(bytes_, rounded(symbols().mul(elements, Dim(static_cast<int64_t>(element_bytes)))));
    return *this;
  }
  // The last part: a slot of so many bytes for each thread.
  ScratchSize& slots(const Dim& slot_bytes) {
    const Dim one = slot_bytes.is_known() ? Dim(std::max(kAlignment, rounded(slot_bytes).known()))
                                          : symbols().add(slot_bytes, kAlignment);
    bytes_ = symbols().add(bytes_, symbols().mul(Dim(facts_.threads), one));
    return *this;
  }
  const Dim& bytes() const { return bytes_; }

 private:
  static constexpr auto kAlignment = static_cast<int64_t>(kTensorAlignment);

  Dim rounded(const Dim& bytes) const {
    if (bytes.is_known() && bytes.known() >= 0) return symbols().mul(symbols().ceil_div(bytes, kAlignment), kAlignment);
    return symbols().add(bytes, kAlignment - 1);
  }
  Dim dim(const Fact* fact, int axis) const {
    if (fact == nullptr || !fact->has_rank()) return symbols().fresh();
    const int at = axis < 0 ? axis + fact->rank() : axis;
    return at >= 0 && at < fact->rank() ? fact->dim(at) : symbols().fresh();
  }
  Dim count(const Fact* fact) const {
    if (fact == nullptr || !fact->has_rank()) return symbols().fresh();
    Dim all(1);
    for (const Dim& one : *fact->shape) all = symbols().mul(all, one);
    return all;
  }

  const ScratchFacts& facts_;
  Dim bytes_;
};

class ScratchParts {
 public:
  explicit ScratchParts(const KernelContext& ctx) : rest_(ctx.scratch()) {}
  explicit ScratchParts(std::span<std::byte> memory) : rest_(memory) {}

  static constexpr size_t rounded(size_t bytes) {
    return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  }
  template <typename T>
  std::span<T> take(int64_t count) {
    const size_t bytes = rounded(static_cast<size_t>(count) * sizeof(T));
    SDX_CHECK(bytes <= rest_.size(), "a kernel asks for more scratch memory than it announced");
    const std::span<T> part(reinterpret_cast<T*>(rest_.data()), static_cast<size_t>(count));
    rest_ = rest_.subspan(bytes);
    return part;
  }
  // A tensor in a part: nothing but this run may hold it.
  Tensor take_tensor(DType type, const Shape& shape) {
    return Tensor::wrap(type, shape, take<std::byte>(tensor_bytes(type, shape)).data(), nullptr);
  }
  ScratchSlots slots(size_t slot_bytes) const {
    return ScratchSlots(rest_, std::max(kTensorAlignment, rounded(slot_bytes)));
  }
  std::span<std::byte> rest() const { return rest_; }

 private:
  static int64_t tensor_bytes(DType type, const Shape& shape) { return (count_of(shape) * bit_width(type) + 7) / 8; }

  std::span<std::byte> rest_;
};

}  // namespace sdx
