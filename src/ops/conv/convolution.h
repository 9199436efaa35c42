// What Conv and FusedConv share.
#pragma once

#include "base/element.h"
#include "ops/windows.h"

namespace sdx::ops {

// The sizes of a convolution: x [batch, channels, in...], w [outputs, channels / groups, kernel...].
struct ConvSizes {
  int64_t batch = 0, channels = 0, outputs = 0, groups = 1;
  Windows windows = {};

  int64_t group_channels() const { return channels / groups; }
  int64_t group_outputs() const { return outputs / groups; }
  int64_t in_count() const { return count_of(windows.in); }
  int64_t out_count() const { return count_of(windows.out); }
  int64_t kernel_count() const { return count_of(windows.kernel); }
};

Result<Facts> infer_conv(InferContext& ctx);
// From x, w and the output's shape, which infer_conv has checked.
Result<ConvSizes> conv_sizes(KernelContext& ctx);
// `finish(v, i)` makes output element i of the sum v.
Status conv_reference(KernelContext& ctx, FunctionRef<double(double, int64_t)> finish);

// The tensor's elements as doubles: references touch each many times.
std::vector<double> read_doubles(const Tensor& tensor);

}  // namespace sdx::ops
