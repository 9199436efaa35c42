// MaxRoiPool for float32: channels lie together in a copy of x, sixteen a block.
#include "base/simd_targets.h"  // first

#include <algorithm>
#include <limits>

#include "kernel/scratch_parts.h"
#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/layout/turn_blocks.h"
#include "ops/pool/max_roi_pool.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// The greatest of rows x columns elements of 16 lanes; NaN is greater than all.
void greatest_lanes(const float* x, size_t rows, size_t columns, size_t row_step, float* to) {
  const hn::CappedTag<float, 16> d;
  for (size_t lane = 0; lane < 16; lane += hn::Lanes(d)) {
    auto best = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < columns; ++j) {
        const auto v = hn::LoadU(d, x + i * row_step + j * 16 + lane);
        best = hn::IfThenElse(hn::Or(hn::Gt(v, best), hn::IsNaN(v)), v, best);
      }
    }
    hn::StoreU(best, d, to + lane);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

constexpr int64_t kLanes = kChannelBlock;

Status run_max_roi_pool(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3), plane = height * width;
  const int64_t rows = y.dim(2), columns = y.dim(3), bins = rows * columns, regions = y.dim(0);
  const int64_t blocks = channel_blocks(channels);
  std::vector<RoiBins> list;
  list.reserve(static_cast<size_t>(regions));
  for (int64_t roi = 0; roi < regions; ++roi) {
    SDX_ASSIGN(const RoiBins region, roi_bins(ctx, roi));
    list.push_back(region);
  }
  if (y.count() == 0) return {};
  ScratchParts scratch(ctx);
  float* turned = scratch.take<float>(x.dim(0) * blocks * kLanes * plane).data();
  const TurnBlocks<float> turn = turn_blocks_f32();
  SDX_TRY(parallel_ranges(ctx, x.dim(0) * blocks, 1, [&](int64_t i, int64_t) {
    const int64_t channel = i % blocks * kLanes;
    turn.to_lanes(x.data<float>() + (i / blocks * channels + channel) * plane,
                  {.rows = std::min(kLanes, channels - channel), .row_step = plane, .positions = plane},
                  turned + i * kLanes * plane);
  }));
  ScratchSlots slots = scratch.slots(static_cast<size_t>(bins * kLanes) * sizeof(float));
  const auto greatest = SDX_DISPATCH(greatest_lanes);
  return parallel_ranges(ctx, regions, 1, [&](int64_t roi, int64_t) {
    const ScratchSlots::Lease lease(slots);
    auto* made = reinterpret_cast<float*>(lease.memory());
    const RoiBins& region = list[static_cast<size_t>(roi)];
    for (int64_t block = 0; block < blocks; ++block) {
      const float* from = turned + (region.batch * blocks + block) * kLanes * plane;
      for (int64_t bin = 0; bin < bins; ++bin) {
        const RoiBins::Range down = region.down(bin / columns, rows, height);
        const RoiBins::Range across = region.across(bin % columns, columns, width);
        float* to = made + bin * kLanes;
        if (down.end <= down.begin || across.end <= across.begin) {
          std::fill_n(to, kLanes, 0.0f);
        } else {
          greatest(from + (down.begin * width + across.begin) * kLanes, static_cast<size_t>(down.end - down.begin),
                   static_cast<size_t>(across.end - across.begin), static_cast<size_t>(width * kLanes), to);
        }
      }
      const int64_t channel = block * kLanes;
      turn.to_rows(made, {.rows = std::min(kLanes, channels - channel), .row_step = bins, .positions = bins},
                   y.data<float>() + (roi * channels + channel) * bins);
    }
  });
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const auto pooled = facts.node.attr_ints("pooled_shape");
  if (pooled.size() != 2) return facts.symbols.fresh();
  const Dim blocks = facts.symbols.ceil_div(size.input(0, 1), Dim(kLanes));
  size.part(size.product({size.input(0, 0), blocks, Dim(kLanes), size.input(0, 2), size.input(0, 3)}), sizeof(float));
  return size.slots(Dim(pooled[0] * pooled[1] * kLanes * static_cast<int64_t>(sizeof(float)))).bytes();
}

}  // namespace

SDX_CPU_KERNELS(max_roi_pool, {.name = "max_roi_pool_f32",
                               .can_run = takes<DType::f32>,
                               .run = run_max_roi_pool,
                               .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
#endif
