#include "ops/image/resize_taps.h"

#include <cmath>

#include "ops/reference.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

constexpr double kLargestSize = 9e15;
constexpr int64_t kMostTaps = int64_t{1} << 31;
constexpr int64_t kLeastSymbolicSize = 1 << 14;  // an expression that serves shorter axes only would fail too many runs

Status one_of(const Attributes& attributes, std::string_view name, std::string_view otherwise,
              std::initializer_list<std::string_view> allowed) {
  const std::string_view found = attributes.get_string(name, otherwise);
  for (const std::string_view text : allowed)
    if (found == text) return {};
  return invalid_argument("{} is \"{}\", which is not among its values", name, found);
}

enum class Transform : uint8_t {
  half_pixel,
  half_pixel_symmetric,
  pytorch_half_pixel,
  align_corners,
  asymmetric,
  tf_half_pixel_for_nn,
  tf_crop_and_resize
};

Transform coordinate_mode(const Attributes& attributes) {
  const std::string_view name = attributes.get_string("coordinate_transformation_mode", "half_pixel");
  if (name == "half_pixel_symmetric") return Transform::half_pixel_symmetric;
  if (name == "pytorch_half_pixel") return Transform::pytorch_half_pixel;
  if (name == "align_corners") return Transform::align_corners;
  if (name == "asymmetric") return Transform::asymmetric;
  if (name == "tf_half_pixel_for_nn") return Transform::tf_half_pixel_for_nn;
  return name == "tf_crop_and_resize" ? Transform::tf_crop_and_resize : Transform::half_pixel;
}

// Places of output positions in the input. The width is fractional where a scale gave it: the standard's own
// expectations for align_corners use it so.
double original_position(Transform mode, const ResizeAxis& axis, int64_t position) {
  const auto x = static_cast<double>(position);
  const auto in = static_cast<double>(axis.in), out = static_cast<double>(axis.out);
  const double width = axis.scale * in;
  switch (mode) {
    case Transform::asymmetric: return x / axis.scale;
    case Transform::align_corners: return width == 1 || axis.out == 1 ? 0 : x * (in - 1) / (width - 1);
    case Transform::pytorch_half_pixel: return axis.out > 1 ? (x + 0.5) / axis.scale - 0.5 : 0;
    case Transform::tf_half_pixel_for_nn: return (x + 0.5) / axis.scale;
    case Transform::half_pixel_symmetric: return in / 2 * (1 - out / width) + (x + 0.5) / axis.scale - 0.5;
    case Transform::tf_crop_and_resize:
      if (axis.out <= 1) return 0.5 * (axis.roi_start + axis.roi_end) * (in - 1);
      return axis.roi_start * (in - 1) + x * (axis.roi_end - axis.roi_start) * (in - 1) / (out - 1);
    case Transform::half_pixel: break;
  }
  return (x + 0.5) / axis.scale - 0.5;
}

enum class Rounding : uint8_t { prefer_floor, prefer_ceil, floor, ceil };

Rounding rounding_of(const Attributes& attributes) {
  const std::string_view name = attributes.get_string("nearest_mode", "round_prefer_floor");
  if (name == "floor") return Rounding::floor;
  if (name == "ceil") return Rounding::ceil;
  return name == "round_prefer_ceil" ? Rounding::prefer_ceil : Rounding::prefer_floor;
}

double nearest_position(Rounding rounding, double x) {
  switch (rounding) {
    case Rounding::floor: return std::floor(x);
    case Rounding::ceil: return std::ceil(x);
    case Rounding::prefer_ceil: return std::floor(x + 0.5);
    case Rounding::prefer_floor: break;
  }
  return std::ceil(x - 0.5);
}

// The interpolation kernels around 0.
double linear_kernel(double x) { return std::max(0.0, 1 - std::fabs(x)); }
double cubic_kernel(double x, double a) {
  x = std::fabs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

}  // namespace

bool ResizeAxis::changes(const Attributes& attributes) const {
  if (coordinate_mode(attributes) == Transform::tf_crop_and_resize)
    return named && (in != out || roi_start != 0 || roi_end != 1);
  return in != out || scale != 1;
}

