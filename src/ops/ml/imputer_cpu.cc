// Imputer for float32, doubles and int64.
#include "ops/elementwise.h"
#include "ops/ml/imputer.h"

namespace sdx::ops {
namespace {

template <typename T, typename Value>
Status impute(KernelContext& ctx, T replaced, std::span<const Value> values) {
  const Tensor& x = ctx.input(0);
  const auto count = static_cast<int64_t>(values.size());
  const T* from = x.data<T>();
  T* to = ctx.output(0).data<T>();
  const bool replaces_nan = replaced != replaced;
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    int64_t column = begin % count;
    for (int64_t i = begin; i < end; ++i) {
      const T v = from[i];
      const bool is_hit = replaces_nan ? v != v : v == replaced;
      to[i] = is_hit ? static_cast<T>(values[static_cast<size_t>(column)]) : v;
      if (++column == count) column = 0;
    }
  });
}

Status run_imputer(KernelContext& ctx) {
  SDX_TRY(check_imputed(ctx));
  const DType type = ctx.input(0).dtype();
  if (type == DType::i64)
    return impute<int64_t>(ctx, ctx.attr_int("replaced_value_int64", 0), ctx.attr_ints("imputed_value_int64s"));
  const auto values = ctx.attributes().get_floats("imputed_value_floats");
  const float replaced = ctx.attr_float("replaced_value_float", 0);
  return type == DType::f32 ? impute<float>(ctx, replaced, values)
                            : impute<double>(ctx, static_cast<double>(replaced), values);
}

Verdict takes_numbers(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  return type == DType::f32 || type == DType::f64 || type == DType::i64 ? yes() : no("only f32, f64 and i64");
}

}  // namespace

SDX_CPU_KERNELS(imputer, {.name = "imputer", .can_run = takes_numbers, .run = run_imputer});

}  // namespace sdx::ops
