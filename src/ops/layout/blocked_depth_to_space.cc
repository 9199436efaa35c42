// BlockedDepthToSpace: x [N, K * blocks, spatial..., 16], where K is the product of `factors`, one a spatial axis, as
// y [N, blocks, spatial * factors..., 16]: y[n, b, p * factors + i, lane] = x[n, i * blocks + b, p, lane].
#include "ops/layout/blocked_depth_to_space.h"

#include <cstring>

#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_blocked_depth_to_space(InferContext& ctx) {
  static constexpr InputRule kRules[] = {{0, kShortFloats | set_of(DType::f64)}};
  SDX_TRY(check_inputs(ctx, kRules));
  const auto factors = ctx.attr_ints("factors");
  int64_t all = 1;
  for (const int64_t factor : factors) {
    const auto product = factor < 1 ? std::nullopt : checked_mul(all, factor);
    if (!product) return ctx.fail("factors holds {}; at least 1 is wanted", factor);
    all = *product;
  }
  const Fact& x = ctx.input(0);
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (factors.empty() || x.rank() != static_cast<int>(factors.size()) + 3)
    return ctx.fail("the input has rank {} for {} factors", x.rank(), factors.size());
  SDX_TRY(ctx.same(x.shape->back(), Dim(kChannelBlock), "lanes").status());
  SymShape shape = *x.shape;
  SDX_TRY(ctx.require({Constraint::Kind::divides, shape[1], Dim(all)}, "blocks of channels"));
  shape[1] = ctx.symbols().floor_div(shape[1], Dim(all));
  for (size_t axis = 0; axis < factors.size(); ++axis)
    shape[axis + 2] = ctx.symbols().mul(shape[axis + 2], Dim(factors[axis]));
  return tensor_fact(x.dtype, std::move(shape));
}

Status blocked_depth_to_space_reference(KernelContext& ctx) {
  const DepthRows rows(ctx);
  for (int64_t row = 0; row < rows.count(); ++row) {
    SDX_TRY(ctx.check_cancelled());
    rows.copy(row);
  }
  return {};
}

}  // namespace

DepthRows::DepthRows(KernelContext& ctx) : y_(ctx.output(0).bytes()), x_(ctx.input(0).bytes()) {
  const Shape &x = ctx.input(0).shape(), &y = ctx.output(0).shape();
  const auto factors = ctx.attr_ints("factors");
  const size_t last = factors.size() - 1;
  blocks_ = y[1];
  for (size_t axis = 0; axis < factors.size(); ++axis) {
    in_.push_back(x[axis + 2]);
    factors_.push_back(factors[axis]);
  }
  count_ = y[0] * y[1] * count_range(y, 2, last + 2);
  if (ctx.output(0).count() == 0) count_ = 0;
  lane_bytes_ = count_ == 0 ? 0 : ctx.output(0).byte_size() / static_cast<size_t>(ctx.output(0).count()) * 16;
}

void DepthRows::copy(int64_t row) const {
  const size_t last = in_.size() - 1;
  // Where the row lies: its offset among the factors, its position in the input.
  int64_t rest = row, at = 0, step = 1, part = 0, part_step = factors_[last];
  for (size_t axis = last; axis-- > 0;) {
    const int64_t size = in_[axis] * factors_[axis], position = rest % size;
    rest /= size;
    at += position / factors_[axis] * step;
    step *= in_[axis];
    part += position % factors_[axis] * part_step;
    part_step *= factors_[axis];
  }
  const int64_t block = rest % blocks_, image = rest / blocks_, width = in_[last];
  std::byte* to = y_ + static_cast<size_t>(row * width * factors_[last]) * lane_bytes_;
  for (int64_t i = 0; i < factors_[last]; ++i) {
    const int64_t plane = (image * part_step + part + i) * blocks_ + block;
    const std::byte* from = x_ + static_cast<size_t>((plane * step + at) * width) * lane_bytes_;
    for (int64_t p = 0; p < width; ++p)
      std::memcpy(to + static_cast<size_t>(p * factors_[last] + i) * lane_bytes_,
                  from + static_cast<size_t>(p) * lane_bytes_, lane_bytes_);
  }
}

SDX_OP(blocked_depth_to_space) = {
    .name = "BlockedDepthToSpace",
    .domain = "sardonyx",
    .infer = infer_blocked_depth_to_space,
    .reference = blocked_depth_to_space_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
