// BlockedAffine for float32.
#include "base/simd_targets.h"  // first

#include <algorithm>

#include "kernel/clamp-inl.h"
#include "ops/elementwise.h"
#include "ops/fused_activation.h"
#include "ops/layout/blocked_affine.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// y = clip(x * scale + shift) for positions of 16 lanes; NaN stays.
void scale_lanes(const float* x, const float* scale, const float* shift, float low, float high, float* y,
                 size_t positions) {
  const hn::CappedTag<float, 16> d;
  constexpr size_t kLanes = ops::kChannelBlock;
  const auto least = hn::Set(d, low), most = hn::Set(d, high);
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const auto factor = hn::LoadU(d, scale + lane), summand = hn::LoadU(d, shift + lane);
    for (size_t i = lane; i < positions * kLanes; i += kLanes) {
      const auto v = hn::MulAdd(hn::LoadU(d, x + i), factor, summand);
      hn::StoreU(clamped(least, most, v), d, y + i);
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_blocked_affine(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, scaled_activation_of(ctx.attributes()));
  const Tensor& all = ctx.output(0);
  if (all.count() == 0) return {};
  const int64_t blocks = all.dim(1), positions = count_range(all.shape(), 2, all.shape().size() - 1);
  constexpr int64_t kPiece = 256;  // positions, in L1
  const int64_t pieces = (positions + kPiece - 1) / kPiece;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / kChannelBlock / std::min(kPiece, positions));
  const float *scale = ctx.input(1).data<float>(), *shift = ctx.input(2).data<float>();
  float* y = ctx.output(0).data<float>();
  const auto kernel = SDX_DISPATCH(scale_lanes);
  return parallel_ranges(ctx, all.dim(0) * blocks * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / pieces, first = i % pieces * kPiece, block = plane % blocks * kChannelBlock;
      const int64_t at = (plane * positions + first) * kChannelBlock;
      const auto count = static_cast<size_t>(std::min(kPiece, positions - first));
      const AffinePart part(ctx, plane % blocks);
      const int64_t from = ((plane / blocks * part.x.dim(1) + part.block) * positions + first) * kChannelBlock;
      kernel(part.x.data<float>() + from, scale + block, shift + block, activation.low(), activation.high(), y + at,
             count);
      if (!activation.is_clip()) activation.apply(y + at, count * static_cast<size_t>(kChannelBlock));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(blocked_affine,
                {.name = "blocked_affine_f32", .can_run = takes<DType::f32>, .run = run_blocked_affine});

}  // namespace sdx::ops
#endif
