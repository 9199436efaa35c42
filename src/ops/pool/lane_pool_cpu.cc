// Pools over positions of 16 lanes: a row of outputs at a time, from the input rows that its windows reach.
#include "base/simd_targets.h"  // first

#include <limits>
#include <vector>

#include "kernel/clamp-inl.h"
#include "ops/conv/blocked_conv.h"
#include "ops/pool/lane_pool.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::kChannelBlock;
using ops::LaneColumns;
using ops::LaneRows;

using LaneTag = hn::CappedTag<float, 16>;
constexpr size_t kBlock = kChannelBlock;
constexpr int64_t kHeldColumns = 128;  // maxima of columns that stay in the first cache

// y[o + p] = finish(o + p, all elements of the window put together by `merge`), for p < kOutputs, whose windows are
// equally wide.
template <int kOutputs, class Merge, class Finish>
HWY_INLINE void pool_outputs(LaneRows rows, const LaneColumns& columns, int64_t o, float nothing, float* y, Merge merge,
                             Finish finish) {
  const LaneTag d;
  const int64_t first = columns.first(o), end = columns.end(o), step = columns.stride * kChannelBlock;
  const bool any = rows.count != 0 && first < end;
  for (size_t lane = 0; lane < kBlock; lane += hn::Lanes(d)) {
    hn::VFromD<LaneTag> made[kOutputs];
    HWY_UNROLL(4)
    for (int p = 0; p < kOutputs; ++p)
      made[p] = any ? hn::LoadU(d, rows.list[0] + first * kChannelBlock + lane + p * step) : hn::Set(d, nothing);
    for (size_t row = 0; row < rows.count; ++row) {
      for (int64_t i = row == 0 ? first + columns.dilation : first; i < end; i += columns.dilation) {
        const float* from = rows.list[row] + i * kChannelBlock + lane;
        HWY_UNROLL(4)
        for (int p = 0; p < kOutputs; ++p) made[p] = merge(d, made[p], hn::LoadU(d, from + p * step));
      }
    }
    HWY_UNROLL(4)
    for (int p = 0; p < kOutputs; ++p) hn::StoreU(finish(d, o + p, made[p]), d, y + (o + p) * kChannelBlock + lane);
  }
}

template <class Merge, class Finish>
HWY_INLINE void pool_row(LaneRows rows, const LaneColumns& columns, float nothing, float* y, Merge merge,
                         Finish finish) {
  constexpr int kTogether = 4;
  int64_t o = 0;
  while (o < columns.out) {
    if (columns.inside(o) && o + kTogether <= columns.out && columns.inside(o + kTogether - 1)) {
      pool_outputs<kTogether>(rows, columns, o, nothing, y, merge, finish);
      o += kTogether;
    } else {
      pool_outputs<1>(rows, columns, o++, nothing, y, merge, finish);
    }
  }
}

void max_windows(LaneRows rows, const LaneColumns& columns, float* y) {
  const auto larger = [](auto, auto best, auto v)
                          HWY_ATTR { return hn::IfThenElse(hn::IsNaN(v), v, at_least(v, best)); };
  pool_row(rows, columns, -std::numeric_limits<float>::infinity(), y, larger,
           [](auto, int64_t, auto v) HWY_ATTR { return v; });
}

// Where windows share columns, each column's maximum is taken once.
void max_row(LaneRows rows, const LaneColumns& columns, float, float* y) {
  const int64_t span = columns.span();
  if (rows.count < 2 || columns.kernel <= columns.stride || span > kHeldColumns / 2) {
    max_windows(rows, columns, y);
    return;
  }
  alignas(64) float held[kHeldColumns * kChannelBlock];
  const float* held_rows[] = {held};
  const int64_t together = (kHeldColumns - span) / columns.stride + 1;
  for (int64_t o = 0; o < columns.out; o += together) {
    const int64_t count = std::min(together, columns.out - o), begin = std::max<int64_t>(0, columns.start(o));
    const int64_t width = std::max<int64_t>(0, columns.end(o + count - 1) - begin);
    max_windows(rows, {.in = columns.in, .out = width, .begin = -begin}, held);
    LaneColumns along = columns;
    along.in = width;
    along.out = count;
    along.begin = begin - columns.start(o);
    max_windows({held_rows, 1}, along, y + o * kChannelBlock);
  }
}

