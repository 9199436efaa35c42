// Quantization between float32 and integer codes on the CPU, of runs of one scale or of one scale an element.
#pragma once

#include "ops/quant/quantization.h"

namespace sdx::ops {

struct RowScales {
  const float* scales;
  const int32_t* zeros;
  int step;               // 1: one an element; 0: one a run
  size_t run = SIZE_MAX;  // elements; the last may be shorter
};
// The lowest and the highest code, of which y gets the low bits: a byte, or two where `bytes` is 2.
struct CodeRange {
  int32_t low = 0, high = 255;
  int bytes = 1;
};
CodeRange code_range(DType type);

using QuantizeRow = void (*)(const float* x, const RowScales& by, const CodeRange& codes, void* y, size_t count);
using DequantizeRow = void (*)(const void* x, const RowScales& by, float* y, size_t count);
using RangeOf = void (*)(const float* x, size_t count, float* low, float* high);  // widens [low, high]
QuantizeRow quantize_row_kernel();
DequantizeRow dequantize_row_kernel(DType from);  // [u]int8, [u]int16, int32
RangeOf range_kernel();

}  // namespace sdx::ops
