#include "ops/quant/product_plan.h"

namespace sdx::ops {

Verdict has_float_tail(const NodeFacts& facts, size_t a_scale, size_t b_scale) {
  if (facts.dtype(b_scale) != DType::f32) return no("only float32 scales");
  const auto columns = facts.input(b_scale).known_shape();
  if (!columns || columns->size() > 1) return no("only one scale for b, or one a column");
  if (a_scale == SIZE_MAX) return yes();
  const auto rows = facts.input(a_scale).known_shape();
  if (!rows || count_of(*rows) != 1) return no("only one scale for a");
  return yes();
}

Dim float_product_scratch(const ScratchFacts& facts, size_t a, size_t b, DType a_type) {
  if (!facts.node.has_rank(b)) return facts.symbols.fresh();
  ScratchSize size(facts);
  size.part(facts.node.rank(b) > 1 ? size.input(b, -1) : Dim(1), sizeof(float));
  return facts.symbols.add(size.bytes(), product_scratch(facts, a, b, a_type));
}

Status run_float_product(KernelContext& ctx, const ProductOperands& operands, const FloatTail& tail,
                         ScratchParts scratch) {
  const Tensor &b = *operands.b, &b_scale = *tail.b_scale;
  const int64_t n = b.rank() > 1 ? b.dim(b.rank() - 1) : 1;
  if (b_scale.count() != 1 && b_scale.count() != n)
    return invalid_argument("b_scale has {} values, 1 or {} are wanted", b_scale.count(), n);
  if (tail.bias != nullptr && tail.bias->count() != n)
    return invalid_argument("the bias has {} values, {} are wanted", tail.bias->count(), n);
  const std::span<float> scales = scratch.take<float>(n);
  const int step = b_scale.count() == 1 ? 0 : 1;
  for (int64_t i = 0; i < std::min(n, b_scale.count()); ++i)
    scales[static_cast<size_t>(i)] = tail.a_scale * b_scale.data<float>()[i];
  const float* bias = tail.bias == nullptr ? nullptr : tail.bias->data<float>();
  const auto scale = scale_sums_kernel();
  return run_product(ctx, operands, scratch, [&](const ProductBlock& block) {
    for (int64_t row = 0; row < block.rows; ++row)
      scale(block.c + row * block.c_stride, scales.data() + step * block.column, step,
            bias == nullptr ? nullptr : bias + block.column,
            tail.y + (block.first_row + row) * block.width + block.column, static_cast<size_t>(block.columns));
  });
}

}  // namespace sdx::ops
