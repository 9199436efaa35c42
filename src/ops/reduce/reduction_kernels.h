// The kernels of a Reduce operator, as its `_cpu.cc` lists them.
#pragma once

#include "ops/elementwise.h"
#include "ops/reduce/reduction.h"
#include "ops/through_f32.h"

namespace sdx::ops {

template <Reduction kind>
Status run_f32(KernelContext& ctx) {
  return run_reduction_f32(ctx, kind);
}

// Axes and other integers do not matter to takes_half.
template <Reduction kind>
constexpr Kernel f32_reduction(std::string_view name) {
  return {.name = name, .can_run = takes<DType::f32>, .run = run_f32<kind>, .scratch_bytes = reduction_scratch};
}
template <Reduction kind>
constexpr Kernel half_reduction(std::string_view name) {
  return {
      .name = name,
      .can_run = takes_half,
      .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_f32<kind>); },
      .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts, reduction_scratch(facts)); }};
}
template <Reduction kind>
constexpr Kernel typed_reduction(std::string_view name) {
  return {.name = name,
          .can_run = [](const NodeFacts& facts) { return can_run_typed_reduction(facts.dtype(0), kind); },
          .run = [](KernelContext& ctx) { return run_typed_reduction(ctx, kind); },
          .scratch_bytes = reduction_scratch};
}

}  // namespace sdx::ops
