#include "ops/point_taps.h"

#include <algorithm>

namespace sdx::ops {
namespace {

constexpr size_t kEntry = sizeof(int32_t) + sizeof(float);

int64_t all_taps(size_t axes, int taps) {
  int64_t all = 1;
  for (size_t i = 0; i < axes; ++i) all *= taps;
  return all;
}

}  // namespace

int64_t TapTables::most_points(size_t axes, int taps) {
  return std::clamp<int64_t>(4096 / all_taps(axes, taps), 64, 512);
}

size_t TapTables::bytes(size_t axes, int taps) {
  // Tables of no axis, of one, and of the first axes together, each larger than the ones before.
  size_t entries = 1 + static_cast<size_t>(taps), together = 1;
  for (size_t i = 0; i < axes; ++i) entries += together *= static_cast<size_t>(taps);
  return static_cast<size_t>(most_points(axes, taps)) * (axes * sizeof(double) + entries * kEntry);
}

TapTables::TapTables(std::byte* memory, size_t axes, int taps)
    : points_(most_points(axes, taps)),
      positions_(reinterpret_cast<double*>(memory)),
      rest_(memory + axes * static_cast<size_t>(points_) * sizeof(double)) {}

PointTaps TapTables::make(const PointSampling& code, std::span<const TapAxis> axes, int64_t count, int32_t none) const {
  const int64_t pitch = (count + 15) / 16 * 16;
  std::byte* free = rest_;
  const auto table = [&](int64_t taps) {
    const auto entries = static_cast<size_t>(taps * pitch);
    PointTaps made{reinterpret_cast<int32_t*>(free), reinterpret_cast<float*>(free + entries * sizeof(int32_t)), taps,
                   pitch};
    free += entries * kEntry;
    return made;
  };
  PointTaps sum = table(1);
  std::fill_n(sum.place, pitch, 0);
  std::fill_n(sum.weight, pitch, 1.0f);
  const PointTaps one = table(axes.front().taps);
  for (size_t i = 0; i < axes.size(); ++i) {
    std::fill(positions(i) + count, positions(i) + pitch, 0.0);
    code.along_axis(axes[i], positions(i), one);
    const PointTaps next = table(sum.taps * one.taps);
    code.combine(sum, one, i + 1 == axes.size() ? none : 0, next);
    sum = next;
  }
  return sum;
}

}  // namespace sdx::ops
