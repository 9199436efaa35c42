// RotateHalf: what passes make of rotary embedding spelled out: y = x * cos + turned * sin, turned = (-x2, x1) of the
// two halves of the last axis, or of neighbours where attribute interleaved is 1. cos and sin are broadcast to x; where
// attribute by_position is 1, to x with its second and third axes exchanged.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct RotateHalf {
  int64_t sizes[3] = {};  // rows of x
  int64_t size = 0;       // of a row
  int64_t cos_strides[3] = {}, sin_strides[3] = {};
  bool interleaved = false;

  static RotateHalf of(const KernelContext& ctx);
  int64_t rows() const { return sizes[0] * sizes[1] * sizes[2]; }
  // Where the table's row is for a row of x.
  int64_t table_row(const int64_t (&strides)[3], int64_t row) const {
    const int64_t last = row % sizes[2], rest = row / sizes[2];
    return rest / sizes[1] * strides[0] + rest % sizes[1] * strides[1] + last * strides[2];
  }
};

}  // namespace sdx::ops
