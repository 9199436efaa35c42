#include "ops/quant/last_pixels.h"

#include <algorithm>
#include <cstring>

namespace sdx::ops {

LastPixels::LastPixels(const ConvolutionShape& shape, const LastFilters& filters)
    : filters_(filters), channels_(shape.channels), plane_(shape) {
  const bool is_line = filters.taps() == 1 && plane_.stride_y == 1 && plane_.stride_x == 1 && plane_.top == 0 &&
                       plane_.left == 0 && plane_.in_height == plane_.out_height && plane_.in_width == plane_.out_width;
  if (!is_line) return;
  plane_.in_width = plane_.out_width = plane_.in_height * plane_.in_width;
  plane_.in_height = plane_.out_height = 1;
}

int64_t LastPixels::zero_bytes(const LastFilters& filters) {
  return filters.is_depthwise ? whole(filters.group, kLastBlock) : padded_bytes(filters.run_bytes());
}

// Of rows of a kernel any may reach beyond the image; else only the tensor's last pixels cannot be read.
int64_t LastPixels::copy_bytes(const LastFilters& filters, int64_t pixels) {
  if (filters.is_depthwise) return 0;
  const int64_t own = padded_bytes(filters.run_bytes());
  return filters.joins_rows ? pixels * filters.runs() * own : (kDepthStep - 1) * filters.runs() * own;
}

// A run that begins at (y, x), of which some is outside.
const uint8_t* LastPixels::edge(const Source& source, int64_t y, int64_t x, uint8_t*& copies) const {
  uint8_t* made = copies;
  const int64_t columns = filters_.joins_rows ? filters_.kernel_width : 1, own = filters_.channels;
  copies += padded_bytes(filters_.run_bytes());
  for (int64_t i = 0; i < columns; ++i)
    if (x + i >= 0 && x + i < plane_.in_width)
      std::memcpy(made + i * own, source.image + (y * plane_.in_width + x + i) * channels_, static_cast<size_t>(own));
    else
      std::memset(made + i * own, source.zero, static_cast<size_t>(own));
  return made;
}

void LastPixels::find(const Source& source, int64_t first, int64_t count, Order order, int64_t stride, uint8_t* copies,
                      const uint8_t** from) const {
  const int64_t pixel_step = order == Order::by_pixel ? stride : 1, run_step = order == Order::by_pixel ? 1 : stride;
  const int64_t columns = filters_.joins_rows ? filters_.kernel_width : 1;  // of a run
  const int64_t kernel_columns = filters_.joins_rows ? 1 : filters_.kernel_width;
  const int64_t read = filters_.is_depthwise ? 0 : padded_bytes(filters_.run_bytes());
  for (int64_t done = 0; done < count;) {
    const int64_t out_y = (first + done) / plane_.out_width, out_x = (first + done) % plane_.out_width;
    const int64_t here = std::min(plane_.out_width - out_x, count - done);
    for (int64_t run = 0; run < filters_.runs(); ++run) {
      const int64_t y = out_y * plane_.stride_y - plane_.top + run / kernel_columns * plane_.step_y;
      const int64_t shift = run % kernel_columns * plane_.step_x - plane_.left;  // x = out_x * stride_x + shift
      const uint8_t** to = from + run * run_step + done * pixel_step;
      if (y < 0 || y >= plane_.in_height) {
        for (int64_t i = 0; i < here; ++i) to[i * pixel_step] = source.zeros;
        continue;
      }
      // Pixels whose run is inside: from `begin` up to `end`; `safe`: and can be read in fours.
      const auto clamped = [&](int64_t value) { return std::clamp<int64_t>(value, 0, here); };
      const int64_t first_x = out_x * plane_.stride_x + shift, room = plane_.in_width - columns - first_x;
      const int64_t begin = clamped(first_x < 0 ? (-first_x + plane_.stride_x - 1) / plane_.stride_x : 0);
      const int64_t end = std::max(begin, clamped(room < 0 ? 0 : room / plane_.stride_x + 1));
      const uint8_t* row = source.image + (y * plane_.in_width + first_x) * channels_;
      const int64_t step = plane_.stride_x * channels_;
      int64_t safe = end;
      while (safe > begin && source.end - (row + (safe - 1) * step) < read) --safe;
      const auto outside = [&](int64_t i) {
        const int64_t x = first_x + i * plane_.stride_x;
        return x + columns <= 0 || x >= plane_.in_width;
      };
      for (int64_t i = 0; i < begin; ++i)
        to[i * pixel_step] = outside(i) ? source.zeros : edge(source, y, first_x + i * plane_.stride_x, copies);
      for (int64_t i = begin; i < safe; ++i) to[i * pixel_step] = row + i * step;
      for (int64_t i = safe; i < here; ++i)
        to[i * pixel_step] = outside(i) ? source.zeros : edge(source, y, first_x + i * plane_.stride_x, copies);
    }
    done += here;
  }
}

void LastPixels::sum_windows(const int32_t* values, int32_t outside, int64_t first, int64_t count,
                             int32_t* sums) const {
  std::fill(sums, sums + count, 0);
  for (int64_t done = 0; done < count;) {
    const int64_t out_y = (first + done) / plane_.out_width, out_x = (first + done) % plane_.out_width;
    const int64_t here = std::min(plane_.out_width - out_x, count - done);
    int32_t* to = sums + done;
    for (int64_t tap = 0; tap < filters_.taps(); ++tap) {
      const int64_t y = out_y * plane_.stride_y - plane_.top + tap / filters_.kernel_width * plane_.step_y;
      const int64_t x = out_x * plane_.stride_x - plane_.left + tap % filters_.kernel_width * plane_.step_x;
      const bool inside = y >= 0 && y < plane_.in_height;
      const int64_t room = plane_.in_width - 1 - x;
      const int64_t begin =
          !inside ? here : std::clamp<int64_t>(x < 0 ? (-x + plane_.stride_x - 1) / plane_.stride_x : 0, 0, here);
      const int64_t end = std::max(begin, std::clamp<int64_t>(room < 0 ? 0 : room / plane_.stride_x + 1, 0, here));
      for (int64_t i = 0; i < begin; ++i) to[i] += outside;
      if (plane_.stride_x == 1) {
        const int32_t* own = values + y * plane_.in_width + x;
        for (int64_t i = begin; i < end; ++i) to[i] += own[i];
      } else {
        for (int64_t i = begin; i < end; ++i) to[i] += values[y * plane_.in_width + x + i * plane_.stride_x];
      }
      for (int64_t i = end; i < here; ++i) to[i] += outside;
    }
    done += here;
  }
}

}  // namespace sdx::ops
