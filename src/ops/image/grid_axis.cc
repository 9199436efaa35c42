// One axis of GridSample, element by element.
#include "ops/image/grid_axis.h"

#include <algorithm>
#include <cmath>

namespace sdx::ops {
namespace {

// Mirrors x at both ends until it lies between them.
double reflect(double x, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  const double at = std::fmod(std::fabs(x - low), 2 * range);
  return at <= range ? low + at : low + 2 * range - at;
}

}  // namespace

Result<GridMode> grid_mode_of(const Attributes& attributes) {
  const std::string_view text = attributes.get_string("mode", "linear");
  if (text == "linear") return GridMode::linear;
  if (text == "nearest") return GridMode::nearest;
  if (text == "cubic") return GridMode::cubic;
  return invalid_argument("mode is \"{}\", not linear, nearest or cubic", text);
}

Result<GridOutside> grid_outside_of(const Attributes& attributes) {
  const std::string_view text = attributes.get_string("padding_mode", "zeros");
  if (text == "zeros") return GridOutside::zeros;
  if (text == "border") return GridOutside::border;
  if (text == "reflection") return GridOutside::reflection;
  return invalid_argument("padding_mode is \"{}\", not zeros, border or reflection", text);
}

int64_t GridAxis::inside(int64_t at) const {
  if (at >= 0 && at < size) return at;
  if (outside == GridOutside::zeros || size == 0) return -1;
  if (outside == GridOutside::reflection) at = static_cast<int64_t>(reflect(static_cast<double>(at), low(), high()));
  return std::clamp<int64_t>(at, 0, size - 1);
}

// At the border each place is moved inside by itself: a point beyond it keeps the weights of its inner neighbours.
double GridAxis::placed(double x) const {
  x = std::isnan(x) ? -1e9 : std::clamp(x, -1e15, 1e15);
  return outside == GridOutside::reflection && (x < low() || x > high()) ? reflect(x, low(), high()) : x;
}

// The nearest element is that of a position in single precision: -0.2f of 5 elements is at 1.5, not a little before.
int64_t GridAxis::nearest(double coordinate) const {
  const double x =
      single
          ? static_cast<double>(at_coordinate(static_cast<float>(coordinate), static_cast<float>(size), align_corners))
          : position(coordinate);
  return inside(static_cast<int64_t>(std::floor(placed(std::nearbyint(x)))));
}

void GridAxis::nearest(const float* coordinates, int64_t step, int64_t count, int64_t* places) const {
  constexpr int64_t kExact = 1 << 24;  // sizes that float32 holds
  if (outside == GridOutside::reflection || size == 0 || size > kExact || !single) {
    for (int64_t i = 0; i < count; ++i) places[i] = nearest(static_cast<double>(coordinates[i * step]));
    return;
  }
  const auto length = static_cast<float>(size);
  const bool zeros = outside == GridOutside::zeros;
  // No branches: points that lie anywhere would mispredict them. NaN is before the first element.
  for (int64_t i = 0; i < count; ++i) {
    const float at = std::nearbyint(at_coordinate(coordinates[i * step], length, align_corners));
    const auto near = static_cast<int64_t>(std::min(std::max(0.0f, at), length));
    const auto is_outside = static_cast<int64_t>(!(at >= 0) | !(at < length));
    places[i] = zeros ? near | -is_outside : std::min(near, size - 1);
  }
}

void GridAxis::positions(const float* coordinates, int64_t step, int64_t count, double* positions) const {
  const auto length = static_cast<double>(size);
  for (int64_t i = 0; i < count; ++i)
    positions[i] = at_coordinate(static_cast<double>(coordinates[i * step]), length, align_corners);
}

GridPlaces GridAxis::places(double coordinate) const {
  if (mode == GridMode::nearest) return {1, {nearest(coordinate)}, {1}};
  const double x = placed(position(coordinate)), left = std::floor(x), t = x - left;
  const auto at = static_cast<int64_t>(left);
  if (mode == GridMode::linear) return {2, {inside(at), inside(at + 1)}, {1 - t, t}};
  constexpr double a = -0.75;
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  return {
      4, {inside(at - 1), inside(at), inside(at + 1), inside(at + 2)}, {far(t + 1), near(t), near(1 - t), far(2 - t)}};
}

}  // namespace sdx::ops
