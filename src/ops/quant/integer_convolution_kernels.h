// What the integer convolutions do per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

// Rows of 16 bytes, four of them side by side in a panel, with their highest bits turned where `turned` says.
using InterleaveRows = void (*)(const uint8_t* const* rows, uint8_t turned, uint8_t* panel);
InterleaveRows interleave_rows_kernel();

// 16 pixels of each tap of each channel, four rows of them side by side. The pixels are runs: byte j of run r stands at
// offsets[r] + j, where the run's mask has 0xff; 16 bytes can be read at every offset. Rows behind the last repeat it.
struct PixelRuns {
  int64_t count = 0;
  int64_t offsets[16] = {};
  uint8_t masks[16][16] = {};
};
struct PanelSource {
  const uint8_t* image = nullptr;
  int64_t channels = 0, plane_size = 0;
  int64_t taps = 1;
  const int64_t* tap_offsets = nullptr;
  uint8_t turned = 0;
};
using GatherPanel = void (*)(const PanelSource& source, const PixelRuns& runs, uint8_t* panel);
GatherPanel gather_panel_kernel();

// to[i] = from[2 * i]
using CopyEverySecond = void (*)(const uint8_t* from, uint8_t* to, size_t count);
CopyEverySecond copy_every_second_kernel();

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
