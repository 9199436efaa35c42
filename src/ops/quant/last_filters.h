// How filters [M, C / group, kernel...] lie in memory for the convolutions over innermost channels.
#pragma once

#include "ops/quant/last_convolution_kernels.h"

namespace sdx::ops {

struct LastFilters {
  int64_t group = 1, filters = 0, channels = 0;  // of a group
  int64_t kernel_height = 1, kernel_width = 1;
  bool is_depthwise = false;
  bool joins_rows = false;  // a row of the kernel is one run of bytes

  static LastFilters of(const Attributes& attributes, std::span<const int64_t> w);
  int64_t taps() const { return kernel_height * kernel_width; }
  int64_t runs() const { return joins_rows ? kernel_height : taps(); }
  int64_t run_bytes() const { return joins_rows ? kernel_width * channels : channels; }
  int64_t depth() const { return taps() * channels; }
  int64_t panels() const { return panels_of(filters); }
  int64_t panel_size() const { return runs() * panel_bytes(run_bytes()); }
  int64_t fours() const { return depth_steps(taps()); }
  // Places of filters in starts and multipliers.
  int64_t places() const { return is_depthwise ? whole(group, kLastBlock) : group * panels() * kPanelColumns; }
  int64_t place(int64_t filter) const {
    if (!is_depthwise) return filter / filters * panels() * kPanelColumns + filter % filters;
    const int64_t in_block = filter % kLastBlock;
    return filter - in_block + in_block / 4 % 4 * 16 + in_block / 16 * 4 + in_block % 4;
  }
  int64_t bytes() const { return is_depthwise ? places() * fours() * kDepthStep : group * panels() * panel_size(); }
};

// `bytes` start as zeros; `sums`: of each filter.
void pack_last_filters(const LastFilters& filters, const Tensor& w, uint8_t* bytes, int32_t* sums);

}  // namespace sdx::ops
