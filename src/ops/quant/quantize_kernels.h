// Quantization between float32 and 8 bits on the CPU, rows of one scale or of one scale an element.
#pragma once

#include "ops/quant/quantization.h"

namespace sdx::ops {

struct RowScales {
  const float* scales;
  const int32_t* zeros;
  int step;  // 0: one for the row, 1: one an element
};
using QuantizeRow = void (*)(const float* x, const RowScales& by, int is_signed, uint8_t* y, size_t count);
using DequantizeRow = void (*)(const uint8_t* x, const RowScales& by, int is_signed, float* y, size_t count);
using RangeOf = void (*)(const float* x, size_t count, float* low, float* high);  // widens [low, high]
QuantizeRow quantize_row_kernel();
DequantizeRow dequantize_row_kernel();
RangeOf range_kernel();

}  // namespace sdx::ops