Status check_resize_attributes(const Attributes& attributes) {
  SDX_TRY(one_of(attributes, "mode", "nearest", {"nearest", "linear", "cubic"}));
  SDX_TRY(one_of(attributes, "coordinate_transformation_mode", "half_pixel",
                 {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                  "tf_half_pixel_for_nn", "tf_crop_and_resize"}));
  SDX_TRY(one_of(attributes, "nearest_mode", "round_prefer_floor",
                 {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  return one_of(attributes, "keep_aspect_ratio_policy", "stretch", {"stretch", "not_larger", "not_smaller"});
}

Result<Shape> named_axes(const Attributes& attributes, int64_t rank) {
  if (!attributes.has("axes")) return all_axes(rank);
  return unique_axes(attributes.get_ints("axes"), rank, "axes");
}

namespace {

// floor(size * scale) as integers: floor_div(size * numerator, denominator) for sizes up to `largest`.
struct IntegerScale {
  int64_t numerator = 0, denominator = 1, largest = 0;
};

constexpr double kRounding = 0x1p-24;  // of a product in float32, at most, against the product

// The sizes for which numerator / denominator may take the place of scale = mantissa * 2^-shift, which differs from it
// by `error`. Where the product is no whole number it stays clear of the next one. Where it is one, a scale that is too
// large rounds to it or beyond; one that is too small must be so close that the product rounds up again.
int64_t largest_size(double scale, int64_t numerator, int64_t denominator, double error) {
  constexpr double kMargin = 1 - 1e-6;  // far more than the doubles here are off
  if (error < 0 && -error >= scale * (kRounding / 2) * kMargin) return 0;
  const double gap = 1 / static_cast<double>(denominator) - kRounding;
  const double slip = std::max(error, 0.0) + scale * kRounding;
  const double bound = std::min(gap / slip, static_cast<double>(kExactInFloat) / std::max(scale, 1.0)) * kMargin;
  const auto most = static_cast<int64_t>(bound);
  return numerator > 0 && most > 0 ? most : 0;
}

// The fraction that serves the largest sizes, among the continued fractions of the scale.
std::optional<IntegerScale> integer_scale(float scale) {
  int exponent = 0;
  const double fraction = std::frexp(static_cast<double>(scale), &exponent);
  if (exponent > 20 || exponent < -16) return std::nullopt;
  auto mantissa = static_cast<int64_t>(std::ldexp(fraction, 24));
  int shift = 24 - exponent;  // scale == mantissa * 2^-shift
  while (mantissa % 2 == 0) mantissa /= 2, --shift;
  const int64_t over = mantissa << std::max(-shift, 0), under = int64_t{1} << std::max(shift, 0);
  // As it stands: exact while the product has no more than 24 bits; always for a power of two.
  IntegerScale best{over, under, (mantissa == 1 ? kExactInFloat : kExactInFloat / mantissa)};
  int64_t p0 = 1, q0 = 0, p1 = over / under, q1 = 1, a = under, b = over % under;
  while (true) {
    if (q1 > (int64_t{1} << 20)) break;  // larger ones serve short axes only
    const auto difference = static_cast<double>(static_cast<__int128>(over) * q1 - static_cast<__int128>(p1) * under);
    const double error = difference / (static_cast<double>(under) * static_cast<double>(q1));
    const int64_t largest = largest_size(scale, p1, q1, error);
    if (largest > best.largest) best = {p1, q1, largest};
    if (b == 0) break;
    const int64_t quotient = a / b;
    const int64_t p2 = quotient * p1 + p0, q2 = quotient * q1 + q0, rest = a % b;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2, a = b, b = rest;
  }
  return best;
}

}  // namespace

Result<Dim> scaled_size(const InferContext& ctx, const Dim& size, float scale) {
  if (!(scale > 0) || !std::isfinite(scale)) return invalid_argument("scale {} is no positive number", scale);
  if (scale == 1) return size;
  if (size.is_known()) {
    const float out = std::floor(static_cast<float>(size.known()) * scale);
    if (!(out < kLargestSize)) return invalid_argument("{} elements scaled by {} are too many", size.known(), scale);
    return Dim(static_cast<int64_t>(out));
  }
  const auto integers = integer_scale(scale);
  if (!integers || integers->largest < kLeastSymbolicSize) return ctx.unknown_dim();
  ctx.assume({Constraint::Kind::at_least, Dim(integers->largest), size});
  return ctx.symbols().floor_div(ctx.symbols().mul(size, Dim(integers->numerator)), Dim(integers->denominator));
}

Result<std::vector<ResizeAxis>> resize_axes(const Attributes& attributes, std::span<const int64_t> shape,
                                            const ResizeInputs& inputs) {
  const auto rank = static_cast<int64_t>(shape.size());
  SDX_ASSIGN(const Shape named, named_axes(attributes, rank));
  const auto count = static_cast<int64_t>(named.size());
  std::vector<ResizeAxis> axes(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) axes[i].in = axes[i].out = shape[i];
  if ((inputs.scales == nullptr) == (inputs.sizes == nullptr))
    return invalid_argument("one of scales and sizes is wanted, {} given",
                            inputs.scales == nullptr ? "none is" : "both are");
  const Tensor& given = inputs.scales != nullptr ? *inputs.scales : *inputs.sizes;
  if (given.count() != count)
    return invalid_argument("{} has {} elements for {} axes", inputs.scales != nullptr ? "scales" : "sizes",
                            given.count(), count);
  const bool crops = coordinate_mode(attributes) == Transform::tf_crop_and_resize;
  if (crops && (inputs.roi == nullptr || inputs.roi->count() != 2 * count))
    return invalid_argument("tf_crop_and_resize wants a roi of {} elements", 2 * count);
  const std::string_view policy = attributes.get_string("keep_aspect_ratio_policy", "stretch");
  const bool stretch = policy == "stretch" || inputs.sizes == nullptr;
  double common = 0;
  for (int64_t i = 0; i < count; ++i) {
    ResizeAxis& axis = axes[static_cast<size_t>(named[static_cast<size_t>(i)])];
    axis.named = true;
    if (crops) {
      axis.roi_start = load_double(*inputs.roi, i);
      axis.roi_end = load_double(*inputs.roi, i + count);
    }
    if (inputs.scales != nullptr) {
      const auto scale = static_cast<float>(load_double(given, i));
      const auto part = crops ? static_cast<float>(axis.roi_end - axis.roi_start) : 1.0F;
      if (!(scale > 0) || !std::isfinite(scale)) return invalid_argument("scale {} is no positive number", scale);
      axis.scale = scale;
      if (scale == 1 && !crops) continue;
      const float out = std::floor(static_cast<float>(axis.in) * part * scale);
      if (!(out >= 0 && out < kLargestSize))
        return invalid_argument("{} elements scaled by {} are no size", axis.in, scale);
      axis.out = static_cast<int64_t>(out);
      continue;
    }
    axis.out = load_i64(given, i);
    if (axis.out < 0) return invalid_argument("sizes[{}] is {}, below 0", i, axis.out);
    if (axis.in == 0 && axis.out != 0) return invalid_argument("an empty axis cannot become {} long", axis.out);
    axis.scale = axis.in == 0 ? 1 : static_cast<double>(axis.out) / static_cast<double>(axis.in);
    if (i == 0) common = axis.scale;
    common = policy == "not_larger" ? std::min(common, axis.scale) : std::max(common, axis.scale);
  }
  for (ResizeAxis& axis : axes) {
    if (!axis.named || stretch) continue;
    const double out = std::floor(common * static_cast<double>(axis.in) + 0.5);
    if (!(out < kLargestSize)) return invalid_argument("{} elements scaled by {} are too many", axis.in, common);
    axis.scale = common;
    axis.out = static_cast<int64_t>(out);
  }
  return axes;
}

Result<AxisTaps> axis_taps(const Attributes& attributes, const ResizeAxis& axis) {
  AxisTaps table;
  if (axis.out == 0) return table;
  const std::string_view mode = attributes.get_string("mode", "nearest");
  const Transform transform = coordinate_mode(attributes);
  const Rounding rounding = rounding_of(attributes);
  const bool cubic = mode == "cubic", nearest = mode == "nearest", crops = transform == Transform::tf_crop_and_resize;
  const bool exclude = attributes.get_int("exclude_outside", 0) != 0 && !nearest;
  const double a = attributes.get_float("cubic_coeff_a", -0.75F);
  // Antialiasing stretches the kernel when it scales down.
  const double stretch = attributes.get_int("antialias", 0) != 0 && !nearest ? std::min(axis.scale, 1.0) : 1.0;
  const double reach = (cubic ? 2 : 1) / stretch;
  if (!(reach * static_cast<double>(axis.out) < static_cast<double>(kMostTaps)))
    return invalid_argument("scale {} would need too many weights", axis.scale);
  const auto first = static_cast<int64_t>(std::floor(-reach)) + 1;
  table.taps = nearest ? 1 : 2 - 2 * first;
  table.index.reserve(static_cast<size_t>(axis.out * table.taps));
  table.weight.reserve(static_cast<size_t>(axis.out * table.taps));
  const double limit = static_cast<double>(axis.in) + 16;
  if (nearest && !crops) {
    table.weight.assign(static_cast<size_t>(axis.out), 1.0);
    table.index.resize(static_cast<size_t>(axis.out));
    for (int64_t i = 0; i < axis.out; ++i) {
      const double x = original_position(transform, axis, i), near = std::isnan(x) ? 0 : std::clamp(x, -limit, limit);
      const auto at = static_cast<int64_t>(nearest_position(rounding, near));
      table.index[static_cast<size_t>(i)] = std::clamp<int64_t>(at, 0, axis.in - 1);
    }
    return table;
  }
  for (int64_t i = 0; i < axis.out; ++i) {
    const double exact_x = original_position(transform, axis, i);
    if (crops) table.outside.push_back(!(exact_x >= 0 && exact_x <= static_cast<double>(axis.in - 1)));
    const double x = std::isnan(exact_x) ? 0 : std::clamp(exact_x, -limit, limit);
    if (nearest) {
      table.index.push_back(std::clamp<int64_t>(static_cast<int64_t>(nearest_position(rounding, x)), 0, axis.in - 1));
      table.weight.push_back(1);
      continue;
    }
    // The position left of x, never x itself.
    const double left = std::ceil(x) - 1, ratio = x - left;
    double total = 0;
    const size_t begin = table.weight.size();
    for (int64_t k = 0; k < table.taps; ++k) {
      const double distance = (static_cast<double>(first + k) - ratio) * stretch;
      const int64_t at = static_cast<int64_t>(left) + first + k;
      double weight = cubic ? cubic_kernel(distance, a) : linear_kernel(distance);
      if (exclude && (at < 0 || at >= axis.in)) weight = 0;
      table.index.push_back(std::clamp<int64_t>(at, 0, axis.in - 1));
      table.weight.push_back(weight);
      total += weight;
    }
    if (exclude || stretch != 1)
      for (size_t k = begin; k < table.weight.size() && total != 0; ++k) table.weight[k] /= total;
  }
  return table;
}

}  // namespace sdx::ops
