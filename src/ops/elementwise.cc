#include "ops/elementwise.h"

namespace sdx::ops {

Status run_unary_f32(KernelContext& ctx, UnaryF32 kernel) {
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, ctx.input(0).count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    kernel(x + begin, y + begin, static_cast<size_t>(end - begin));
  });
}

BroadcastRows::BroadcastRows(std::span<const int64_t> out, std::span<const int64_t> a, std::span<const int64_t> b) {
  const auto stride_of = [&](std::span<const int64_t> shape, const Shape& strides, size_t axis) {
    const size_t offset = out.size() - shape.size();
    return axis < offset || shape[axis - offset] == 1 ? int64_t{0} : strides[axis - offset];
  };
  const Shape a_strides = row_major_strides(a), b_strides = row_major_strides(b);
  // Neighbouring dimensions are one level where both operands step through them evenly.
  for (size_t axis = 0; axis < out.size(); ++axis) {
    if (out[axis] == 1) continue;
    const Level level{out[axis], stride_of(a, a_strides, axis), stride_of(b, b_strides, axis)};
    if (!outer_.empty() && outer_.back().a_stride == level.a_stride * level.size &&
        outer_.back().b_stride == level.b_stride * level.size) {
      outer_.back() = {outer_.back().size * level.size, level.a_stride, level.b_stride};
    } else {
      outer_.push_back(level);
    }
  }
  if (!outer_.empty()) {
    const Level inner = outer_.back();
    outer_.pop_back();
    row_size_ = inner.size;
    a_step_ = inner.a_stride == 0 ? 0 : 1;
    b_step_ = inner.b_stride == 0 ? 0 : 1;
  }
  for (const Level& level : outer_) rows_ *= level.size;
}

std::pair<int64_t, int64_t> BroadcastRows::offsets(int64_t row) const {
  int64_t a_at = 0, b_at = 0;
  for (size_t i = outer_.size(); i-- > 0;) {
    const int64_t position = row % outer_[i].size;
    row /= outer_[i].size;
    a_at += position * outer_[i].a_stride;
    b_at += position * outer_[i].b_stride;
  }
  return {a_at, b_at};
}

}  // namespace sdx::ops
