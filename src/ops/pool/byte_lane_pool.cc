#include "ops/pool/byte_lane_pool.h"

#include <algorithm>
#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/pool/byte_maxima.h"

namespace sdx::ops {
namespace {

constexpr uint8_t kTurned = 0x80;

}  // namespace

Verdict can_run_byte_lane_pool(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::u8 && facts.dtype(0) != DType::i8) return no("only 8-bit integers");
  const auto kernel = facts.attr_ints("kernel_shape"), strides = facts.attr_ints("strides");
  const auto pads = facts.attr_ints("pads"), dilations = facts.attr_ints("dilations");
  if (kernel.size() != 3) return no("only three spatial axes");
  const bool spans = kernel[2] != 1 || (!strides.empty() && strides.back() != 1) ||
                     (!dilations.empty() && dilations.back() != 1) ||
                     (pads.size() == 6 && (pads[2] != 0 || pads[5] != 0));
  return spans ? no("windows span the last axis") : yes();
}

// A row of windows: the largest of each column, then of the columns that a window sees.
Status run_byte_lane_pool(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.output(0).count() == 0) return {};
  const Windows& w = sizes.windows;
  const int64_t channels = w.in[2], width = w.in[1] * channels, out_width = w.out[1] * channels;
  const auto slot_bytes = static_cast<size_t>(width);
  const uint8_t turned = ctx.input(0).dtype() == DType::i8 ? kTurned : 0;
  const auto* x = ctx.input(0).data<uint8_t>();
  auto* y = ctx.output(0).data<uint8_t>();
  const ByteMaxima maxima = byte_maxima();
  ScratchSlots slots = ScratchParts(ctx).slots(slot_bytes);
  const int64_t cost = width * w.kernel[0] + out_width * w.kernel[1];
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, cost));
  return parallel_ranges(ctx, sizes.planes * w.out[0], grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    auto* columns = reinterpret_cast<uint8_t*>(lease.memory());
    for (int64_t i = begin; i < end; ++i) {
      const uint8_t* plane = x + i / w.out[0] * sizes.in_count();
      std::memset(columns, 0, slot_bytes);
      for (int64_t k = 0; k < w.kernel[0]; ++k) {
        const int64_t row = i % w.out[0] * w.strides[0] - w.begin[0] + k * w.dilations[0];
        if (row >= 0 && row < w.in[0]) maxima.widen(plane + row * width, turned, columns, slot_bytes);
      }
      uint8_t* to = y + i * out_width;
      std::memset(to, 0, static_cast<size_t>(out_width));
      for (int64_t o = 0; o < w.out[1]; ++o)
        for (int64_t k = 0; k < w.kernel[1]; ++k) {
          const int64_t column = o * w.strides[1] - w.begin[1] + k * w.dilations[1];
          if (column >= 0 && column < w.in[1])
            maxima.widen(columns + column * channels, 0, to + o * channels, static_cast<size_t>(channels));
        }
      if (turned != 0)
        for (int64_t j = 0; j < out_width; ++j) to[j] ^= turned;
    }
  });
}

Dim byte_lane_pool_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  return size.slots(size.symbols().mul(size.input(0, -2), size.input(0, -1))).bytes();
}

}  // namespace sdx::ops
