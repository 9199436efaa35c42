// Where the blocks of BlockedAffine's x lie.
#pragma once

#include "ops/layout/blocked.h"

namespace sdx::ops {

// The part of x that has the block, and its number there.
struct AffinePart {
  const Tensor& x;
  int64_t block;

  AffinePart(const KernelContext& ctx, int64_t of_all) : AffinePart(ctx, of_all, 0) {}

 private:
  AffinePart(const KernelContext& ctx, int64_t of_all, size_t input) : x(find(ctx, of_all, input)), block(of_all) {}
  static const Tensor& find(const KernelContext& ctx, int64_t& block, size_t input) {
    while (block >= ctx.input(input).dim(1)) {
      block -= ctx.input(input).dim(1);
      input = input == 0 ? 3 : input + 1;
    }
    return ctx.input(input);
  }
};

}  // namespace sdx::ops
