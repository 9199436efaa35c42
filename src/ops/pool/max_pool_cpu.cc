// MaxPool for floats and 8-bit integers without indices, and over blocked channels.
#include "ops/half.h"
#include "ops/pool/byte_lane_pool.h"
#include "ops/pool/index_pool.h"
#include "ops/pool/lane_pool.h"
#include "ops/pool/row_pool.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

template <typename T>
Status run_max_pool(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  if (std::is_same_v<T, float> && is_whole_plane(sizes.windows)) return run_global_max_pool_f32(ctx);
  return run_row_pool<T>(ctx, PoolLines(sizes, sizeof(T)), row_maxima<T>(),
                         {.x = ctx.input(0).data<T>(), .y = ctx.output(0).data<T>()});
}

// As unsigned bytes with the highest bit turned.
Status run_max_pool_i8(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const auto* x = ctx.input(0).data<uint8_t>();
  auto* y = ctx.output(0).data<uint8_t>();
  const auto turn = [](const uint8_t* from, size_t count, uint8_t* to) {
    for (size_t i = 0; i < count; ++i) to[i] = static_cast<uint8_t>(from[i] ^ 0x80);
  };
  const auto load = [&](int64_t from, size_t count, uint8_t* to) { turn(x + from, count, to); };
  const auto store = [&](int64_t at, size_t count, const uint8_t* maxima) { turn(maxima, count, y + at); };
  const FunctionRef<void(int64_t, size_t, uint8_t*)> load_ref = load, store_ref = store;
  return run_row_pool<uint8_t>(ctx, PoolLines(sizes, 1), row_maxima<uint8_t>(),
                               {.load = &load_ref, .store = &store_ref});
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

Verdict can_run_with_indices(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  if (!is_half(type) && type != DType::f32 && type != DType::f64 && type != DType::u8 && type != DType::i8)
    return no("only floats and 8-bit integers");
  return facts.wants_output(1) || type == DType::f64 ? can_run_row_pool(facts) : no("no indices are wanted");
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
                 .run = run_max_pool_i8,
                 .scratch_bytes = row_pool_scratch<uint8_t>},
                {.name = "max_pool_indices",
                 .can_run = can_run_with_indices,
                 .run = run_index_pool,
                 .scratch_bytes = index_pool_scratch});

}  // namespace sdx::ops
