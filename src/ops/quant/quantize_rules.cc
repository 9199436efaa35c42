#include "ops/quant/quantize_rules.h"

#include "ops/quant/quantization.h"

namespace sdx::ops {
namespace {

// What `granularity` wants of shapes that are not numbers.
void assume_granularity(const InferContext& ctx) {
  using Kind = Constraint::Kind;
  const int64_t block = ctx.attr_int("block_size", 0);
  const SymShape &shape = *ctx.input(0).shape, &scale = *ctx.input(1).shape;
  if (block < 0) return ctx.leave_to_run();
  if (scale.empty()) return;
  const auto rank = static_cast<int64_t>(shape.size());
  const auto axis = rank == 1 ? std::optional<int>(0) : normalize_axis(ctx.attr_int("axis", 1), rank);
  const bool fits = block > 0 ? axis && scale.size() == shape.size() : axis && scale.size() == 1;
  if (block > 0 && !fits) return ctx.leave_to_run();
  if (!fits) return ctx.assume({Kind::equal, ctx.element_count(1), Dim(1)});
  const auto at = static_cast<size_t>(*axis);
  if (block == 0) return ctx.assume_broadcasts_to(scale[0], shape[at]);
  for (size_t d = 0; d < shape.size(); ++d)
    ctx.assume({Kind::equal, scale[d], d == at ? ctx.symbols().ceil_div(shape[d], Dim(block)) : shape[d]});
}

// The zero point has the scale's shape, or both have one element.
void assume_zero_fits_scale(const InferContext& ctx) {
  using Kind = Constraint::Kind;
  if (ctx.rank(1) == ctx.rank(2)) {
    for (int d = 0; d < ctx.rank(1); ++d) ctx.assume({Kind::equal, ctx.dim(1, d), ctx.dim(2, d)});
    return;
  }
  for (const size_t i : {1, 2}) ctx.assume({Kind::equal, ctx.element_count(i), Dim(1)});
}

// The scale fits the input, and the zero point the scale, as far as is known.
Status check_parameters(const InferContext& ctx) {
  if (ctx.has_input(2) && ctx.has_rank(1) && ctx.has_rank(2)) {
    const auto scale = ctx.input(1).known_shape(), zero = ctx.input(2).known_shape();
    if (scale && zero && !(*scale == *zero) && !(count_of(*scale) == 1 && count_of(*zero) == 1))
      return ctx.fail("zero point has shape {}, scale has {}", to_text(*zero), to_text(*scale));
    if (!scale || !zero) assume_zero_fits_scale(ctx);
  }
  const auto shape = ctx.input(0).known_shape(), scale = ctx.input(1).known_shape();
  if (ctx.has_rank(0) && ctx.has_rank(1) && (!shape || !scale)) assume_granularity(ctx);
  if (!shape || !scale) return {};
  return granularity(*shape, *scale, ctx.attr_int("axis", 1), ctx.attr_int("block_size", 0)).status();
}

// Attribute `name` as a type among `allowed`; undefined when it is absent or 0.
Result<DType> type_attribute(const InferContext& ctx, std::string_view name, DTypeSet allowed) {
  const int64_t number = ctx.attr_int(name, 0);
  if (number == 0) return DType::undefined;
  const DType type = dtype_from_onnx(number);
  if (type == DType::undefined || !contains(allowed, type))
    return ctx.fail("attribute {} is {}, which is no type for it", name, number);
  return type;
}

constexpr DTypeSet kQuantized =
    set_of(DType::u8, DType::i8, DType::u16, DType::i16, DType::f8e4m3fn, DType::f8e4m3fnuz, DType::f8e5m2,
           DType::f8e5m2fnuz, DType::u4, DType::i4, DType::f4e2m1, DType::u2, DType::i2, DType::f6e2m3, DType::f6e3m2);
constexpr DTypeSet kFull = set_of(DType::f32, DType::f16, DType::bf16);

}  // namespace

Result<Facts> infer_quantize(InferContext& ctx) {
  SDX_ASSIGN(DType type, type_attribute(ctx, "output_dtype", kQuantized));
  SDX_TRY(type_attribute(ctx, "precision", kFull).status());
  if (ctx.has_input(2) && ctx.dtype(2) != DType::undefined) {
    if (type != DType::undefined && type != ctx.dtype(2))
      return ctx.fail("output_dtype is {}, the zero point has {}", name(type), name(ctx.dtype(2)));
    type = ctx.dtype(2);
  }
  if (type == DType::undefined && !ctx.has_input(2)) type = DType::u8;
  SDX_TRY(check_parameters(ctx));
  return tensor_fact(type, ctx.input(0).shape);
}

Status quantize_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &scale = ctx.input(1);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const Granularity how,
             granularity(x.shape(), scale.shape(), ctx.attr_int("axis", 1), ctx.attr_int("block_size", 0)));
  DType precision = dtype_from_onnx(ctx.attr_int("precision", 0));
  if (precision == DType::undefined) precision = scale.dtype();
  if (!contains(kFull, precision)) precision = is_floating(x.dtype()) ? x.dtype() : DType::f32;
  const Overflow overflow = ctx.attr_int("saturate", 1) != 0 ? Overflow::saturate : Overflow::special;
  for (int64_t i = 0; i < x.count(); ++i) {
    const int64_t at = how.scale_index(i);
    const double numerator = rounded_to(precision, load_double(x, i));
    const double quotient = rounded_to(precision, numerator / rounded_to(precision, load_double(scale, at)));
    const double zero = ctx.has_input(2) ? load_double(ctx.input(2), at) : 0;
    store_quantized(y, i, quotient, zero, overflow);
  }
  return {};
}

Result<Facts> infer_dequantize(InferContext& ctx) {
  SDX_ASSIGN(DType type, type_attribute(ctx, "output_dtype", kFull));
  if (type == DType::undefined) type = ctx.dtype(1);
  if (type == DType::f8e8m0) return ctx.fail("a scale of {} needs attribute output_dtype", name(type));
  SDX_TRY(check_parameters(ctx));
  return tensor_fact(type, ctx.input(0).shape);
}

Status dequantize_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &scale = ctx.input(1);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const Granularity how,
             granularity(x.shape(), scale.shape(), ctx.attr_int("axis", 1), ctx.attr_int("block_size", 0)));
  for (int64_t i = 0; i < x.count(); ++i) {
    const int64_t at = how.scale_index(i);
    double difference = load_double(x, i);
    if (ctx.has_input(2)) difference -= load_double(ctx.input(2), at);
    store_double(y, i, rounded_to(DType::f32, difference) * load_double(scale, at));
  }
  return {};
}

}  // namespace sdx::ops
