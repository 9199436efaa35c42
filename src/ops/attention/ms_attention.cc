// com.microsoft's Attention: q, k and v = input weights + bias, then softmax(scale * q k^T + score bias + mask) v of
// the heads. A hidden key's score is lowered by mask_filter_value; with unidirectional a later key takes no part. As
// onnxruntime 1.32 answers.
#include "ops/attention/ms_attention.h"
#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_ms_attention(InferContext& ctx) {
  constexpr DTypeSet kT = kShortFloats;
  constexpr InputRule kRules[] = {
      {0, kT}, {1, kT}, {2, kT, kOptional}, {3, set_of(DType::i32), kOptional}, {4, kT, kOptional}, {5, kT, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  return infer_projected_attention(ctx, kAttentionInputs, ctx.dtype(0));
}

Status ms_attention_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  const int64_t rows = x.dim(0) * x.dim(1), depth = x.dim(2), width = w.dim(1);
  SDX_ASSIGN(Tensor projected, Tensor::allocate(x.dtype(), Shape{x.dim(0), x.dim(1), width}));
  for (int64_t i = 0; i < rows; ++i) {
    SDX_TRY(ctx.check_cancelled());
    for (int64_t j = 0; j < width; ++j) {
      double sum = ctx.has_input(2) ? load_double(ctx.input(2), j) : 0;
      for (int64_t k = 0; k < depth; ++k) sum += load_double(x, i * depth + k) * load_double(w, k * width + j);
      store_double(projected, i * width + j, sum);
    }
  }
  return run_projected_attention(ctx, kAttentionInputs, projected, AttendPath::reference, nullptr);
}

}  // namespace

SDX_OP(ms_attention) = {
    .name = "Attention",
    .domain = "com.microsoft",
    .infer = infer_ms_attention,
    .reference = ms_attention_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
