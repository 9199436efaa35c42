// QLinearConvAdd: QLinearAdd of what com.microsoft.QLinearConv gives with channels_last, and of codes of the same
// shape. Inputs 0 to 8 are the convolution's; other codes, their scale and zero point, and those of y follow. Which one
// is a: convolution_is_second.
#include <cmath>

#include "ops/input_rules.h"
#include "ops/quant/nhwc_qlinear_conv.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qlinear_conv_add(InferContext& ctx) {
  constexpr DTypeSet kScale = set_of(DType::f32);
  constexpr InputRule kRules[] = {{0, kBytes},  {1, kScale},  {2, kBytes},
                                  {3, kBytes},  {4, kScale},  {5, kBytes},
                                  {6, kScale},  {7, kBytes},  {8, set_of(DType::i32), kOptional},
                                  {9, kBytes},  {10, kScale}, {11, kBytes},
                                  {12, kScale}, {13, kBytes}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_ASSIGN(Facts facts, infer_nhwc_qlinear_conv(ctx));
  for (const size_t i : {size_t{9}, size_t{13}})
    if (ctx.dtype(i) != ctx.dtype(7))
      return ctx.fail("input {} is {}, the convolution gives {}", i, name(ctx.dtype(i)), name(ctx.dtype(7)));
  const Fact made = facts.list[0];
  if (!made.has_rank() || !ctx.has_rank(9)) return facts;
  if (ctx.input(9).rank() != made.rank())
    return ctx.fail("the summand has rank {}, the convolution gives {}", ctx.input(9).rank(), made.rank());
  for (int axis = 0; axis < made.rank(); ++axis)
    SDX_TRY(ctx.require({Constraint::Kind::equal, made.dim(axis), ctx.input(9).dim(axis)}, "the summand's size"));
  return facts;
}

Status qlinear_conv_add_reference(KernelContext& ctx) {
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const ConvolutionSum own, convolution_sum(ctx));
  SDX_ASSIGN(Tensor codes, Tensor::allocate(y.dtype(), y.shape()));
  SDX_TRY(convolve_codes(ctx, codes));
  const QlinearSum sum = qlinear_sum(own.scales);
  for (int64_t i = 0; i < y.count(); ++i) {
    const auto made = static_cast<float>(load_i64(codes, i)), other = static_cast<float>(load_i64(ctx.input(9), i));
    const float first = own.is_second ? other : made, second = own.is_second ? made : other;
    store_quantized(y, i, std::fma(first, sum.ratio, std::fma(second, sum.other, sum.rest)), 0);
  }
  return {};
}

}  // namespace

Result<ConvolutionSum> convolution_sum(const KernelContext& ctx) {
  ConvolutionSum made{.scales = {}, .is_second = ctx.attr_int("convolution_is_second", 0) != 0};
  SDX_ASSIGN(const ScaleAndZero own, scale_and_zero(ctx, 6));
  SDX_ASSIGN(const ScaleAndZero other, scale_and_zero(ctx, 10));
  SDX_ASSIGN(made.scales.y, scale_and_zero(ctx, 12));
  made.scales.a = made.is_second ? other : own;
  made.scales.b = made.is_second ? own : other;
  return made;
}

SDX_OP(qlinear_conv_add) = {
    .name = "QLinearConvAdd",
    .domain = "sardonyx",
    .infer = infer_qlinear_conv_add,
    .reference = qlinear_conv_add_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
