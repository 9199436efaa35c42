// A part of LRN: neighbouring columns of all channels of one sample.
#pragma once

#include <cstdint>

namespace sdx::ops {

struct LrnPiece {
  int64_t channels, step, columns;  // `step`: elements of a channel
  int64_t before, after;            // channels of a window besides its own
  float factor, bias, beta;
};

}  // namespace sdx::ops
