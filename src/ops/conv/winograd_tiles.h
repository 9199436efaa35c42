// The transforms of Winograd's F(4x4, 3x3) over blocked channels. With the points 0, +-a, +-b and infinity, a^2 = 1/2
// and b^2 = 2, a 4x4 tile of outputs is A^T [(G g G^T) * (B^T d B)] A, * element by element, where
//   B^T = 1   0    -5/2   0    1  0      G = 1  0   0      A^T = 1  1   1   1   1   0
//         0 4a/3    4/3 -2a/3 -2/3 0          1  a  1/2          0  a  -a   b  -b   0
//         0 -4a/3   4/3  2a/3 -2/3 0          1 -a  1/2          0 1/2 1/2  2   2   0
//         0 -b/12 -1/12  b/6  1/6  0          1  b   2           0 a/2 -a/2 2b -2b  1
//         0  b/12 -1/12 -b/6  1/6  0          1 -b   2
//         0   1     0   -5/2   0   1          0  0   1
#pragma once

#include <cstdint>

namespace sdx::ops {

inline constexpr int64_t kWinogradOut = 4, kWinogradIn = 6, kWinogradPoints = 36, kWinogradLine = 6;

struct WinogradEnd {
  const float* bias = nullptr;    // of a block
  const float* factor = nullptr;  // of the sums; null: 1
  const float* z = nullptr;       // as y
  float low = 0, high = 0;
};

// The products of one line of points: m[6][width / 16][tiles][16] from v[6][depth / 16][tiles][16] and the weights.
struct WinogradProducts {
  const float* v = nullptr;
  float* m = nullptr;
  int64_t v_step = 0, m_step = 0;  // floats between points
  int64_t tiles = 0, depth = 0;
  bool adds = false;         // to m
  const float* u = nullptr;  // u[6][depth][width], `u_step` floats between points
  int64_t u_step = 0;
  const float* w = nullptr;     // or what it is made of: w[depth][9][width], floats or halves
  int64_t width = 0;            // the panel's, or 16
  const float* next = nullptr;  // weights that are wanted soon: so many lines of 64 bytes
  int64_t next_lines = 0;
};

// Fused products take so many tiles at a time.
inline constexpr int64_t kFusedTiles = 4;

// The 36 results of a transform lie `step` floats apart, a line of points is a column of the tile.
struct WinogradTiles {
  // A 6x6 tile of one block of channels; floats between its rows.
  void (*transform_input)(const float* x, int64_t row, float* v, int64_t step);
  // One line of points: u[6][depth][width] from w[depth][9][width]; `step` floats between points.
  void (*transform_weights[6])(const float* w, int64_t depth, int64_t width, float* u, int64_t step);
  void (*transform_halves[6])(const float* w, int64_t depth, int64_t width, float* u, int64_t step);
  void (*multiply)(const WinogradProducts& products);
  // The same from w, whose transform stays in registers: for few tiles, a multiple of kFusedTiles.
  void (*multiply_fused[6])(const WinogradProducts& products);
  void (*multiply_fused_halves[6])(const WinogradProducts& products);
  // A 4x4 tile of one block of channels; floats between its rows.
  void (*transform_output)(const float* m, int64_t step, const WinogradEnd& end, float* y, int64_t row);
};
const WinogradTiles& winograd_tiles();  // at the SIMD level in force

}  // namespace sdx::ops
