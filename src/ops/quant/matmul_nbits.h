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

// With accuracy_level 4 each block of a's rows goes through int8: codes[i] = round(a[i] / scale), ties to even, for
// scale = largest magnitude / 127, which is returned.
inline bool rounds_rows(const Attributes& attributes) { return attributes.get_int("accuracy_level", 0) == 4; }
float round_block(const float* a, int64_t count, float* codes);

}  // namespace sdx::ops
