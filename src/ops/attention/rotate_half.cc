#include "ops/attention/rotate_half.h"

#include "base/element.h"
#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_rotate_half(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}, {2, kTypes}};
  SDX_TRY(check_inputs(ctx, kRules));
  if (!ctx.has_rank(0)) return infer_same_as_first(ctx);
  if (ctx.rank(0) != 4) return ctx.fail("x has rank {}, 4 is wanted", ctx.rank(0));
  SymShape x = *ctx.input(0).shape;
  if (x[3].is_known() && x[3].known() % 2 != 0)
    return ctx.fail("x has {} channels, an even number is wanted", x[3].known());
  ctx.assume({Constraint::Kind::divides, x[3], Dim(2)});
  if (ctx.attr_int("by_position", 0) != 0) std::swap(x[1], x[2]);
  for (const size_t i : {size_t{1}, size_t{2}}) {
    const std::string_view name = i == 1 ? "cos" : "sin";
    if (!ctx.has_rank(i)) return ctx.fail("the rank of {} is not known", name);
    if (ctx.rank(i) < 1 || ctx.rank(i) > 4) return ctx.fail("{} has rank {}, 1 to 4 is wanted", name, ctx.rank(i));
    SDX_TRY(ctx.same(ctx.dim(i, ctx.rank(i) - 1), x[3], formatted("channels of {} and x", name)).status());
    for (int axis = 0; axis + 1 < ctx.rank(i); ++axis) {
      const Dim &own = ctx.dim(i, axis), &wanted = x[static_cast<size_t>(axis + 4 - ctx.rank(i))];
      if (own.is_known() && wanted.is_known() && !own.is(1) && own.known() != wanted.known())
        return ctx.fail("dimension {} of {} is {}, 1 or {} is wanted", axis, name, own.known(), wanted.known());
      ctx.assume_broadcasts_to(own, wanted);
    }
  }
  return infer_same_as_first(ctx);
}

Status rotate_half_reference(KernelContext& ctx) {
  const RotateHalf a = RotateHalf::of(ctx);
  const Tensor &x = ctx.input(0), &cosines = ctx.input(1), &sines = ctx.input(2);
  const int64_t half = a.size / 2;
  for (int64_t row = 0; row < a.rows(); ++row) {
    const int64_t c = a.table_row(a.cos_strides, row), s = a.table_row(a.sin_strides, row), first = row * a.size;
    for (int64_t d = 0; d < a.size; ++d) {
      const bool second = a.interleaved ? d % 2 != 0 : d >= half;
      const int64_t step = a.interleaved ? 1 : half;
      const double turned = second ? load_double(x, first + d - step) : -load_double(x, first + d + step);
      store_double(ctx.output(0), first + d,
                   load_double(x, first + d) * load_double(cosines, c + d) + turned * load_double(sines, s + d));
    }
  }
  return {};
}

}  // namespace

RotateHalf RotateHalf::of(const KernelContext& ctx) {
  RotateHalf a;
  const Tensor& x = ctx.input(0);
  a.size = x.dim(3);
  for (int axis = 0; axis < 3; ++axis) a.sizes[axis] = x.dim(axis);
  a.interleaved = ctx.attr_int("interleaved", 0) != 0;
  const bool by_position = ctx.attr_int("by_position", 0) != 0;
  const auto strides_of = [&](const Tensor& table, int64_t(&strides)[3]) {
    int64_t stride = a.size;
    for (int axis = table.rank() - 2; axis >= 0; --axis) {
      const int place = axis + 4 - table.rank();
      if (table.dim(axis) != 1) strides[by_position && place > 0 ? 3 - place : place] = stride;
      stride *= table.dim(axis);
    }
  };
  strides_of(ctx.input(1), a.cos_strides);
  strides_of(ctx.input(2), a.sin_strides);
  return a;
}

SDX_OP(rotate_half) = {
    .name = "RotateHalf",
    .domain = "sardonyx",
    .infer = infer_rotate_half,
    .reference = rotate_half_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
