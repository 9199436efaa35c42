// QLinearConcat: the inputs (tensor, scale, zero point each, from input 2 on) requantized and put one after another, in
// float32 (as onnxruntime 1.32 answers).
#include "ops/input_rules.h"
#include "ops/quant/qlinear.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qlinear_concat(InferContext& ctx) {
  if (ctx.input_count() < 5 || (ctx.input_count() - 2) % 3 != 0)
    return ctx.fail("there are {} inputs: 2, and 3 for each tensor are wanted", ctx.input_count());
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    const DTypeSet wanted = i == 0 || (i > 1 && i % 3 == 0) ? set_of(DType::f32) : kBytes;
    if (!ctx.has_input(i)) return ctx.fail("input {} is missing", i);
    if (ctx.dtype(i) != DType::undefined && !contains(wanted, ctx.dtype(i)))
      return ctx.fail("input {} has type {}, which this operator does not take", i, name(ctx.dtype(i)));
  }
  const auto* axis_attribute = ctx.attributes().get<int64_t>("axis");
  if (axis_attribute == nullptr) return ctx.fail("attribute axis is missing");
  std::optional<SymShape> shape;
  for (size_t i = 2; i < ctx.input_count(); i += 3) {
    if (!ctx.has_rank(i)) return tensor_fact(ctx.dtype(1), std::nullopt);
    const SymShape& own = *ctx.input(i).shape;
    SDX_ASSIGN(const int axis, ctx.axis(*axis_attribute, static_cast<int>(own.size())));
    if (!shape) {
      shape = own;
      continue;
    }
    if (own.size() != shape->size())
      return ctx.fail("input {} has rank {}, input 2 has rank {}", i, own.size(), shape->size());
    for (size_t d = 0; d < own.size(); ++d) {
      if (d == static_cast<size_t>(axis)) {
        (*shape)[d] = ctx.symbols().add((*shape)[d], own[d]);
      } else {
        SDX_ASSIGN((*shape)[d], ctx.same((*shape)[d], own[d], formatted("dimension {} of input {}", d, i)));
      }
    }
  }
  return tensor_fact(ctx.dtype(1), std::move(shape));
}

Status qlinear_concat_reference(KernelContext& ctx) {
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 0));
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), y.rank()));
  const int64_t outer = count_range(y.shape(), 0, axis), row = count_range(y.shape(), axis, y.shape().size());
  int64_t first = 0;
  for (size_t i = 2; i < ctx.input_count(); i += 3) {
    const Tensor& x = ctx.input(i);
    SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, i + 1));
    const int64_t run = count_range(x.shape(), axis, x.shape().size());
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t k = 0; k < run; ++k) {
        const float value = static_cast<float>(load_i64(x, o * run + k) - from.zero) * from.scale;
        store_quantized(y, o * row + first + k, value / to.scale, static_cast<double>(to.zero));
      }
    }
    first += run;
  }
  return {};
}

}  // namespace

SDX_OP(qlinear_concat) = {
    .name = "QLinearConcat",
    .domain = "com.microsoft",
    .infer = infer_qlinear_concat,
    .reference = qlinear_concat_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
