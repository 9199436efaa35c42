// What the contract and the kernels of GridSample share: its attributes, and one axis of the input.
#pragma once

#include "graph/attribute.h"

namespace sdx::ops {

enum class GridMode : uint8_t { nearest, linear, cubic };
enum class GridOutside : uint8_t { zeros, border, reflection };

Result<GridMode> grid_mode_of(const Attributes& attributes);
Result<GridOutside> grid_outside_of(const Attributes& attributes);

// Up to four places on one axis with their weights; index -1 holds zero.
struct GridPlaces {
  int count = 0;
  int64_t index[4];
  double weight[4];
};

struct GridAxis {
  int64_t size = 0;
  GridMode mode = GridMode::linear;
  GridOutside outside = GridOutside::zeros;
  bool align_corners = false;
  bool single = true;  // coordinates are of float32 or less

  double low() const { return align_corners ? 0 : -0.5; }
  double high() const { return low() + static_cast<double>(size) - (align_corners ? 1 : 0); }
  int taps() const { return mode == GridMode::nearest ? 1 : mode == GridMode::linear ? 2 : 4; }

  // Of a coordinate in [-1, 1], in elements.
  double position(double coordinate) const {
    return at_coordinate(coordinate, static_cast<double>(size), align_corners);
  }
  // positions[i] of coordinates[i * step].
  void positions(const float* coordinates, int64_t step, int64_t count, double* positions) const;
  GridPlaces places(double coordinate) const;
  int64_t nearest(double coordinate) const;  // -1: zero
  // nearest() of coordinates[i * step].
  void nearest(const float* coordinates, int64_t step, int64_t count, int64_t* places) const;

 private:
  template <typename Float>
  static Float at_coordinate(Float coordinate, Float length, bool align_corners) {
    return align_corners ? (coordinate + 1) / 2 * (length - 1) : ((coordinate + 1) * length - 1) / 2;
  }
  double placed(double position) const;
  int64_t inside(int64_t at) const;
};

}  // namespace sdx::ops
