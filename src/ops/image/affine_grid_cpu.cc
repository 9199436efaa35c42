// AffineGrid for float32: a row of places at a time, along which only one coordinate changes.
#include "base/simd_targets.h"  // first

#include <algorithm>
#include <array>
#include <vector>

#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/image/affine_grid.h"
#include "ops/through_f32.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// to[i * dims + k] = slopes[k] * x[i] + starts[k].
void affine_row(const float* x, size_t count, const float* slopes, const float* starts, size_t dims, float* to) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto made = [&](size_t k, hn::VFromD<decltype(d)> v)
                        HWY_ATTR { return hn::MulAdd(hn::Set(d, slopes[k]), v, hn::Set(d, starts[k])); };
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    if (dims == 2) {
      hn::StoreInterleaved2(made(0, v), made(1, v), d, to + 2 * i);
    } else {
      hn::StoreInterleaved3(made(0, v), made(1, v), made(2, v), d, to + 3 * i);
    }
  }
  for (; i < count; ++i)
    for (size_t k = 0; k < dims; ++k) to[i * dims + k] = hn::GetLane(made(k, hn::Set(d, x[i])));
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_affine_grid(KernelContext& ctx) {
  const float* theta = ctx.input(0).data<float>();
  Tensor& grid = ctx.output(0);
  if (grid.count() == 0) return {};
  const Corners corners = corners_of(ctx.attributes());
  const Shape& shape = grid.shape();
  const size_t dims = shape.size() - 2;
  const int64_t width = shape[dims], height = shape[dims - 1], depth = dims == 3 ? shape[1] : 1;
  const int64_t rows = depth * height, columns = static_cast<int64_t>(dims) + 1;
  std::vector<float> places(static_cast<size_t>(width));
  for (int64_t i = 0; i < width; ++i)
    places[static_cast<size_t>(i)] = static_cast<float>(grid_coordinate(i, width, corners));
  const auto row_kernel = SDX_DISPATCH(affine_row);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / (width * static_cast<int64_t>(dims)));
  return parallel_ranges(ctx, shape[0] * rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t line = row % rows;
      const double y = grid_coordinate(line % height, height, corners);
      const double z = dims == 3 ? grid_coordinate(line / height, depth, corners) : 0;
      std::array<float, 3> slopes = {}, starts = {};
      const float* map = theta + row / rows * static_cast<int64_t>(dims) * columns;
      for (size_t k = 0; k < dims; ++k, map += columns) {
        slopes[k] = map[0];
        const double rest = dims == 3 ? static_cast<double>(map[2]) * z : 0.0;
        starts[k] = static_cast<float>(static_cast<double>(map[1]) * y + rest + static_cast<double>(map[dims]));
      }
      row_kernel(places.data(), places.size(), slopes.data(), starts.data(), dims,
                 grid.data<float>() + row * width * static_cast<int64_t>(dims));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(affine_grid, {.name = "affine_grid_f32", .can_run = takes<DType::f32>, .run = run_affine_grid},
                {.name = "affine_grid_16_bits",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_affine_grid); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
#endif
