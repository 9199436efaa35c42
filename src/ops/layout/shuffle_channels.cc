// ShuffleChannels: x [N, groups * C, spatial...] with its channels dealt out: y[n, c * groups + g] = x[n, g * C + c].
#include <cstring>

#include "ops/input_rules.h"
#include "ops/layout/shuffle_channels.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_shuffle_channels(InferContext& ctx) {
  static constexpr InputRule kRules[] = {{0, kShortFloats | set_of(DType::f64)}};
  SDX_TRY(check_inputs(ctx, kRules));
  const int64_t groups = ctx.attr_int("groups", 0);
  if (groups < 1) return ctx.fail("groups is {}", groups);
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 2) return ctx.fail("the input has rank {}; batch and channels are wanted", x.rank());
  SDX_TRY(ctx.require({Constraint::Kind::divides, x.dim(1), Dim(groups)}, "channels"));
  return tensor_fact(x.dtype, x.shape);
}

Status shuffle_channels_reference(KernelContext& ctx) {
  const ShuffledPlanes planes(ctx);
  for (int64_t plane = 0; plane < planes.count(); ++plane) {
    SDX_TRY(ctx.check_cancelled());
    planes.copy(plane);
  }
  return {};
}

}  // namespace

ShuffledPlanes::ShuffledPlanes(KernelContext& ctx)
    : x_(ctx.input(0).bytes()), y_(ctx.output(0).bytes()), groups_(ctx.attr_int("groups", 1)) {
  const Tensor& y = ctx.output(0);
  if (y.count() == 0) return;
  channels_ = y.dim(1);
  count_ = y.dim(0) * channels_;
  plane_bytes_ = y.byte_size() / static_cast<size_t>(count_);
}

void ShuffledPlanes::copy(int64_t plane) const {
  const int64_t channel = plane % channels_, each = channels_ / groups_;
  const int64_t from = plane - channel + channel % groups_ * each + channel / groups_;
  std::memcpy(y_ + static_cast<size_t>(plane) * plane_bytes_, x_ + static_cast<size_t>(from) * plane_bytes_,
              plane_bytes_);
}

SDX_OP(shuffle_channels) = {
    .name = "ShuffleChannels",
    .domain = "sardonyx",
    .infer = infer_shuffle_channels,
    .reference = shuffle_channels_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
