// What DFT's reference and its kernel share.
#pragma once

#include "ops/op.h"
#include "ops/reduce/axis_view.h"

namespace sdx::ops {

// A run: `used` of the input's points, padded to `length`; `parts` numbers each.
struct DftRun {
  bool inverse, onesided;
  AxisView in, out;
  int64_t length, used, parts;
  explicit DftRun(KernelContext& ctx);
  bool mirrored() const { return inverse && onesided; }  // a real signal from the first half of its spectrum
};

Status dft_reference(KernelContext& ctx);

}  // namespace sdx::ops
