// Tile of elements of whole bytes: each block of the output is written once, then copied from there.
#include <cstring>

#include "ops/reference.h"
#include "ops/shape/copy_row.h"
#include "ops/shape/strided.h"
#include "ops/shape/tile.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 65536;  // of one parallel block

// Fills `bytes` with what stands in the first `done` of them, again and again.
void repeat_bytes(std::byte* to, int64_t done, int64_t bytes) {
  constexpr int64_t kLargest = 8192;  // copied at once, so that it is read from the nearest cache
  const int64_t unit = done;
  while (done < bytes && done <= kLargest / 2) {
    const int64_t more = std::min(done, bytes - done);
    std::memcpy(to + done, to, static_cast<size_t>(more));
    done += more;
  }
  // A whole number of units each time.
  const int64_t step = done > unit ? done / unit * unit : unit;
  for (; done < bytes; done += step) std::memcpy(to + done, to, static_cast<size_t>(std::min(step, bytes - done)));
}

// A row, `times` times. It is read from the input: what was written just now is no quick source.
void repeat_row(std::byte* to, const std::byte* from, int64_t bytes, int64_t times) {
  const auto size = static_cast<size_t>(bytes);
  if (bytes < 16 && times > 2) {
    std::memcpy(to, from, size);
    return repeat_bytes(to, bytes, bytes * times);
  }
  for (; times > 0; --times, to += bytes) copy_row(to, from, size);
}

template <typename T>
void repeat_element(const std::byte* x, std::byte* y, int64_t count) {
  std::fill_n(reinterpret_cast<T*>(y), count, *reinterpret_cast<const T*>(x));
}

// Dimensions with their repetitions; those that are not repeated are one with the dimension before.
struct Tiling {
  Shape sizes, repeats, x_strides, y_strides;  // strides in bytes

  Tiling(std::span<const int64_t> shape, std::span<const int64_t> times, int64_t width) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (times[i] == 1 && !sizes.empty()) {
        sizes.back() *= shape[i];
      } else if (shape[i] != 1 || times[i] != 1) {
        sizes.push_back(shape[i]);
        repeats.push_back(times[i]);
      }
    }
    x_strides = y_strides = sizes;
    int64_t x = width, y = width;
    for (size_t i = sizes.size(); i-- > 0; x *= sizes[i], y *= sizes[i] * repeats[i]) {
      x_strides[i] = x;
      y_strides[i] = y;
    }
  }
  int64_t part(size_t axis) const { return sizes[axis] * y_strides[axis]; }

  // Positions [begin, end) of `axis`, without the repetitions of that axis.
  void write(size_t axis, const std::byte* x, std::byte* y, int64_t begin, int64_t end) const {
    x += begin * x_strides[axis];
    y += begin * y_strides[axis];
    if (axis + 1 == sizes.size()) {
      std::memcpy(y, x, static_cast<size_t>((end - begin) * y_strides[axis]));
      return;
    }
    const bool of_elements = axis + 2 == sizes.size() && sizes[axis + 1] == 1;
    for (; begin < end; ++begin, x += x_strides[axis], y += y_strides[axis]) {
      if (of_elements) {
        switch (x_strides[axis]) {
          case 1: repeat_element<uint8_t>(x, y, repeats[axis + 1]); continue;
          case 2: repeat_element<uint16_t>(x, y, repeats[axis + 1]); continue;
          case 4: repeat_element<uint32_t>(x, y, repeats[axis + 1]); continue;
          case 8: repeat_element<uint64_t>(x, y, repeats[axis + 1]); continue;
          default: break;
        }
      }
      if (axis + 2 == sizes.size()) {
        repeat_row(y, x, part(axis + 1), repeats[axis + 1]);
        continue;
      }
      write(axis + 1, x, y, 0, sizes[axis + 1]);
      repeat_bytes(y, part(axis + 1), part(axis + 1) * repeats[axis + 1]);
    }
  }
};

Status run_tile(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const Tiling tiling(x.shape(), read_ints(ctx.input(1)), bit_width(x.dtype()) / 8);
  if (tiling.sizes.empty()) {
    std::memcpy(y.raw(), x.raw(), x.byte_size());
    return {};
  }
  SDX_TRY(parallel_ranges(ctx, tiling.sizes[0], std::max<int64_t>(1, kBlockBytes / tiling.y_strides[0]),
                          [&](int64_t begin, int64_t end) { tiling.write(0, x.bytes(), y.bytes(), begin, end); }));
  const int64_t part = tiling.part(0), all = static_cast<int64_t>(y.byte_size());
  if (all <= kBlockBytes) {
    repeat_bytes(y.bytes(), part, all);
    return {};
  }
  // What is left, in blocks that begin at the same place of a repetition as what they copy.
  const int64_t wide = part >= kBlockBytes ? part : part * (kBlockBytes / part);
  repeat_bytes(y.bytes(), part, std::min(wide, all));
  const int64_t step = std::min(wide, kBlockBytes), steps = (wide + step - 1) / step;
  return parallel_ranges(ctx, (all - 1) / wide * steps, 1, [&](int64_t block, int64_t) {
    const int64_t at = block % steps * step, to = (block / steps + 1) * wide + at;
    if (to < all)
      std::memcpy(y.bytes() + to, y.bytes() + at, static_cast<size_t>(std::min({step, wide - at, all - to})));
  });
}

}  // namespace

SDX_CPU_KERNELS(tile, {.name = "tile_bytes", .can_run = takes_whole_bytes, .run = run_tile});

}  // namespace sdx::ops
