// GridSample: reads the input at the places that a grid names: coordinates in [-1, 1], the last spatial axis first.
// Places outside are zero, or those of the border, or reflected at it. Any number of spatial dimensions.
#include <cmath>
#include <complex>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

enum class Mode : uint8_t { nearest, linear, cubic };
enum class Outside : uint8_t { zeros, border, reflection };

Result<Mode> mode_of(const Attributes& attributes) {
  const std::string_view text = attributes.get_string("mode", "linear");
  if (text == "linear") return Mode::linear;
  if (text == "nearest") return Mode::nearest;
  if (text == "cubic") return Mode::cubic;
  return invalid_argument("mode is \"{}\", not linear, nearest or cubic", text);
}

Result<Outside> outside_of(const Attributes& attributes) {
  const std::string_view text = attributes.get_string("padding_mode", "zeros");
  if (text == "zeros") return Outside::zeros;
  if (text == "border") return Outside::border;
  if (text == "reflection") return Outside::reflection;
  return invalid_argument("padding_mode is \"{}\", not zeros, border or reflection", text);
}

Result<Facts> infer_grid_sample(InferContext& ctx) {
  const Fact &x = ctx.input(0), &grid = ctx.input(1);
  SDX_ASSIGN(const Mode mode, mode_of(ctx.attributes()));
  SDX_TRY(outside_of(ctx.attributes()).status());
  if (mode != Mode::nearest && x.dtype == DType::string) return ctx.fail("strings can only be read in mode nearest");
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

// Mirrors x at both ends until it lies between them.
double reflect(double x, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  const double at = std::fmod(std::fabs(x - low), 2 * range);
  return at <= range ? low + at : low + 2 * range - at;
}

// Up to four places on one axis with their weights; index -1 holds zero.
struct Places {
  int count = 0;
  int64_t index[4];
  double weight[4];
};

struct Axis {
  int64_t size;
  Mode mode;
  Outside outside;
  bool align_corners;
  bool single;  // coordinates are of float32 or less

  double low() const { return align_corners ? 0 : -0.5; }
  double high() const { return low() + static_cast<double>(size) - (align_corners ? 1 : 0); }

  int64_t inside(int64_t at) const {
    if (at >= 0 && at < size) return at;
    if (outside == Outside::zeros || size == 0) return -1;
    if (outside == Outside::reflection) at = static_cast<int64_t>(reflect(static_cast<double>(at), low(), high()));
    return std::clamp<int64_t>(at, 0, size - 1);
  }

  template <typename Float>
  double position(Float coordinate) const {
    const auto length = static_cast<Float>(size);
    return static_cast<double>(align_corners ? (coordinate + 1) / 2 * (length - 1)
                                             : ((coordinate + 1) * length - 1) / 2);
  }

  Places places(double coordinate) const {
    // The nearest element is that of a position in single precision: -0.2f of 5 elements is at 1.5, not a little
    // before.
    double x = mode == Mode::nearest && single ? position(static_cast<float>(coordinate)) : position(coordinate);
    if (std::isnan(x)) x = -1e9;
    if (mode == Mode::nearest) x = std::nearbyint(x);
    // At the border each place is moved inside by itself: a point beyond it keeps the weights of its inner neighbours.
    if (outside == Outside::reflection && (x < low() || x > high())) x = reflect(x, low(), high());
    x = std::clamp(x, -1e15, 1e15);
    const double left = std::floor(x), t = x - left;
    const auto at = static_cast<int64_t>(left);
    if (mode == Mode::nearest) return {1, {inside(at)}, {1}};
    if (mode == Mode::linear) return {2, {inside(at), inside(at + 1)}, {1 - t, t}};
    constexpr double a = -0.75;
    const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    return {4,
            {inside(at - 1), inside(at), inside(at + 1), inside(at + 2)},
            {far(t + 1), near(t), near(1 - t), far(2 - t)}};
  }
};

// The weighted sum over all combinations of places, from the element at `at` of axis `axis` on.
template <typename Number>
Number sample(const Tensor& x, std::span<const Places> places, std::span<const int64_t> strides, int64_t at) {
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

Status grid_sample_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &grid = ctx.input(1);
  SDX_ASSIGN(const Mode mode, mode_of(ctx.attributes()));
  SDX_ASSIGN(const Outside outside, outside_of(ctx.attributes()));
  const Shape& shape = ctx.output_shape(0);
  const size_t dims = shape.size() - 2;
  const int64_t points = count_range(shape, 2, shape.size());
  const Shape all_strides = row_major_strides(x.shape());
  const auto strides = std::span<const int64_t>(all_strides).subspan(2);
  std::vector<Axis> axes;
  for (size_t i = 0; i < dims; ++i)
    axes.push_back(
        {x.shape()[i + 2], mode, outside, ctx.attr_int("align_corners", 0) != 0, grid.dtype() != DType::f64});
  const int64_t image = count_range(x.shape(), 2, x.shape().size());
  SDX_ASSIGN(const Tensor zero, zero_element(x.dtype()));
  // Mode nearest copies elements of any type; the others write numbers.
  std::optional<ElementWriter> writer;
  if (mode == Mode::nearest) {
    SDX_ASSIGN(ElementWriter created, ElementWriter::create(ctx, 0, shape));
    writer.emplace(std::move(created));
  }
  std::vector<Places> places(dims);
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

// Opset 16 spoke of images only.
Status grid_sample_16_to_20(UpgradeContext& ctx) {
  const std::string_view mode = ctx.attributes().get_string("mode", "bilinear");
  const char* renamed = mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : nullptr;
  if (renamed != nullptr) ctx.attributes().set("mode", std::string(renamed));
  return {};
}

}  // namespace

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
