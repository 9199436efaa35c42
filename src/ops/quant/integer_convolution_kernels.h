// What the integer convolutions do per SIMD level.
#pragma once

#include <cstdint>

namespace sdx::ops {

// Rows of 16 bytes, four of them side by side in a panel, with their highest bits turned where `turned` says.
using InterleaveRows = void (*)(const uint8_t* const* rows, uint8_t turned, uint8_t* panel);
InterleaveRows interleave_rows_kernel();

// c[i] = start + sum over taps (y, x) of byte[y * row + i * stride + x] * taps, for i up to whole vectors of 16: may
// read 64 bytes beyond what is needed. Taps of a row are signed bytes, in fours, with zeros behind; bytes are unsigned
// once their bits are turned.
struct ChannelRow {
  const uint8_t* from = nullptr;
  int64_t row = 0, stride = 1;  // stride: at most 4
  int64_t kernel_height = 1, fours = 1;
  const int32_t* taps = nullptr;  // [kernel_height][fours]
  int32_t start = 0;
  uint8_t turned = 0;
  int32_t* c = nullptr;
  int64_t count = 0;
};
using ChannelRowKernel = void (*)(const ChannelRow&);
ChannelRowKernel channel_row_kernel();
void channel_row_avx512_vnni(const ChannelRow& row);

}  // namespace sdx::ops
