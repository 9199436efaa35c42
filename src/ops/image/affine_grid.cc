// AffineGrid: for every place of an image of the given size, in coordinates from -1 to 1, the place that the affine map
// theta [N, 2, 3] (or [N, 3, 4]) takes it to; the last spatial axis comes first.
#include "ops/image/affine_grid.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_affine_grid(InferContext& ctx) {
  const Fact& theta = ctx.input(0);
  if (theta.has_rank() && theta.rank() != 3) return ctx.fail("theta has rank {}, 3 is wanted", theta.rank());
  const auto size = ctx.elements(1);
  if (!size) return tensor_fact(theta.dtype, std::nullopt);
  if (size->size() != 4 && size->size() != 5) return ctx.fail("size has {} elements, 4 or 5 are wanted", size->size());
  const auto dims = static_cast<int64_t>(size->size()) - 2;
  if (theta.has_rank()) {
    SDX_TRY(ctx.same(theta.dim(0), (*size)[0], "batch of theta and size").status());
    SDX_TRY(ctx.same(theta.dim(1), Dim(dims), "rows of theta").status());
    SDX_TRY(ctx.same(theta.dim(2), Dim(dims + 1), "columns of theta").status());
  }
  SymShape shape{(*size)[0]};
  shape.insert(shape.end(), size->begin() + 2, size->end());
  for (Dim& dim : shape) {
    if (dim.is_known() && dim.known() < 0) return ctx.fail("size holds {}, below 0", dim.known());
    dim = ctx.size_of(dim);
  }
  shape.push_back(Dim(dims));
  return tensor_fact(theta.dtype, std::move(shape));
}

Status affine_grid_reference(KernelContext& ctx) {
  const Tensor& theta = ctx.input(0);
  Tensor& grid = ctx.output(0);
  const Corners corners = corners_of(ctx.attributes());
  const Shape& shape = grid.shape();
  const size_t dims = shape.size() - 2;
  const auto width = static_cast<int64_t>(dims);
  const int64_t points = count_range(shape, 1, dims + 1);
  const Shape strides = row_major_strides(std::span<const int64_t>(shape).subspan(1, dims));
  for (int64_t i = 0; i < shape[0] * points; ++i) {
    double place[4] = {0, 0, 0, 1};
    for (size_t axis = 0; axis < dims; ++axis)
      place[dims - 1 - axis] = grid_coordinate(i % points / strides[axis] % shape[axis + 1], shape[axis + 1], corners);
    place[dims] = 1;
    for (int64_t row = 0; row < width; ++row) {
      double sum = 0;
      for (int64_t k = 0; k <= width; ++k)
        sum += load_double(theta, (i / points * width + row) * (width + 1) + k) * place[k];
      store_double(grid, i * width + row, sum);
    }
  }
  return {};
}

}  // namespace

Corners corners_of(const Attributes& attributes) {
  return attributes.get_int("align_corners", 0) != 0 ? Corners::at_centers : Corners::at_ends;
}

double grid_coordinate(int64_t at, int64_t size, Corners corners) {
  const auto i = static_cast<double>(at), n = static_cast<double>(size);
  if (corners == Corners::at_centers) return size == 1 ? -1 : -1 + 2 * i / (n - 1);
  return -1 + (2 * i + 1) / n;
}

SDX_OP(affine_grid) = {
    .name = "AffineGrid",
    .since = 20,
    .infer = infer_affine_grid,
    .reference = affine_grid_reference,
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
