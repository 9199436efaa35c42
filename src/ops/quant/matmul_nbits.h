// Sizes of MatMulNBits' packed weights.
#pragma once

#include "graph/attribute.h"
#include "kernel/kernel.h"

namespace sdx::ops {

struct NBits {
  int64_t k = 0, n = 0, bits = 4, block = 32;
  int64_t blocks() const { return k / block + (k % block != 0); }  // of a row
  int64_t block_bytes() const { return block * bits / 8; }
  int64_t zero_bytes() const { return (blocks() * bits + 7) / 8; }  // packed zero points of a row
};
Result<NBits> nbits_of(const Attributes& attributes);

inline DType dtype_of_input(const NodeFacts& facts, size_t i) { return facts.dtype(i); }
inline DType dtype_of_input(const KernelContext& ctx, size_t i) { return ctx.input(i).dtype(); }

// Whether each block of a's rows goes through int8 first.
template <typename Node>  // NodeFacts or KernelContext
bool rounds_rows(const Node& node) {
  const Attributes& attributes = node.attributes();
  if (attributes.get_int("accuracy_level", 0) != 4 || node.has_input(4)) return false;
  if (node.has_input(3) && dtype_of_input(node, 3) != DType::u8) return false;
  return attributes.get_int("bits", 4) != 2 || attributes.get_int("block_size", 0) != 16;
}
// codes[i] = round(a[i] / scale), ties to even, for scale = largest magnitude / 127, which is returned.
float round_block(const float* a, int64_t count, float* codes);

}  // namespace sdx::ops
