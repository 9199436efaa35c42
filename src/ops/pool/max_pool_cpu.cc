// MaxPool for float32 and 8-bit integers without indices, over one or two spatial axes, and over blocked channels.
#include <cstring>
#include <limits>

#include "kernel/scratch_parts.h"
#include "ops/pool/byte_lane_pool.h"
#include "ops/pool/byte_maxima.h"
#include "ops/pool/lane_pool.h"
#include "ops/pool/pooling.h"
#include "ops/pool/pooling_f32.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Status run_max_pool_f32(KernelContext& ctx) {
  const WindowKernels& kernels = window_kernels();
  return run_pool_f32(ctx, -std::numeric_limits<float>::infinity(),
                      [&](const WindowRow& row, int64_t, int64_t) { kernels.maximum(row); });
}

Verdict without_indices(const NodeFacts& facts, Verdict (*can_run)(const NodeFacts&)) {
  return facts.wants_output(1) ? no("indices are wanted") : can_run(facts);
}

// A plane of bytes with two axes.
struct BytePlane {
  int64_t height = 1, width = 1, out_height = 1, out_width = 1;
  int64_t kernel_y = 1, kernel_x = 1, stride_y = 1, stride_x = 1, step_y = 1, step_x = 1, top = 0, left = 0;
  int64_t reach() const { return (out_width - 1) * stride_x + 1; }  // places of windows along a row
  int64_t padded() const { return std::max(reach() + (kernel_x - 1) * step_x, left + width); }
};
BytePlane byte_plane(const Windows& w) {
  const size_t axes = w.axes();
  const auto pick = [&](const Shape& s, size_t from_end, int64_t otherwise) {
    return from_end <= axes ? s[axes - from_end] : otherwise;
  };
  return {.height = pick(w.in, 2, 1),
          .width = pick(w.in, 1, 1),
          .out_height = pick(w.out, 2, 1),
          .out_width = pick(w.out, 1, 1),
          .kernel_y = pick(w.kernel, 2, 1),
          .kernel_x = pick(w.kernel, 1, 1),
          .stride_y = pick(w.strides, 2, 1),
          .stride_x = pick(w.strides, 1, 1),
          .step_y = pick(w.dilations, 2, 1),
          .step_x = pick(w.dilations, 1, 1),
          .top = pick(w.begin, 2, 0),
          .left = pick(w.begin, 1, 0)};
}

// A row of windows: the largest of each column, then along the row.
void pool_byte_row(const BytePlane& plane, const ByteMaxima& maxima, const uint8_t* x, int64_t y, uint8_t turned,
                   uint8_t* columns, uint8_t* places, uint8_t* to) {
  std::memset(columns, 0, static_cast<size_t>(plane.padded()));
  for (int64_t k = 0; k < plane.kernel_y; ++k) {
    const int64_t row = y * plane.stride_y - plane.top + k * plane.step_y;
    if (row >= 0 && row < plane.height)
      maxima.widen(x + row * plane.width, turned, columns + plane.left, static_cast<size_t>(plane.width));
  }
  uint8_t* made = plane.stride_x == 1 ? to : places;
  maxima.along(columns, static_cast<size_t>(plane.kernel_x), static_cast<size_t>(plane.step_x), turned, made,
               static_cast<size_t>(plane.reach()));
  if (plane.stride_x == 1) return;
  for (int64_t i = 0; i < plane.out_width; ++i) to[i] = places[i * plane.stride_x];
}

Status run_max_pool_bytes(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.output(0).count() == 0) return {};
  const BytePlane plane = byte_plane(sizes.windows);
  const auto slot_bytes = static_cast<size_t>(2 * plane.padded());
  const uint8_t turned = ctx.input(0).dtype() == DType::i8 ? 0x80 : 0;
  const auto* x = ctx.input(0).data<uint8_t>();
  auto* y = ctx.output(0).data<uint8_t>();
  const ByteMaxima maxima = byte_maxima();
  ScratchSlots slots = ScratchParts(ctx).slots(slot_bytes);
  const int64_t cost = sizes.out_count() * (plane.kernel_y + plane.kernel_x);
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, cost));
  return parallel_ranges(ctx, sizes.planes, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    auto* columns = reinterpret_cast<uint8_t*>(lease.memory());
    for (int64_t i = begin; i < end; ++i)
      for (int64_t row = 0; row < plane.out_height; ++row)
        pool_byte_row(plane, maxima, x + i * sizes.in_count(), row, turned, columns, columns + plane.padded(),
                      y + i * sizes.out_count() + row * plane.out_width);
  });
}

Verdict can_run_max_pool_bytes(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::u8 && facts.dtype(0) != DType::i8) return no("only 8-bit integers");
  if (facts.wants_output(1)) return no("indices are wanted");
  const auto kernel = facts.attr_ints("kernel_shape");
  return kernel.empty() || kernel.size() > 2 ? no("only one or two spatial axes") : yes();
}

Dim byte_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  SymbolTable& symbols = facts.symbols;
  const auto last = [&](std::string_view name, int64_t otherwise) {
    const auto list = facts.node.attr_ints(name);
    return list.empty() ? otherwise : list.back();
  };
  const int64_t reach = (last("kernel_shape", 1) - 1) * last("dilations", 1);
  const Dim places = symbols.add(symbols.mul(size.output(0, -1), Dim(last("strides", 1))), Dim(reach + 1));
  // Padding in front is given, or less than a window reaches.
  const auto pads = facts.node.attr_ints("pads");
  const int64_t front = std::max(reach, pads.empty() ? int64_t{0} : pads[pads.size() / 2 - 1]);
  const Dim row = symbols.max(places, symbols.add(size.input(0, -1), Dim(front)));
  return size.slots(symbols.mul(row, Dim(2))).bytes();
}

}  // namespace

SDX_CPU_KERNELS(max_pool,
                {.name = "max_pool_lanes_f32",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_lane_pool); },
                 .run = run_lane_max_pool},
                {.name = "max_pool_f32",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_pool_f32); },
                 .run = run_max_pool_f32},
                {.name = "max_pool_half",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_pool_half); },
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_max_pool_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }},
                {.name = "max_pool_lanes_8",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_byte_lane_pool); },
                 .run = run_byte_lane_pool,
                 .scratch_bytes = byte_lane_pool_scratch},
                {.name = "max_pool_8",
                 .can_run = can_run_max_pool_bytes,
                 .run = run_max_pool_bytes,
                 .scratch_bytes = byte_scratch});

}  // namespace sdx::ops
