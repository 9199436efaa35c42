// MaxPool for floats and 8-bit integers without indices, and over blocked channels.
#include "ops/half.h"
#include "ops/pool/byte_lane_pool.h"
#include "ops/pool/lane_pool.h"
#include "ops/pool/row_pool.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

template <typename T>
Status run_max_pool(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  return run_row_pool<T>(ctx, PoolLines(sizes, sizeof(T)), row_maxima<T>(),
                         {.x = ctx.input(0).data<T>(), .y = ctx.output(0).data<T>()});
}

Status run_max_pool_half(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const DType type = ctx.input(0).dtype();
  const auto* x = ctx.input(0).data<uint16_t>();
  auto* y = ctx.output(0).data<uint16_t>();
  const auto load = [&](int64_t from, size_t count, float* to) { half_to_f32(type, x + from, to, count); };
  const auto store = [&](int64_t at, size_t count, const float* maxima) { f32_to_half(type, maxima, y + at, count); };
  const FunctionRef<void(int64_t, size_t, float*)> load_ref = load, store_ref = store;
  return run_row_pool<float>(ctx, PoolLines(sizes, sizeof(float)), row_maxima<float>(),
                             {.load = &load_ref, .store = &store_ref});
}

Verdict without_indices(const NodeFacts& facts, Verdict (*can_run)(const NodeFacts&)) {
  return facts.wants_output(1) ? no("indices are wanted") : can_run(facts);
}

template <DType type>
Verdict can_run_max_pool(const NodeFacts& facts) {
  if (facts.dtype(0) != type) return no(formatted("only {}", name(type)));
  return without_indices(facts, can_run_row_pool);
}

Verdict can_run_max_pool_half(const NodeFacts& facts) {
  const Verdict verdict = takes_half(facts);
  return verdict.accepted() ? without_indices(facts, can_run_row_pool) : verdict;
}

}  // namespace

SDX_CPU_KERNELS(max_pool,
                {.name = "max_pool_lanes_f32",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_lane_pool); },
                 .run = run_lane_max_pool},
                {.name = "max_pool_f32",
                 .can_run = can_run_max_pool<DType::f32>,
                 .run = run_max_pool<float>,
                 .scratch_bytes = row_pool_scratch<float>},
                {.name = "max_pool_f64",
                 .can_run = can_run_max_pool<DType::f64>,
                 .run = run_max_pool<double>,
                 .scratch_bytes = row_pool_scratch<double>},
                {.name = "max_pool_half",
                 .can_run = can_run_max_pool_half,
                 .run = run_max_pool_half,
                 .scratch_bytes = row_pool_scratch<float>},
                {.name = "max_pool_lanes_8",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_byte_lane_pool); },
                 .run = run_byte_lane_pool,
                 .scratch_bytes = byte_lane_pool_scratch},
                {.name = "max_pool_u8",
                 .can_run = can_run_max_pool<DType::u8>,
                 .run = run_max_pool<uint8_t>,
                 .scratch_bytes = row_pool_scratch<uint8_t>},
                {.name = "max_pool_i8",
                 .can_run = can_run_max_pool<DType::i8>,
                 .run = run_max_pool<int8_t>,
                 .scratch_bytes = row_pool_scratch<int8_t>});

}  // namespace sdx::ops
