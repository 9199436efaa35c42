#include "ops/quant/quantize_rules.h"

#include "ops/quant/quantization.h"

namespace sdx::ops {
namespace {

// The scale fits the input, and the zero point the scale, as far as is known.
Status check_parameters(const InferContext& ctx) {
  if (ctx.has_input(2) && ctx.has_rank(1) && ctx.has_rank(2)) {
    const auto scale = ctx.input(1).known_shape(), zero = ctx.input(2).known_shape();
    if (scale && zero && !(*scale == *zero) && !(count_of(*scale) == 1 && count_of(*zero) == 1))
      return ctx.fail("zero point has shape {}, scale has {}", to_text(*zero), to_text(*scale));
  }
  const auto shape = ctx.input(0).known_shape(), scale = ctx.input(1).known_shape();
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
