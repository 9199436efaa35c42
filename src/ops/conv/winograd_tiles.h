// The transforms of Winograd's F(4x4, 3x3) over blocked channels. With the points 0, +-a, +-b and infinity, a^2 = 1/2
// and b^2 = 2, a 4x4 tile of outputs is A^T [(G g G^T) * (B^T d B)] A, * element by element, where
//   B^T = 1  0 -5/2    0  1  0      G = 1      0     0       A^T = 1  1   1   1   1   0
//         0 -2a -2     a  1  0         -2/3 -2a/3  -1/3            0  a  -a   b  -b   0
//         0 2a  -2    -a  1  0         -2/3  2a/3  -1/3            0 1/2 1/2  2   2   0
//         0 -b/2 -1/2  b  1  0          1/6   b/6   1/3            0 a/2 -a/2 2b -2b  1
//         0 b/2 -1/2  -b  1  0          1/6  -b/6   1/3
//         0  1   0  -5/2  0  1          0      0     1
#pragma once

#include <cstdint>

namespace sdx::ops {

inline constexpr int64_t kWinogradOut = 4, kWinogradIn = 6, kWinogradPoints = 36, kWinogradLine = 6;

struct WinogradEnd {
  const float* bias = nullptr;  // of a block
  const float* z = nullptr;     // as y
  float low = 0, high = 0;
};

// The 36 results of a transform lie `step` floats apart, a line of points is a column of the tile.
struct WinogradTiles {
  // A 6x6 tile of one block of channels; floats between its rows.
  void (*transform_input)(const float* x, int64_t row, float* v, int64_t step);
  // One line of points: u[6][depth][width] from w[depth][9][width]; `step` floats between points.
  void (*transform_weights[6])(const float* w, int64_t depth, int64_t width, float* u, int64_t step);
  // A 4x4 tile of one block of channels; floats between its rows.
  void (*transform_output)(const float* m, int64_t step, const WinogradEnd& end, float* y, int64_t row);
};
const WinogradTiles& winograd_tiles();  // at the SIMD level in force

}  // namespace sdx::ops
