// QGemm: whole products, with C along the columns in the sums.
#include "base/element.h"
#include "ops/quant/product_plan.h"

namespace sdx::ops {
namespace {

Turned turned(const Attributes& attributes, std::string_view name) {
  return attributes.get_int(name, 0) != 0 ? Turned::yes : Turned::no;
}

Verdict can_run_qgemm(const NodeFacts& facts) {
  const auto columns = facts.input(4).known_shape();
  if (!columns || columns->size() > 1) return no("only one scale for b, or one a column");
  return yes();
}

// Sums plus C, where C is not one value a column.
void add_elements(const Tensor& c, const ProductBlock& block) {
  const auto stride = [&](int from_end, int64_t elements) {
    return c.rank() >= from_end && c.dim(c.rank() - from_end) > 1 ? elements : 0;
  };
  const int64_t of_rows = stride(2, c.rank() == 2 ? c.dim(1) : 0), of_columns = stride(1, 1);
  for (int64_t row = 0; row < block.rows; ++row)
    for (int64_t j = 0; j < block.columns; ++j) {
      int32_t& sum = block.c[row * block.c_stride + j];
      const int32_t more = c.data<int32_t>()[(block.first_row + row) * of_rows + (block.column + j) * of_columns];
      sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(more));
    }
}

Status run_qgemm(KernelContext& ctx) {
  for (const size_t i : {1, 2, 7, 8})
    if (ctx.has_input(i) && ctx.input(i).count() != 1) return invalid_argument("input {} must be a scalar", i);
  Tensor& y = ctx.output(0);
  const int64_t n = y.dim(1);
  const Tensor& b_scale = ctx.input(4);
  SDX_TRY(line_parameters(b_scale, n, 1, "b_scale").status());
  SDX_TRY(line_parameters(ctx.input(5), n, 1, "b_zero_point").status());
  const Tensor* c = ctx.has_input(6) ? &ctx.input(6) : nullptr;
  const bool along_columns = c != nullptr && c->count() == n && c->rank() > 0 && c->dim(c->rank() - 1) == n;
  ScratchParts scratch(ctx);
  const std::span<float> scales = scratch.take<float>(n);
  const float a_scale = ctx.attr_float("alpha", 1) * ctx.input(1).data<float>()[0];
  for (int64_t i = 0; i < std::min(n, b_scale.count()); ++i) {
    const float scale = a_scale * b_scale.data<float>()[i];
    scales[static_cast<size_t>(i)] = ctx.has_input(7) ? scale / ctx.input(7).data<float>()[0] : scale;
  }
  const int step = b_scale.count() == 1 ? 0 : 1;
  const ProductOperands operands{.a = &ctx.input(0),
                                 .a_zero = &ctx.input(2),
                                 .b = &ctx.input(3),
                                 .b_zero = &ctx.input(5),
                                 .column_bias = along_columns ? c->data<int32_t>() : nullptr,
                                 .a_turned = turned(ctx.attributes(), "transA"),
                                 .b_turned = turned(ctx.attributes(), "transB")};
  const auto scale = scale_sums_kernel();
  const auto requantize = requantize_kernel();
  Requantization to;
  if (ctx.has_input(8))
    to = {.zero = static_cast<int32_t>(load_i64(ctx.input(8), 0)), .is_signed = ctx.input(8).dtype() == DType::i8};
  return run_product(ctx, operands, scratch, [&](const ProductBlock& block) {
    if (c != nullptr && !along_columns) add_elements(*c, block);
    for (int64_t row = 0; row < block.rows; ++row) {
      const int32_t* from = block.c + row * block.c_stride;
      const float* by = scales.data() + step * block.column;
      const int64_t at = (block.first_row + row) * n + block.column;
      const auto count = static_cast<size_t>(block.columns);
      if (ctx.has_input(7))
        requantize(from, 0, by, step, to, y.data<uint8_t>() + at, count);
      else
        scale(from, by, step, nullptr, y.data<float>() + at, count);
    }
  });
}

Dim qgemm_scratch(const ScratchFacts& facts) {
  ScratchSize size(facts);
  size.part(size.output(0, 1), sizeof(float));
  const Attributes& attributes = facts.node.attributes();
  return facts.symbols.add(size.bytes(), product_scratch(facts, 0, 3, facts.node.dtype(0), turned(attributes, "transA"),
                                                         turned(attributes, "transB")));
}

}  // namespace

SDX_CPU_KERNELS(
    qgemm,
    {.name = "qgemm_8",
     .can_run = can_run_qgemm,
     .prepare = [](const NodeFacts& f) { return prepare_panels(f.constant(3), turned(f.attributes(), "transB")); },
     .run = run_qgemm,
     .packs_inputs = input_bit(3),
     .scratch_bytes = qgemm_scratch,
     .packed_bytes =
         [](const NodeFacts& f) { return packed_panels_bytes(f.constant(3), turned(f.attributes(), "transB")); }});

}  // namespace sdx::ops
