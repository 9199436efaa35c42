// Add for float32, float64, int32 and int64.
#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct AddOp {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

void add_f32(const float* a, int a_step, const float* b, int b_step, float* y, size_t n) {
  map_binary(a, a_step, b, b_step, y, n, AddOp());
}
void add_f64(const double* a, int a_step, const double* b, int b_step, double* y, size_t n) {
  map_binary(a, a_step, b, b_step, y, n, AddOp());
}
void add_i32(const int32_t* a, int a_step, const int32_t* b, int b_step, int32_t* y, size_t n) {
  map_binary(a, a_step, b, b_step, y, n, AddOp());
}
void add_i64(const int64_t* a, int a_step, const int64_t* b, int b_step, int64_t* y, size_t n) {
  map_binary(a, a_step, b, b_step, y, n, AddOp());
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

SDX_CPU_KERNELS(add,
                {.name = "add_f32",
                 .can_run = takes<DType::f32>,
                 .run = [](KernelContext& ctx) { return run_binary<float, float>(ctx, SDX_DISPATCH(add_f32)); }},
                {.name = "add_f64",
                 .can_run = takes<DType::f64>,
                 .run = [](KernelContext& ctx) { return run_binary<double, double>(ctx, SDX_DISPATCH(add_f64)); }},
                {.name = "add_i32",
                 .can_run = takes<DType::i32>,
                 .run = [](KernelContext& ctx) { return run_binary<int32_t, int32_t>(ctx, SDX_DISPATCH(add_i32)); }},
                {.name = "add_i64", .can_run = takes<DType::i64>, .run = [](KernelContext& ctx) {
                   return run_binary<int64_t, int64_t>(ctx, SDX_DISPATCH(add_i64));
                 }});

}  // namespace sdx::ops
#endif
