// BlockedGather for elements of 2 and 4 bytes.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "ops/elementwise.h"
#include "ops/layout/blocked_gather.h"
#include "ops/layout/turn_blocks.h"

namespace sdx::ops {
namespace {

constexpr int64_t kPiece = 1024;  // positions a parallel block

// So many bytes of each position.
using CopyLanes = void (*)(const std::byte* from, std::byte* to, int64_t positions, size_t step);

template <size_t kBytes>
void copy_lanes(const std::byte* from, std::byte* to, int64_t positions, size_t step) {
  for (int64_t p = 0; p < positions; ++p, from += step, to += step) std::memcpy(to, from, kBytes);
}

template <size_t... kIndex>
constexpr std::array<CopyLanes, sizeof...(kIndex)> copies(std::index_sequence<kIndex...>) {
  return {copy_lanes<2 * (kIndex + 1)>...};
}
constexpr auto kCopies = copies(std::make_index_sequence<32>());

Result<std::unique_ptr<KernelState>> prepare_gather(const NodeFacts& facts) {
  return std::unique_ptr<KernelState>(
      std::make_unique<GatherRuns>(facts.attr_ints("channels"), facts.attr_ints("order")));
}

Status run_gather(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const auto& state = ctx.state<GatherRuns>();
  const auto channels = ctx.attr_ints("channels"), order = ctx.attr_ints("order");
  const auto width = static_cast<size_t>(bit_width(y.dtype()) / 8), step = width * static_cast<size_t>(kChannelBlock);
  const int64_t positions = count_range(y.shape(), 2, y.shape().size() - 1), blocks = y.dim(1);
  const int64_t pieces = (positions + kPiece - 1) / kPiece;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / kChannelBlock / std::min(kPiece, positions));
  return parallel_ranges(ctx, y.dim(0) * blocks * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces * kPiece, plane = i / pieces, block = plane % blocks, image = plane / blocks;
      const int64_t count = std::min(kPiece, positions - first);
      std::byte* to = y.bytes() + static_cast<size_t>(plane * positions + first) * step;
      const auto filled = static_cast<size_t>(static_cast<int64_t>(order.size()) - block * kChannelBlock) * width;
      for (int64_t p = 0; p < count && filled < step; ++p)
        std::memset(to + static_cast<size_t>(p) * step + filled, 0, step - filled);
      for (size_t r = state.begins[static_cast<size_t>(block)]; r < state.begins[static_cast<size_t>(block) + 1]; ++r) {
        const GatherRun& run = state.runs[r];
        const int64_t from_plane = image * channel_blocks(channels[run.input]) + run.block;
        const std::byte* from = ctx.input(run.input).bytes() +
                                static_cast<size_t>(from_plane * positions + first) * step +
                                static_cast<size_t>(run.from) * width;
        kCopies[static_cast<size_t>(run.count) * width / 2 - 1](from, to + static_cast<size_t>(run.lane) * width, count,
                                                                step);
      }
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(blocked_gather,
                {.name = "blocked_gather", .can_run = can_turn_blocks, .prepare = prepare_gather, .run = run_gather});

}  // namespace sdx::ops
