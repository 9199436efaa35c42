// The inner loops of matrix products, one table of functions per SIMD level. For gemm_blocks.cc and its tests.
#pragma once

#include <cstdint>

namespace sdx::ops {

inline constexpr int kMaxPanelWidth = 32;
inline constexpr int64_t kPanelRows = 256;  // of b, at most, that are copied for a tile: they stay in the nearest cache

enum class WeightType : uint8_t { f32, f16, bf16 };  // of b's elements in memory; they are widened in registers
constexpr int64_t bytes_of(WeightType type) { return type == WeightType::f32 ? 4 : 2; }

// Some rows of c times one panel of b (or several side by side, for few rows).
struct TileArgs {
  int64_t rows = 0;  // any number: cut into tiles inside
  int64_t k = 0;
  const float* a = nullptr;
  int64_t a_row = 0, a_column = 1;
  const void* b = nullptr;
  WeightType b_type = WeightType::f32;
  int64_t b_row = 0;            // between rows of b: the panel's width where packed
  int64_t panel_stride = 0;     // between panels of b
  const void* ahead = nullptr;  // the packed rows of b that come after these, as many, to be prefetched
  int64_t ahead_row = 0;        // bytes of one of them
  float* c = nullptr;
  int64_t c_row = 0;
  int64_t columns = 0;          // of c, at most panels * width
  const float* from = nullptr;  // the sums start from these, else from the bias, else from zero; may be c
  int64_t from_row = 0;
  const float* row_bias = nullptr;
  const float* column_bias = nullptr;
  bool clips = false;
  float low = 0, high = 0;
};

struct GemmTiles {
  int panel_width;                             // columns
  int max_rows;                                // of a tile
  int (*panels_at_once)(int64_t, WeightType);  // that multiply() takes for so many rows
  void (*multiply)(const TileArgs&);
  // panel[p][width] from `columns` columns of b in memory of any strides, zeros beyond.
  void (*copy_panel)(const float* b, int64_t row, int64_t column, int64_t count, int64_t columns, float* panel);
  bool takes_half;  // multiply(): 16-bit elements of b
  // Elements of whole panels in 16 bits; false where something is lost.
  bool (*narrow)(WeightType type, const float* from, int64_t count, void* to);
};

const GemmTiles& gemm_tiles();  // of the best level in force

}  // namespace sdx::ops
