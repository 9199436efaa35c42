// GridSample: reads the input at the places that a grid names: coordinates in [-1, 1], the last spatial axis first.
// Places outside are zero, or those of the border, or reflected at it. Any number of spatial dimensions.
#include "ops/image/grid_sample.h"

#include <complex>

#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_grid_sample(InferContext& ctx) {
  const Fact &x = ctx.input(0), &grid = ctx.input(1);
  SDX_ASSIGN(const GridMode mode, grid_mode_of(ctx.attributes()));
  SDX_TRY(grid_outside_of(ctx.attributes()).status());
  if (mode != GridMode::nearest && x.dtype == DType::string)
    return ctx.fail("strings can only be read in mode nearest");
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 3) return ctx.fail("the input has rank {}, at least 3 is wanted", x.rank());
  if (!grid.has_rank()) {
    SymShape shape = ctx.unknown_shape(x.rank());
    shape[0] = x.dim(0);
    shape[1] = x.dim(1);
    return tensor_fact(x.dtype, std::move(shape));
  }
  if (grid.rank() != x.rank()) return ctx.fail("the input has rank {}, the grid {}", x.rank(), grid.rank());
  const Dim& width = grid.dim(grid.rank() - 1);
  if (width.is_known() && width.known() != x.rank() - 2)
    return ctx.fail("the grid has {} coordinates for {} dimensions", width.known(), x.rank() - 2);
  ctx.assume({Constraint::Kind::equal, width, Dim(x.rank() - 2)});
  SDX_ASSIGN(const Dim batch, ctx.same(x.dim(0), grid.dim(0), "batch size of input and grid"));
  SymShape shape{batch, x.dim(1)};
  shape.insert(shape.end(), grid.shape->begin() + 1, grid.shape->end() - 1);
  return tensor_fact(x.dtype, std::move(shape));
}

// The weighted sum over all combinations of places, from the element at `at` of axis `axis` on.
template <typename Number>
Number sample(const Tensor& x, std::span<const GridPlaces> places, std::span<const int64_t> strides, int64_t at) {
  if (places.empty()) {
    if constexpr (std::is_same_v<Number, double>) {
      return load_double(x, at);
    } else {
      return load_complex(x.dtype(), x.raw(), at);
    }
  }
  Number sum = 0;
  for (int i = 0; i < places[0].count; ++i)
    if (places[0].index[i] >= 0 && places[0].weight[i] != 0)
      sum += places[0].weight[i] *
             sample<Number>(x, places.subspan(1), strides.subspan(1), at + places[0].index[i] * strides[0]);
  return sum;
}

// Opset 16 spoke of images only.
Status grid_sample_16_to_20(UpgradeContext& ctx) {
  const std::string_view mode = ctx.attributes().get_string("mode", "bilinear");
  const char* renamed = mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : nullptr;
  if (renamed != nullptr) ctx.attributes().set("mode", std::string(renamed));
  return {};
}

}  // namespace

Result<std::vector<GridAxis>> grid_axes(const KernelContext& ctx) {
  SDX_ASSIGN(const GridMode mode, grid_mode_of(ctx.attributes()));
  SDX_ASSIGN(const GridOutside outside, grid_outside_of(ctx.attributes()));
  const bool align_corners = ctx.attr_int("align_corners", 0) != 0, single = ctx.input(1).dtype() != DType::f64;
  std::vector<GridAxis> axes;
  for (size_t i = 2; i < ctx.input(0).shape().size(); ++i)
    axes.push_back({ctx.input(0).shape()[i], mode, outside, align_corners, single});
  return axes;
}

Status grid_sample_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &grid = ctx.input(1);
  SDX_ASSIGN(const std::vector<GridAxis> axes, grid_axes(ctx));
  const Shape& shape = ctx.output_shape(0);
  const size_t dims = shape.size() - 2;
  const int64_t points = count_range(shape, 2, shape.size());
  const Shape all_strides = row_major_strides(x.shape());
  const auto strides = std::span<const int64_t>(all_strides).subspan(2);
  const int64_t image = count_range(x.shape(), 2, x.shape().size());
  SDX_ASSIGN(const Tensor zero, zero_element(x.dtype()));
  // Mode nearest copies elements of any type; the others write numbers.
  std::optional<ElementWriter> writer;
  if (axes.front().mode == GridMode::nearest) {
    SDX_ASSIGN(ElementWriter created, ElementWriter::create(ctx, 0, shape));
    writer.emplace(std::move(created));
  }
  std::vector<GridPlaces> places(dims);
  for (int64_t plane = 0; plane < shape[0] * shape[1]; ++plane) {
    for (int64_t point = 0; point < points; ++point) {
      const int64_t place = (plane / shape[1] * points + point) * static_cast<int64_t>(dims);
      for (size_t i = 0; i < dims; ++i)
        places[i] = axes[i].places(load_double(grid, place + static_cast<int64_t>(dims - 1 - i)));
      if (!writer) {
        Tensor& y = ctx.output(0);
        if (is_complex(x.dtype())) {
          store_complex(y.dtype(), y.raw(), plane * points + point,
                        sample<std::complex<double>>(x, places, strides, plane * image));
        } else {
          store_double(y, plane * points + point, sample<double>(x, places, strides, plane * image));
        }
        continue;
      }
      int64_t at = plane * image;
      for (size_t i = 0; i < dims && at >= 0; ++i)
        at = places[i].index[0] < 0 ? -1 : at + places[i].index[0] * strides[i];
      writer->append(at < 0 ? zero : x, std::max<int64_t>(at, 0));
    }
  }
  return writer ? writer->finish() : Status();
}

SDX_OP(grid_sample) = {
    .name = "GridSample",
    .since = 22,
    .infer = infer_grid_sample,
    .reference = grid_sample_reference,
    .upgrades = {{16, grid_sample_16_to_20}},
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
