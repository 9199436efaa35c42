// AveragePool for floats, and over blocked channels.
#include <algorithm>

#include "ops/half.h"
#include "ops/pool/lane_pool.h"
#include "ops/pool/row_doubles.h"
#include "ops/pool/row_pool.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMostFloats = 256;  // of a window, that float32 adds up

// One over the number of elements of each window of a line: the same list for all lines that outer axes treat alike.
template <typename T>
class Shares {
 public:
  Shares(const PoolLines& lines, PoolCount what) : of_line_(static_cast<size_t>(lines.lines())) {
    const Windows& w = lines.windows();
    const size_t last = w.axes() - 1;
    std::vector<int64_t> across, kinds;
    for (int64_t i = 0; i < lines.out_width(); ++i) across.push_back(pool_count(w, last, i, what));
    for (int64_t line = 0; line < lines.lines(); ++line) {
      const Shape position = lines.position(line);
      int64_t down = 1;
      for (size_t axis = 0; axis < last; ++axis) down *= pool_count(w, axis, position[axis], what);
      const auto kind = static_cast<size_t>(std::find(kinds.begin(), kinds.end(), down) - kinds.begin());
      of_line_[static_cast<size_t>(line)] = kind;
      if (kind < kinds.size()) continue;
      kinds.push_back(down);
      auto& list = lists_.emplace_back();
      for (const int64_t count : across) list.push_back(static_cast<T>(1 / static_cast<double>(count * down)));
    }
  }
  const T* of(int64_t line) const { return lists_[of_line_[static_cast<size_t>(line)]].data(); }

 private:
  std::vector<std::vector<T>> lists_;
  std::vector<size_t> of_line_;
};

PoolCount counted(const KernelContext& ctx) {
  return ctx.attr_int("count_include_pad", 0) != 0 ? PoolCount::padded : PoolCount::input;
}

bool adds_floats(DType type, std::span<const int64_t> kernel) {
  int64_t taps = 1;
  for (const int64_t k : kernel) taps = taps > kMostFloats ? taps : taps * k;
  return type != DType::f64 && taps <= kMostFloats;
}

Status run_average_of_floats(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.input(0).dtype() == DType::f32 && is_whole_plane(sizes.windows)) return run_global_average_pool_f32(ctx);
  const PoolLines lines(sizes, sizeof(float));
  const Shares<float> shares(lines, counted(ctx));
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const auto factors_of_line = [&](int64_t line) { return shares.of(line); };
  const auto load = [&](int64_t from, size_t count, float* to) {
    half_to_f32(x.dtype(), x.data<uint16_t>() + from, to, count);
  };
  const auto store = [&](int64_t at, size_t count, const float* means) {
    f32_to_half(y.dtype(), means, y.data<uint16_t>() + at, count);
  };
  const FunctionRef<void(int64_t, size_t, float*)> load_ref = load, store_ref = store;
  const FunctionRef<const float*(int64_t)> factors_ref = factors_of_line;
  const bool is_half = x.dtype() != DType::f32;
  return run_row_pool<float>(ctx, lines, row_sums<float>(),
                             {.x = is_half ? nullptr : x.data<float>(),
                              .y = is_half ? nullptr : y.data<float>(),
                              .load = is_half ? &load_ref : nullptr,
                              .store = is_half ? &store_ref : nullptr,
                              .factors = &factors_ref});
}

Status run_average_of_doubles(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (ctx.input(0).dtype() == DType::f32 && is_whole_plane(sizes.windows)) return run_global_average_pool_f32(ctx);
  const PoolLines lines(sizes, sizeof(double));
  const Shares<double> shares(lines, counted(ctx));
  const RowMaps& maps = row_maps();
  const auto factors_of_line = [&](int64_t line) { return shares.of(line); };
  const auto load = [&](int64_t from, size_t count, double* to) { load_doubles(maps, ctx.input(0), from, count, to); };
  const auto store = [&](int64_t at, size_t count, const double* means) {
    store_doubles(maps, means, count, ctx.output(0), at);
  };
  const FunctionRef<void(int64_t, size_t, double*)> load_ref = load, store_ref = store;
  const FunctionRef<const double*(int64_t)> factors_ref = factors_of_line;
  return run_row_pool<double>(ctx, lines, row_sums<double>(),
                              {.load = &load_ref, .store = &store_ref, .factors = &factors_ref});
}

Verdict can_run_average(const NodeFacts& facts, bool floats) {
  const DType type = facts.dtype(0);
  if (type != DType::f32 && type != DType::f64 && !is_half(type)) return no("only f32, f64, f16 and bf16");
  if (Verdict verdict = can_run_row_pool(facts); !verdict.accepted()) return verdict;
  return adds_floats(type, facts.attr_ints("kernel_shape")) == floats ? yes() : no("the other kernel's windows");
}

}  // namespace

SDX_CPU_KERNELS(average_pool,
                {.name = "average_pool_lanes_f32", .can_run = can_run_lane_pool, .run = run_lane_average_pool},
                {.name = "average_pool_f32",
                 .can_run = [](const NodeFacts& facts) { return can_run_average(facts, true); },
                 .run = run_average_of_floats,
                 .scratch_bytes = row_pool_scratch<float>},
                {.name = "average_pool_f64",
                 .can_run = [](const NodeFacts& facts) { return can_run_average(facts, false); },
                 .run = run_average_of_doubles,
                 .scratch_bytes = row_pool_scratch<double>});

}  // namespace sdx::ops
