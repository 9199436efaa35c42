// Sampling float32 planes between their elements: for some points, which elements with which weights make each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sdx::ops {

inline constexpr int64_t kMostAxisTaps = 4;

// How the places of a point along one axis are found; what lies outside is as in GridSample.
struct TapAxis {
  int64_t size = 0;
  int64_t stride = 1;  // of the axis, in elements of what is sampled
  int taps = 2;        // 2: linear, 4: cubic
  enum class Outside : uint8_t { zeros, border, reflection } outside = Outside::zeros;
  double low = 0, high = 0;  // where reflection mirrors
};

// Weights and places of `count` points at most; tap k of point p is entry k * pitch + p. All 0 where a weight is 0.
struct PointTaps {
  int32_t* place = nullptr;
  float* weight = nullptr;
  int64_t taps = 0;
  int64_t pitch = 0;  // a multiple of 16: entries up to it are written
};

// The code of one SIMD level. Elements whose weight is 0 are as if they were not there, NaN too.
struct PointSampling {
  // The taps along one axis for positions[0, pitch), in elements.
  void (*along_axis)(const TapAxis& axis, const double* positions, const PointTaps& taps);
  // All pairs of a tap of `a` and one of `b`; their weights multiplied, their places added. `none` is the place where
  // the weight is 0.
  void (*combine)(const PointTaps& a, const PointTaps& b, int32_t none, const PointTaps& pairs);
  // y[p] = sum over the taps of weight * x[place].
  void (*from_plane)(const float* x, const PointTaps& taps, int64_t count, float* y);
  // The same of planes with 16 channels an element, times factors[p] where there are some. Place `none` of them holds
  // zeros.
  void (*from_lanes)(const float* x, const PointTaps& taps, int64_t count, const float* factors, float* y,
                     int64_t y_step);
};
PointSampling point_sampling();

// The taps of some points of one or more axes, in memory of the caller's.
class TapTables {
 public:
  // The most points at once, and the memory that they need.
  static int64_t most_points(size_t axes, int taps);
  static size_t bytes(size_t axes, int taps);

  TapTables(std::byte* memory, size_t axes, int taps);
  double* positions(size_t axis) const { return positions_ + static_cast<int64_t>(axis) * points_; }
  // Of points [0, count), whose positions have been written.
  PointTaps make(const PointSampling& code, std::span<const TapAxis> axes, int64_t count, int32_t none) const;

 private:
  int64_t points_;
  double* positions_;
  std::byte* rest_;
};

}  // namespace sdx::ops
