// Weights of 16-bit floats, read as float32 block by block.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "base/tensor.h"
#include "ops/half.h"

namespace sdx::passes {

inline bool is_half(const Tensor& w) { return w.dtype() == DType::f16 || w.dtype() == DType::bf16; }

// Calls f(index of the first element, block) for the elements in order; a block lies within a row of `inner`. Any
// alignment.
template <typename F>
void for_half_blocks(const Tensor& w, int64_t inner, F f) {
  constexpr int64_t kBlock = 1024;
  uint16_t halves[kBlock];
  float block[kBlock];
  for (int64_t at = 0; at < w.count();) {
    const int64_t count = std::min(kBlock, inner - at % inner);
    std::memcpy(halves, w.bytes() + 2 * at, static_cast<size_t>(2 * count));
    ops::half_to_f32(w.dtype(), halves, block, static_cast<size_t>(count));
    f(at, std::span<float>(block, static_cast<size_t>(count)));
    at += count;
  }
}

}  // namespace sdx::passes
