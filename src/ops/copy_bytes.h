// The bytes of a whole tensor, in pieces between which a run can stop.
#pragma once

#include <cstring>

#include "kernel/kernel.h"

namespace sdx::ops {

// `to` is of the same size. Nothing happens where both are the same memory.
inline Status copy_bytes(KernelContext& ctx, const Tensor& from, Tensor& to) {
  constexpr int64_t kPiece = int64_t{1} << 20;
  if (from.raw() == to.raw()) return {};
  return parallel_ranges(ctx, static_cast<int64_t>(from.byte_size()), kPiece, [&](int64_t begin, int64_t end) {
    std::memcpy(to.bytes() + begin, from.bytes() + begin, static_cast<size_t>(end - begin));
  });
}

}  // namespace sdx::ops
