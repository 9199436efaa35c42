// Weights in files, for `prepare`: read part by part through a buffer that stays next to the processor. The faults of a
// mapping, or a copy of the whole, cost more than packing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/block_vector.h"
#include "base/function_ref.h"
#include "base/tensor.h"

namespace sdx {

// In Kernel::packs_inputs, beside the input's own bit: `prepare` reads it through WeightParts only. Of the first eight.
constexpr uint32_t in_parts(int input) { return uint32_t{1} << (24 + input); }
constexpr bool is_in_parts(uint32_t packs_inputs, size_t input) {
  return input < 8 && (packs_inputs >> (24 + input) & 1) != 0;
}

class WeightParts {
 public:
  static constexpr size_t kPart = 384 << 10;  // bytes to ask for at once: less than the second cache

  // Until it ends, `read` copies elements that this thread asks for of `weights`; these may lie unaligned, or stand for
  // what is made as it is read.
  using Read = FunctionRef<void(const Tensor& weight, int64_t first, int64_t count, std::byte* to)>;
  class Scope {
   public:
    Scope(std::span<const Tensor> weights, Read read);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class WeightParts;
    const Tensor* find(const void* data) const;

    std::span<const Tensor> weights_;
    Read read_;
    Scope* before_;
  };

  static bool has(const void* data);  // it lies in a weight of this thread's scope
  static Result<Tensor> copy(const Tensor& weight);

  // Those elements, aligned: where they are, or a copy that lasts until others are asked for.
  const float* floats(const float* from, int64_t count) { return elements(from, count); }
  const uint16_t* halves(const uint16_t* from, int64_t count) { return elements(from, count); }

 private:
  template <typename T>
  const T* elements(const T* from, int64_t count);

  BlockVector<std::byte> copy_;
  const void* copied_ = nullptr;
  int64_t count_ = 0;
};

}  // namespace sdx
