// LpPool for floats, in double.
#include <cmath>

#include "ops/pool/row_doubles.h"
#include "ops/pool/row_pool.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

// x^p of what is not negative.
void raise(double* x, size_t count, int64_t p) {
  for (size_t i = 0; i < count; ++i) {
    double result = 1, power = x[i];
    for (int64_t rest = p; rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) result *= power;
      power *= power;
    }
    x[i] = result;
  }
}

Status run_lp_pool(KernelContext& ctx) {
  SDX_ASSIGN(const PoolSizes sizes, pool_sizes(ctx));
  const RowMaps& maps = row_maps();
  const int64_t p = ctx.attr_int("p", 2);
  const auto load = [&](int64_t from, size_t count, double* to) {
    load_doubles(maps, ctx.input(0), from, count, to);
    if (p == 2) return maps.squares(to, count, to);
    maps.magnitudes(to, count, to);
    if (p != 1) raise(to, count, p);
  };
  const auto store = [&](int64_t at, size_t count, double* sums) {
    if (p == 2) maps.root(sums, count, sums);
    if (p > 2)
      for (size_t i = 0; i < count; ++i) sums[i] = std::pow(sums[i], 1 / static_cast<double>(p));
    store_doubles(maps, sums, count, ctx.output(0), at);
  };
  const FunctionRef<void(int64_t, size_t, double*)> load_ref = load, store_ref = store;
  return run_row_pool<double>(ctx, PoolLines(sizes, sizeof(double)), row_sums<double>(),
                              {.load = &load_ref, .store = &store_ref});
}

}  // namespace

SDX_CPU_KERNELS(lp_pool, {.name = "lp_pool_float",
                          .can_run =
                              [](const NodeFacts& facts) {
                                const DType type = facts.dtype(0);
                                if (type != DType::f32 && type != DType::f64 && !is_half(type))
                                  return no("only f32, f64, f16 and bf16");
                                return can_run_row_pool(facts);
                              },
                          .run = run_lp_pool,
                          .scratch_bytes = row_pool_scratch<double>});

}  // namespace sdx::ops
