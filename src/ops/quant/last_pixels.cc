#include "ops/quant/last_pixels.h"

#include <algorithm>
#include <cstring>

namespace sdx::ops {

LastPixels::LastPixels(const ConvolutionShape& shape, const LastFilters& filters)
    : filters_(filters), channels_(shape.channels) {
  const size_t axes = shape.in.size();
  const auto pick = [&](const Shape& s, size_t from_end, int64_t otherwise) {
    return from_end <= axes ? s[axes - from_end] : otherwise;
  };
  in_height_ = pick(shape.in, 2, 1), in_width_ = pick(shape.in, 1, 1);
  out_height_ = pick(shape.out, 2, 1), out_width_ = pick(shape.out, 1, 1);
  stride_y_ = pick(shape.strides, 2, 1), stride_x_ = pick(shape.strides, 1, 1);
  step_y_ = pick(shape.dilations, 2, 1), step_x_ = pick(shape.dilations, 1, 1);
  top_ = pick(shape.pads, 2, 0), left_ = pick(shape.pads, 1, 0);
  const bool is_line = filters.taps() == 1 && stride_y_ == 1 && stride_x_ == 1 && top_ == 0 && left_ == 0 &&
                       in_height_ == out_height_ && in_width_ == out_width_;
  if (!is_line) return;
  in_width_ = out_width_ = in_height_ * in_width_;
  in_height_ = out_height_ = 1;
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
    if (x + i >= 0 && x + i < in_width_)
      std::memcpy(made + i * own, source.image + (y * in_width_ + x + i) * channels_, static_cast<size_t>(own));
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
    const int64_t out_y = (first + done) / out_width_, out_x = (first + done) % out_width_;
    const int64_t here = std::min(out_width_ - out_x, count - done);
    for (int64_t run = 0; run < filters_.runs(); ++run) {
      const int64_t y = out_y * stride_y_ - top_ + run / kernel_columns * step_y_;
      const int64_t shift = run % kernel_columns * step_x_ - left_;  // x = out_x * stride_x + shift
      const uint8_t** to = from + run * run_step + done * pixel_step;
      if (y < 0 || y >= in_height_) {
        for (int64_t i = 0; i < here; ++i) to[i * pixel_step] = source.zeros;
        continue;
      }
      // Pixels whose run is inside: from `begin` up to `end`; `safe`: and can be read in fours.
      const auto clamped = [&](int64_t value) { return std::clamp<int64_t>(value, 0, here); };
      const int64_t first_x = out_x * stride_x_ + shift, room = in_width_ - columns - first_x;
      const int64_t begin = clamped(first_x < 0 ? (-first_x + stride_x_ - 1) / stride_x_ : 0);
      const int64_t end = std::max(begin, clamped(room < 0 ? 0 : room / stride_x_ + 1));
      const uint8_t* row = source.image + (y * in_width_ + first_x) * channels_;
      const int64_t step = stride_x_ * channels_;
      int64_t safe = end;
      while (safe > begin && source.end - (row + (safe - 1) * step) < read) --safe;
      const auto outside = [&](int64_t i) {
        const int64_t x = first_x + i * stride_x_;
        return x + columns <= 0 || x >= in_width_;
      };
      for (int64_t i = 0; i < begin; ++i)
        to[i * pixel_step] = outside(i) ? source.zeros : edge(source, y, first_x + i * stride_x_, copies);
      for (int64_t i = begin; i < safe; ++i) to[i * pixel_step] = row + i * step;
      for (int64_t i = safe; i < here; ++i)
        to[i * pixel_step] = outside(i) ? source.zeros : edge(source, y, first_x + i * stride_x_, copies);
    }
    done += here;
  }
}

void LastPixels::sum_windows(const int32_t* values, int32_t outside, int64_t first, int64_t count,
                             int32_t* sums) const {
  std::fill(sums, sums + count, 0);
  for (int64_t done = 0; done < count;) {
    const int64_t out_y = (first + done) / out_width_, out_x = (first + done) % out_width_;
    const int64_t here = std::min(out_width_ - out_x, count - done);
    int32_t* to = sums + done;
    for (int64_t tap = 0; tap < filters_.taps(); ++tap) {
      const int64_t y = out_y * stride_y_ - top_ + tap / filters_.kernel_width * step_y_;
      const int64_t x = out_x * stride_x_ - left_ + tap % filters_.kernel_width * step_x_;
      const bool inside = y >= 0 && y < in_height_;
      const int64_t room = in_width_ - 1 - x;
      const int64_t begin = !inside ? here : std::clamp<int64_t>(x < 0 ? (-x + stride_x_ - 1) / stride_x_ : 0, 0, here);
      const int64_t end = std::max(begin, std::clamp<int64_t>(room < 0 ? 0 : room / stride_x_ + 1, 0, here));
      for (int64_t i = 0; i < begin; ++i) to[i] += outside;
      if (stride_x_ == 1) {
        const int32_t* own = values + y * in_width_ + x;
        for (int64_t i = begin; i < end; ++i) to[i] += own[i];
      } else {
        for (int64_t i = begin; i < end; ++i) to[i] += values[y * in_width_ + x + i * stride_x_];
      }
      for (int64_t i = end; i < here; ++i) to[i] += outside;
    }
    done += here;
  }
}

}  // namespace sdx::ops