void mean_row(LaneRows rows, const LaneColumns& columns, float divisor, float* y) {
  const auto add = [](auto, auto sum, auto v) HWY_ATTR { return hn::Add(sum, v); };
  pool_row(rows, columns, 0, y, add, [&](auto d, int64_t o, auto sum) HWY_ATTR {
    return hn::Div(sum, hn::Set(d, columns.divisors[o] * divisor));
  });
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

using RowKernel = void (*)(LaneRows rows, const LaneColumns& columns, float divisor, float* y);

// All spatial axes but the lanes; `divisor` gives what the outer axes add to the count of a row of outputs.
Status run_rows(KernelContext& ctx, const PoolSizes& sizes, const float* divisors, RowKernel kernel,
                FunctionRef<float(std::span<const int64_t>)> divisor) {
  const Windows& all = sizes.windows;
  const size_t last = all.axes() - 2;  // the innermost spatial axis
  const LaneColumns columns{all.in[last],        all.out[last],   all.kernel[last], all.strides[last],
                            all.dilations[last], all.begin[last], divisors};
  Windows outer = all;
  for (Shape* list : {&outer.in, &outer.out, &outer.kernel, &outer.strides, &outer.dilations, &outer.begin, &outer.end})
    list->resize(last);
  const int64_t rows = count_of(outer.out), in_row = columns.in * kChannelBlock, out_row = columns.out * kChannelBlock;
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const int64_t operations = out_row * count_of(all.kernel);
  const int64_t grain = std::max<int64_t>(1, 200'000 / std::max<int64_t>(1, operations));
  return parallel_ranges(ctx, sizes.planes * rows, grain, [&](int64_t begin, int64_t end) {
    std::vector<const float*> reached;
    for (int64_t i = begin; i < end; ++i) {
      const float* plane = x + i / rows * count_of(all.in);
      Shape position(last);
      for (int64_t rest = i % rows, axis = static_cast<int64_t>(last) - 1; axis >= 0; --axis) {
        const auto a = static_cast<size_t>(axis);
        position[a] = rest % outer.out[a];
        rest /= outer.out[a];
      }
      reached.clear();
      for_each_in_window(outer, position, [&](int64_t, int64_t from) { reached.push_back(plane + from * in_row); });
      kernel({reached.data(), reached.size()}, columns, divisor(position), y + i * out_row);
    }
  });
}

}  // namespace

Verdict can_run_lane_pool(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  const auto kernel = facts.attr_ints("kernel_shape"), strides = facts.attr_ints("strides"),
             pads = facts.attr_ints("pads");
  if (kernel.size() < 2 || kernel.back() != 1 || (!strides.empty() && strides.back() != 1))
    return no("windows span the last axis");
  if (pads.size() == 2 * kernel.size() && (pads.back() != 0 || pads[kernel.size() - 1] != 0))
    return no("the last axis is padded");
  if (!facts.has_rank(0) || !facts.input(0).shape->back().is(kChannelBlock)) return no("the last axis is not 16 lanes");
  return yes();
}

Status run_lane_max_pool(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.output(0).count() == 0) return {};
  return run_rows(ctx, sizes, nullptr, SDX_DISPATCH(max_row), [](std::span<const int64_t>) { return 1.0f; });
}

Status run_lane_average_pool(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.output(0).count() == 0) return {};
  const auto what = ctx.attr_int("count_include_pad", 0) != 0 ? PoolCount::padded : PoolCount::input;
  const size_t last = sizes.windows.axes() - 2;
  std::vector<float> divisors;
  for (int64_t o = 0; o < sizes.windows.out[last]; ++o)
    divisors.push_back(static_cast<float>(pool_count(sizes.windows, last, o, what)));
  return run_rows(ctx, sizes, divisors.data(), SDX_DISPATCH(mean_row), [&](std::span<const int64_t> position) {
    int64_t count = 1;
    for (size_t axis = 0; axis < position.size(); ++axis)
      count *= pool_count(sizes.windows, axis, position[axis], what);
    return static_cast<float>(count);
  });
}

}  // namespace sdx::ops
#endif
