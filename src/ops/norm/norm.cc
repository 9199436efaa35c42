#include "ops/norm/norm.h"

namespace sdx::ops {

Moments moments(const Tensor& x, const ReductionPlan& plan, int64_t output) {
  double sum = 0, squares = 0;
  const auto count = static_cast<double>(plan.size());
  plan.each(output, [&](int64_t at) { sum += load_double(x, at); });
  const double mean = sum / count;
  plan.each(output, [&](int64_t at) {
    const double difference = load_double(x, at) - mean;
    squares += difference * difference;
  });
  return {mean, squares / count};
}

Status check_channels(const InferContext& ctx, size_t i, std::string_view what, const Dim& channels) {
  if (!ctx.has_input(i)) return ctx.fail("{} is missing", what);
  if (!ctx.has_rank(i)) return {};
  if (ctx.rank(i) != 1) return ctx.fail("{} has rank {}, not 1", what, ctx.rank(i));
  return ctx.same(channels, ctx.dim(i, 0), formatted("channels of x and size of {}", what)).status();
}

Status check_broadcasts_to_first(const InferContext& ctx, size_t i, std::string_view what) {
  if (!ctx.has_input(i) || !ctx.has_rank(i) || !ctx.has_rank(0)) return {};
  const int extra = ctx.rank(0) - ctx.rank(i);
  if (extra < 0) return ctx.fail("{} has rank {}, more than the {} of x", what, ctx.rank(i), ctx.rank(0));
  for (int axis = 0; axis < ctx.rank(i); ++axis) {
    const Dim &own = ctx.dim(i, axis), &wanted = ctx.dim(0, extra + axis);
    if (!own.is(1) && own.is_known() && ctx.symbols().equal(own, wanted) == Truth::no)
      return ctx.fail("dimension {} of {} is {}, that of x {}", axis, what, own.known(), ctx.symbols().to_text(wanted));
    ctx.assume_broadcasts_to(own, wanted);
  }
  return {};
}

Status check_stash_type(const InferContext& ctx) {
  const int64_t value = ctx.attr_int("stash_type", 1);
  switch (dtype_from_onnx(value)) {
    case DType::f32:
    case DType::f16:
    case DType::bf16:
    case DType::f64: return {};
    default:
      return ctx.fail("attribute stash_type is {}; 1 (float), 10 (float16), 11 (double) or 16 (bfloat16) is allowed",
                      value);
  }
}

RowView::RowView(std::span<const int64_t> shape, int64_t axis) {
  const auto normal = normalize_axis(axis, static_cast<int64_t>(shape.size()));
  SDX_CHECK(normal || shape.empty(), "the shape rule let a wrong axis through");
  const auto cut = static_cast<size_t>(normal.value_or(0));
  rows = count_range(shape, 0, cut);
  size = count_range(shape, cut, shape.size());
}

bool is_whole_row(const Tensor& tensor, std::span<const int64_t> x_shape, const RowView& view) {
  if (tensor.count() != view.size || view.size == 0) return false;
  // As many elements as a row has, without repeating any: no dimension of 1 stands against a larger one of the row.
  int64_t wanted = 1;
  for (int i = 1; i <= tensor.rank(); ++i) {
    if (wanted == view.size) break;
    const int64_t dim = x_shape[x_shape.size() - static_cast<size_t>(i)];
    if (tensor.dim(tensor.rank() - i) != dim) return false;
    wanted *= dim;
  }
  return wanted == view.size;
}

int64_t rows_a_block(int64_t row_size) { return std::max<int64_t>(1, 8192 / std::max<int64_t>(1, row_size)); }

BroadcastElements::BroadcastElements(const Tensor* tensor, std::span<const int64_t> x_shape, double otherwise)
    : tensor_(tensor), otherwise_(otherwise), walker_(x_shape, {tensor != nullptr ? tensor->shape() : Shape()}) {}

double BroadcastElements::next() {
  if (tensor_ == nullptr) return otherwise_;
  const double value = load_double(*tensor_, walker_.operand(0));
  walker_.next();
  return value;
}

}  // namespace sdx::ops
