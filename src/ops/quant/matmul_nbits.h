// Sizes of MatMulNBits' packed weights.
#pragma once

#include "graph/attribute.h"

namespace sdx::ops {

struct NBits {
  int64_t k = 0, n = 0, bits = 4, block = 32;
  int64_t blocks() const { return k / block + (k % block != 0); }  // of a row
  int64_t block_bytes() const { return block * bits / 8; }
  int64_t zero_bytes() const { return (blocks() * bits + 7) / 8; }  // packed zero points of a row
};
Result<NBits> nbits_of(const Attributes& attributes);

}  // namespace sdx::ops
