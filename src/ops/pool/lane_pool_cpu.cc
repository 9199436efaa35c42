// Pools over positions of 16 lanes: a row of outputs at a time, from the input rows that its windows reach.
#include "base/simd_targets.h"  // first

#include <limits>
#include <vector>

#include "kernel/simd.h"
#include "ops/conv/blocked_conv.h"
#include "ops/pool/lane_pool.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::kChannelBlock;
using ops::LaneColumns;
using ops::LaneRows;

using LaneTag = hn::CappedTag<float, 16>;

// y[o] = finish(o, all elements of the window put together by `merge`), for each vector of lanes.
template <class Merge, class Finish>
HWY_INLINE void pool_row(LaneRows rows, const LaneColumns& columns, float start, float* y, Merge merge, Finish finish) {
  const LaneTag d;
  for (int64_t o = 0; o < columns.out; ++o) {
    const int64_t first = columns.first(o), end = columns.end(o);
    for (size_t lane = 0; lane < static_cast<size_t>(kChannelBlock); lane += hn::Lanes(d)) {
      auto sum = hn::Set(d, start);
      for (size_t row = 0; row < rows.count; ++row)
        for (int64_t i = first; i < end; i += columns.dilation)
          sum = merge(d, sum, hn::LoadU(d, rows.list[row] + i * kChannelBlock + lane));
      hn::StoreU(finish(d, o, sum), d, y + o * kChannelBlock + lane);
    }
  }
}

void max_row(LaneRows rows, const LaneColumns& columns, float, float* y) {
  const auto larger = [](auto, auto best, auto v)
                          HWY_ATTR { return hn::IfThenElse(hn::Or(hn::Gt(v, best), hn::IsNaN(v)), v, best); };
  pool_row(rows, columns, -std::numeric_limits<float>::infinity(), y, larger,
           [](auto, int64_t, auto v) HWY_ATTR { return v; });
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
