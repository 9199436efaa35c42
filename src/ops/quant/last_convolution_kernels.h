// Integer convolutions over channels that lie innermost, per SIMD level: pixels of the input are named by pointers, so
// that nothing is gathered.
#pragma once

#include "ops/quant/integer_gemm.h"
#include "ops/quant/qlinear_binary_kernels.h"

namespace sdx::ops {

// Codes y = saturate(round(a * ratio + (b * other + rest))) of what the convolution gives, which is a or b, and codes
// that lie as it does.
struct SumOfCodes {
  AddCodes kernel = nullptr;  // null: nothing is added
  QlinearSum sum;
  bool convolution_is_second = false;
  const uint8_t* other = nullptr;
};
// In place.
inline void add_codes_to(const SumOfCodes& by, bool is_signed, int64_t at, uint8_t* y, int64_t count) {
  const uint8_t* other = by.other + at;
  const bool second = by.convolution_is_second;
  by.kernel(by.sum, {.a = second ? other : y,
                     .b = second ? y : other,
                     .is_signed = is_signed,
                     .y = y,
                     .count = static_cast<size_t>(count)});
}

// Filters lie in panels of 16: for every four bytes of a pixel's runs, 16 times four signed bytes.
//   sum[r, f] = start[f] - row_term[r] + sum over runs s and bytes k of from[s][r][k] * w[f, s, k]
// The bytes are unsigned once turned. Whole fours are read of each run; weights are 0 behind its end.
struct PixelBlock {
  int64_t rows = 0, panels = 0;  // pixels; filters
  int64_t runs = 0, steps = 0;   // steps: fours of a run
  const uint8_t* const* from = nullptr;
  int64_t from_stride = 0;  // pointers from a run to the next one
  uint8_t turned = 0;
  const uint8_t* weights = nullptr;
  int64_t panel_stride = 0;
  int64_t panels_behind = 0;           // that lie behind these, and are likely wanted next
  const int32_t* starts = nullptr;     // of whole panels
  const int32_t* row_terms = nullptr;  // may be null: 0
  // The sums; or, of as many filters as there are, products with multipliers, or codes.
  int32_t* sums = nullptr;
  int64_t sums_row = 0;
  float* floats = nullptr;             // their rows as those of y
  const float* multipliers = nullptr;  // finite; of whole panels
  Requantization to = {};
  RequantizeKernel requantize = nullptr;
  SumOfCodes sum = {};  // finite; `other` at y
  uint8_t* y = nullptr;
  int64_t y_row = 0, filters = 0;
};
using MultiplyCodePixels = void (*)(const PixelBlock&);
MultiplyCodePixels multiply_code_pixels_kernel();
MultiplyCodePixels multiply_code_pixels_avx512_vnni();

// Each channel with one filter of its own. Taps go in fours, weights of 0 behind the last; channels in blocks of 64, in
// which channel 16 l + 4 v + e stands at 16 v + 4 l + e.
inline constexpr int64_t kLastBlock = 64;
struct ChannelBlock {
  int64_t pixels = 0, channels = 0, taps = 0;
  const uint8_t* const* from = nullptr;  // [pixels][taps in whole fours]
  uint8_t turned = 0;
  const uint8_t* weights = nullptr;  // [blocks][fours][64][4]
  const int32_t* starts = nullptr;   // [blocks][64]
  const float* multipliers = nullptr;
  Requantization to = {};
  RequantizeKernel requantize = nullptr;
  uint8_t* y = nullptr;  // [pixels][channels]
};
using MultiplyCodeChannels = void (*)(const ChannelBlock&);
MultiplyCodeChannels multiply_code_channels_kernel();
MultiplyCodeChannels multiply_code_channels_avx512_vnni();

}  // namespace sdx::ops
