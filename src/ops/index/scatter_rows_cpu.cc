// ScatterRows for float32. Columns do not touch each other, so they may run in parallel.
#include "ops/copy_bytes.h"
#include "ops/elementwise.h"
#include "ops/index/indices.h"
#include "ops/index/merge_row.h"

namespace sdx::ops {
namespace {

constexpr int64_t kStrip = 1024;        // columns, where there are many rows
constexpr int64_t kFewElements = 8192;  // updates of one outer position that are not worth cutting

struct RowScatter {
  int64_t outer, size, picks, inner;
  std::vector<int64_t> rows;
  const float* updates;
  float* y;
  MergeRowF32 merge;

  void columns(int64_t o, int64_t first, int64_t count) const {
    for (int64_t k = 0; k < picks; ++k)
      merge(y + (o * size + rows[static_cast<size_t>(k)]) * inner + first, updates + (o * picks + k) * inner + first,
            static_cast<size_t>(count));
  }
};

Status run_scatter_rows(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &updates = ctx.input(2);
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  RowScatter scatter{.outer = count_range(data.shape(), 0, axis),
                     .size = data.shape()[axis],
                     .picks = updates.shape()[axis],
                     .inner = count_range(data.shape(), axis + 1, data.shape().size()),
                     .rows = {},
                     .updates = updates.data<float>(),
                     .y = y.data<float>(),
                     .merge = merge_row_f32(reduction)};
  SDX_ASSIGN(scatter.rows, checked_indices(ctx.input(1), scatter.size));
  SDX_TRY(copy_bytes(ctx, data, y));
  if (updates.count() == 0) return {};
  if (scatter.picks * scatter.inner <= kFewElements) {
    const int64_t together = kFewElements / (scatter.picks * scatter.inner);
    return parallel_ranges(ctx, scatter.outer, together, [&](int64_t begin, int64_t end) {
      for (int64_t o = begin; o < end; ++o) scatter.columns(o, 0, scatter.inner);
    });
  }
  const int64_t strips = (scatter.inner + kStrip - 1) / kStrip;
  return parallel_ranges(ctx, scatter.outer * strips, 1, [&](int64_t block, int64_t) {
    const int64_t first = block % strips * kStrip;
    scatter.columns(block / strips, first, std::min(kStrip, scatter.inner - first));
  });
}

}  // namespace

SDX_CPU_KERNELS(scatter_rows, {.name = "scatter_rows_f32", .can_run = takes<DType::f32>, .run = run_scatter_rows});

}  // namespace sdx::ops
