// The cells of LSTM and GRU with their default activations, over float32 rows of `hidden` elements.
#pragma once

#include <cstddef>

namespace sdx::ops {

// gates holds the sums of i, o, f and c one row after another; peepholes (null: none) those of i, o and f.
struct LstmRow {
  const float* gates;
  const float* peepholes;
  float* c;
  float* h;
  size_t hidden;
  float clip;    // 0: none
  bool coupled;  // f = 1 - i
};
using LstmCellF32 = void (*)(const LstmRow&);
LstmCellF32 lstm_cell_f32();

// x and state hold the sums of z and r, then of n: from the input, and from h (or from r * h where it is reset first).
struct GruRow {
  const float* x;
  const float* state;
  float* gates;  // z, r
  float* reset;  // r * h
  float* h;
  size_t hidden;
  float clip;
  bool linear_before_reset;
};
struct GruCellF32 {
  void (*open)(const GruRow&);   // z, r and reset
  void (*close)(const GruRow&);  // h, from the third row of x and of state
};
GruCellF32 gru_cell_f32();

}  // namespace sdx::ops
