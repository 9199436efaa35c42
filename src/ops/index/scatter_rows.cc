// ScatterRows: what passes make of ScatterElements whose index is the same along all dimensions but the axis: a copy of
// the data into which row k of the updates is merged at row indices[k] of the axis. The attributes are
// ScatterElements'; the indices have any shape of as many elements as the updates have rows.
#include "ops/index/indices.h"
#include "ops/index/reduction.h"
#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_scatter_rows(InferContext& ctx) {
  static constexpr InputRule kRules[] = {{0, kShortFloats | set_of(DType::f64)},
                                         {1, set_of(DType::i32, DType::i64)},
                                         {2, kShortFloats | set_of(DType::f64)}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_TRY(reduction_of(ctx.attributes()).status());
  const Fact &data = ctx.input(0), &updates = ctx.input(2);
  if (!data.has_rank()) return infer_same_as_first(ctx);
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), data.rank()));
  if (!updates.has_rank()) return infer_same_as_first(ctx);
  if (updates.rank() != data.rank())
    return ctx.fail("data has rank {}, updates have rank {}", data.rank(), updates.rank());
  for (int i = 0; i < data.rank(); ++i)
    if (i != axis)
      SDX_TRY(ctx.same(data.dim(i), updates.dim(i), formatted("dimension {} of data and updates", i)).status());
  if (ctx.has_rank(1))
    SDX_TRY(ctx.same(ctx.element_count(1), updates.dim(axis), "indices and rows of updates").status());
  return infer_same_as_first(ctx);
}

Status scatter_rows_reference(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &updates = ctx.input(2);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_ASSIGN(const std::vector<int64_t> rows, checked_indices(ctx.input(1), data.shape()[axis]));
  std::vector<int64_t> values;
  const int64_t outer = count_range(data.shape(), 0, axis),
                inner = count_range(data.shape(), axis + 1, data.shape().size());
  for (int64_t o = 0; o < outer; ++o)
    for (const int64_t row : rows) values.insert(values.end(), static_cast<size_t>(inner), row);
  std::vector<int64_t> at(values.size());
  for_each_element_on_axis(data.shape(), updates.shape(), axis, values,
                           [&](int64_t to, int64_t i) { at[static_cast<size_t>(i)] = to; });
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  return scatter(ctx, data, updates, at, reduction);
}

}  // namespace

SDX_OP(scatter_rows) = {
    .name = "ScatterRows",
    .domain = "sardonyx",
    .infer = infer_scatter_rows,
    .reference = scatter_rows_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
