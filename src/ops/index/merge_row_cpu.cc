#include "base/simd_targets.h"  // first

#include "ops/elementwise-inl.h"
#include "ops/index/merge_row.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

struct Merge {
  template <class Op>
  static void rows(float* y, const float* updates, size_t count, Op op) {
    map_binary(y, 1, updates, 1, y, count, op);
  }
  static void none(float* y, const float* updates, size_t count) {
    rows(y, updates, count, [](auto, auto, auto update) HWY_ATTR { return update; });
  }
  static void add(float* y, const float* updates, size_t count) {
    rows(y, updates, count, [](auto, auto old, auto update) HWY_ATTR { return hn::Add(old, update); });
  }
  static void mul(float* y, const float* updates, size_t count) {
    rows(y, updates, count, [](auto, auto old, auto update) HWY_ATTR { return hn::Mul(old, update); });
  }
  // NaN wins.
  static void max(float* y, const float* updates, size_t count) {
    rows(y, updates, count, [](auto, auto old, auto update) HWY_ATTR {
      return hn::IfThenElse(hn::Or(hn::IsNaN(old), hn::Le(update, old)), old, update);
    });
  }
  static void min(float* y, const float* updates, size_t count) {
    rows(y, updates, count, [](auto, auto old, auto update) HWY_ATTR {
      return hn::IfThenElse(hn::Or(hn::IsNaN(old), hn::Ge(update, old)), old, update);
    });
  }
};

constexpr ops::MergeRowF32 kRows[] = {Merge::none, Merge::add, Merge::mul, Merge::max, Merge::min};
const ops::MergeRowF32* rows() { return kRows; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

MergeRowF32 merge_row_f32(Reduction reduction) { return SDX_DISPATCH(rows)()[static_cast<size_t>(reduction)]; }

}  // namespace sdx::ops
#endif
