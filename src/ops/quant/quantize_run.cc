#include "ops/quant/quantize_run.h"

#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

std::vector<int32_t> zeros_of(const KernelContext& ctx) {
  std::vector<int32_t> zeros(static_cast<size_t>(ctx.input(1).count()), 0);
  for (size_t i = 0; ctx.has_input(2) && i < zeros.size(); ++i)
    zeros[i] = static_cast<int32_t>(load_i64(ctx.input(2), static_cast<int64_t>(i)));
  return zeros;
}

template <typename From, typename To, typename RowKernel>
Status run_rows(KernelContext& ctx, RowKernel kernel, int is_signed) {
  const Tensor &x = ctx.input(0), &scale = ctx.input(1);
  SDX_ASSIGN(const Granularity how,
             granularity(x.shape(), scale.shape(), ctx.attr_int("axis", 1), ctx.attr_int("block_size", 0)));
  if (ctx.has_input(2) && ctx.input(2).count() != scale.count())
    return invalid_argument("zero point has shape {}, scale has {}", to_text(ctx.input(2).shape()),
                            to_text(scale.shape()));
  const ScaleRuns runs(how, x.count());
  if (runs.rows == 0) return {};
  const std::vector<int32_t> zeros = zeros_of(ctx);
  const auto* from = x.data<From>();
  auto* to = ctx.output(0).data<To>();
  const auto piece = [&](int64_t row, int64_t first, int64_t count) {
    const int64_t at = runs.row_first(row) + first, scale_at = runs.scale_of_row(row) + runs.step * first;
    kernel(from + at, {scale.data<float>() + scale_at, zeros.data() + scale_at, runs.step}, is_signed, to + at,
           static_cast<size_t>(count));
  };
  if (runs.row_size > kElementwiseGrain) {
    const int64_t pieces = (runs.row_size + kElementwiseGrain - 1) / kElementwiseGrain;
    return parallel_ranges(ctx, runs.rows * pieces, 1, [&](int64_t block, int64_t) {
      const int64_t row = block / pieces, first = block % pieces * kElementwiseGrain;
      const int64_t count = std::min(kElementwiseGrain, runs.row_count(row) - first);
      if (count > 0) piece(row, first, count);
    });
  }
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(runs.row_size, 1));
  return parallel_ranges(ctx, runs.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) piece(row, 0, runs.row_count(row));
  });
}

}  // namespace

Verdict can_quantize_8(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32 || facts.dtype(1) != DType::f32) return no("only float32 x and scale");
  const int64_t type = facts.attr_int("output_dtype", 0), precision = facts.attr_int("precision", 0);
  if (precision != 0 && precision != 1) return no("only float32 precision");
  if (facts.has_input(2) ? !contains(kBytes, facts.dtype(2)) : type != 0 && type != 2 && type != 3)
    return no("only to 8-bit integers");
  return yes();
}

Verdict can_dequantize_8(const NodeFacts& facts) {
  if (!contains(kBytes, facts.dtype(0))) return no("only 8-bit integers");
  if (facts.dtype(1) != DType::f32 || facts.attr_int("output_dtype", 1) > 1) return no("only to float32");
  return yes();
}

Status run_quantize_8(KernelContext& ctx) {
  return run_rows<float, uint8_t>(ctx, quantize_row_kernel(), ctx.output(0).dtype() == DType::i8 ? 1 : 0);
}
Status run_dequantize_8(KernelContext& ctx) {
  return run_rows<uint8_t, float>(ctx, dequantize_row_kernel(), ctx.input(0).dtype() == DType::i8 ? 1 : 0);
}

}  // namespace sdx::ops
