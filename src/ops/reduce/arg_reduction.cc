#include "ops/reduce/arg_reduction.h"

#include <cmath>

#include "base/element.h"

namespace sdx::ops {

Result<Facts> infer_arg_reduction(InferContext& ctx) {
  const Fact& data = ctx.input(0);
  if (!data.has_rank()) return tensor_fact(DType::i64, std::nullopt);
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), std::max(data.rank(), 1)));
  if (data.rank() == 0) return tensor_fact(DType::i64, SymShape());
  if (data.dim(axis).is(0)) return ctx.fail("axis {} has no elements", axis);
  ctx.assume({Constraint::Kind::at_least, data.dim(axis), Dim(1)});
  SymShape shape = *data.shape;
  if (ctx.attr_int("keepdims", 1) != 0) {
    shape[static_cast<size_t>(axis)] = Dim(1);
  } else {
    shape.erase(shape.begin() + axis);
  }
  return tensor_fact(DType::i64, std::move(shape));
}

AxisView arg_view(KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  const int64_t rank = std::max<int64_t>(static_cast<int64_t>(shape.size()), 1);
  return {shape, *normalize_axis(ctx.attr_int("axis", 0), rank)};
}

namespace {

// better(a, b): a replaces b.
template <typename Load, typename Better>
void pick(const AxisView& view, int64_t* y, Load load, Better better) {
  for (int64_t line = 0; line < view.lines(); ++line) {
    const int64_t first = view.first_of(line);
    auto best = load(first);
    int64_t at = 0;
    for (int64_t i = 1; i < view.size; ++i) {
      const auto v = load(first + i * view.inner);
      if (better(v, best)) {
        best = v;
        at = i;
      }
    }
    std::memcpy(y + line, &at, sizeof(at));
  }
}

}  // namespace

Status reference_arg_reduction(KernelContext& ctx, ArgKind kind) {
  const Tensor& x = ctx.input(0);
  const AxisView view = arg_view(ctx);
  auto* y = ctx.output(0).data<int64_t>();
  const bool last = ctx.attr_int("select_last_index", 0) != 0, smallest = kind == ArgKind::min;
  const auto compare = [&](auto a, auto b) { return smallest ? a < b : a > b; };
  if (is_floating(x.dtype())) {
    pick(
        view, y, [&](int64_t i) { return load_double(x, i); },
        [&](double a, double b) {
          if (std::isnan(b)) return last && std::isnan(a);
          return std::isnan(a) || compare(a, b) || (last && a == b);
        });
  } else if (is_unsigned_integer(x.dtype())) {
    pick(
        view, y, [&](int64_t i) { return static_cast<uint64_t>(load_i64(x, i)); },
        [&](uint64_t a, uint64_t b) { return compare(a, b) || (last && a == b); });
  } else {
    pick(
        view, y, [&](int64_t i) { return load_i64(x, i); },
        [&](int64_t a, int64_t b) { return compare(a, b) || (last && a == b); });
  }
  return {};
}

}  // namespace sdx::ops
