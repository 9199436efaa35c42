#include "base/simd_targets.h"
#include "kernel/simd.h"
#include "ops/quant/integer_convolution.h"
#include "ops/quant/integer_gemm.h"
#include "ops/quant/scratch_pool.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// Rows `first` and `second` of a panel (16 pixels each) side by side, with their sign bits flipped as `flip` says.
void interleave_rows(const uint8_t* first, const uint8_t* second, uint8_t flip, int8_t* panel) {
  const hn::Full128<uint8_t> d;
  const auto flips = hn::Set(d, flip);
  const auto a = hn::Xor(hn::LoadU(d, first), flips), b = hn::Xor(hn::LoadU(d, second), flips);
  auto* to = reinterpret_cast<uint8_t*>(panel);
  hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
  hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + 16);
}

// sums[x] += weight * row[x]; both have room up to the next whole vector.
void add_scaled(const int32_t* row, int32_t weight, int32_t* sums, size_t count) {
  const hn::ScalableTag<int32_t> d;
  const auto weights = hn::Set(d, weight);
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::Mul(weights, hn::LoadU(d, row + i))), d, sums + i);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// The spatial part with two axes, padding made real.
struct Plane {
  int64_t height = 1, width = 1, out_height = 1, out_width = 1;
  int64_t kernel_height = 1, kernel_width = 1, stride_y = 1, stride_x = 1, step_y = 1, step_x = 1;
  const uint8_t* data = nullptr;  // [images, channels, height, width]
  int64_t size() const { return height * width; }
  int64_t pixels() const { return out_height * out_width; }
  int64_t taps() const { return kernel_height * kernel_width; }
};

// Copies x into planes with the padding that the kernel reaches, unless it reaches none.
Result<Plane> padded_plane(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                           Tensor& storage) {
  const size_t axes = shape.in.size();
  const auto pick = [&](const Shape& s, size_t from_end, int64_t otherwise) {
    return from_end <= axes ? s[axes - from_end] : otherwise;
  };
  Plane plane{.out_height = pick(shape.out, 2, 1),
              .out_width = pick(shape.out, 1, 1),
              .kernel_height = pick(shape.kernel, 2, 1),
              .kernel_width = pick(shape.kernel, 1, 1),
              .stride_y = pick(shape.strides, 2, 1),
              .stride_x = pick(shape.strides, 1, 1),
              .step_y = pick(shape.dilations, 2, 1),
              .step_x = pick(shape.dilations, 1, 1)};
  const int64_t in_height = pick(shape.in, 2, 1), in_width = pick(shape.in, 1, 1);
  const int64_t top = pick(shape.pads, 2, 0), left = pick(shape.pads, 1, 0);
  plane.height =
      std::max(in_height + top, (plane.out_height - 1) * plane.stride_y + (plane.kernel_height - 1) * plane.step_y + 1);
  plane.width =
      std::max(in_width + left, (plane.out_width - 1) * plane.stride_x + (plane.kernel_width - 1) * plane.step_x + 1);
  plane.data = operands.x->data<uint8_t>();
  if (plane.height == in_height && plane.width == in_width) {
    if (plane.taps() == 1 && plane.stride_y == 1 && plane.stride_x == 1) {  // pixels are one run
      plane.width = plane.out_width = plane.size();
      plane.height = plane.out_height = 1;
    }
    return plane;
  }
  const int64_t planes = shape.batch * shape.channels;
  SDX_ASSIGN(storage, Tensor::allocate(DType::u8, Shape{planes, plane.height, plane.width}));
  SDX_TRY(parallel_ranges(ctx, planes, 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      uint8_t* to = storage.data<uint8_t>() + i * plane.size();
      std::memset(to, operands.x_zero, static_cast<size_t>(plane.size()));
      for (int64_t y = 0; y < in_height; ++y)
        std::memcpy(to + (y + top) * plane.width + left, plane.data + (i * in_height + y) * in_width,
                    static_cast<size_t>(in_width));
    }
  }));
  plane.data = storage.data<uint8_t>();
  return plane;
}

// One panel: 16 pixels from `pixel` on of the channels from `image` on.
void gather_panel(const Plane& plane, const uint8_t* image, int64_t channels, int64_t pixel, uint8_t flip,
                  void (*interleave)(const uint8_t*, const uint8_t*, uint8_t, int8_t*), int8_t* panel) {
  int64_t offsets[kPanelColumns];
  bool run = pixel + kPanelColumns <= plane.pixels();
  for (int64_t j = 0; j < kPanelColumns; ++j) {
    const int64_t at = std::min(pixel + j, plane.pixels() - 1);
    offsets[j] = at / plane.out_width * plane.stride_y * plane.width + at % plane.out_width * plane.stride_x;
    run = run && offsets[j] == offsets[0] + j;
  }
  const int64_t depth = channels * plane.taps();
  uint8_t buffers[2][kPanelColumns];
  const uint8_t* rows[2] = {};
  int64_t k = 0;
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t ky = 0; ky < plane.kernel_height; ++ky) {
      for (int64_t kx = 0; kx < plane.kernel_width; ++kx, ++k) {
        const uint8_t* from = image + c * plane.size() + ky * plane.step_y * plane.width + kx * plane.step_x;
        if (run) {
          rows[k % 2] = from + offsets[0];
        } else {
          uint8_t* buffer = buffers[k % 2];
          for (int64_t j = 0; j < kPanelColumns; ++j) buffer[j] = from[offsets[j]];
          rows[k % 2] = buffer;
        }
        if (k % 2 == 1) interleave(rows[0], rows[1], flip, panel + (k - 1) * kPanelColumns);
      }
    }
  }
  if (depth % 2 == 1) interleave(rows[0], rows[0], flip, panel + (depth - 1) * kPanelColumns);  // times a weight of 0
}

Status run_as_product(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                      const Plane& plane, SumsDone done) {
  constexpr int64_t kPixels = 4 * kPanelColumns, kFilters = 128, kRows = 12;
  const int64_t channels = shape.channels_per_group(), filters = shape.filters_per_group();
  const int64_t k = channels * plane.taps(), depth = even_depth(k);
  const int64_t pixel_blocks = (plane.pixels() + kPixels - 1) / kPixels,
                filter_blocks = (filters + kFilters - 1) / kFilters;
  const bool x_signed = operands.x->dtype() == DType::i8;
  const uint8_t flip = x_signed ? 0 : 0x80;
  int32_t zeros[kPanelColumns];
  std::fill(std::begin(zeros), std::end(zeros), operands.x_zero - (x_signed ? 0 : kUnsignedShift));
  const Matrix8 weights{.data = operands.w->data<uint8_t>(),
                        .is_signed = operands.w->dtype() == DType::i8,
                        .row_stride = k,
                        .column_stride = 1};
  const size_t panel_part = ScratchPool::part(kPixels * depth, 1), wide_part = ScratchPool::part(kRows * depth, 2);
  const size_t sums_part = ScratchPool::part(kRows, 4);
  ScratchPool pool(panel_part + wide_part + sums_part + ScratchPool::part(kRows * kPixels, 4));
  const auto kernel = panel_kernel();
  const auto interleave = SDX_DISPATCH(interleave_rows);
  return parallel_ranges(ctx, shape.batch * shape.group * pixel_blocks * filter_blocks, 1, [&](int64_t block, int64_t) {
    ScratchPool::Buffer scratch(pool);
    auto* panels = scratch.at<int8_t>(0);
    auto* wide = scratch.at<int16_t>(panel_part);
    auto* row_sums = scratch.at<int32_t>(panel_part + wide_part);
    auto* c = scratch.at<int32_t>(panel_part + wide_part + sums_part);
    const int64_t first = block % filter_blocks * kFilters;
    const int64_t pixel = block / filter_blocks % pixel_blocks * kPixels;
    const int64_t group = block / (filter_blocks * pixel_blocks) % shape.group;
    const int64_t image = block / (filter_blocks * pixel_blocks * shape.group);
    const int64_t pixels = std::min(kPixels, plane.pixels() - pixel);
    const uint8_t* from = plane.data + (image * shape.channels + group * channels) * plane.size();
    for (int64_t j = 0; j < pixels; j += kPanelColumns)
      gather_panel(plane, from, channels, pixel + j, flip, interleave, panels + j * depth);
    for (int64_t row = first; row < std::min(first + kFilters, filters); row += kRows) {
      const int64_t filter = group * filters + row, rows = std::min(kRows, std::min(first + kFilters, filters) - row);
      Matrix8 part = weights;
      part.data += filter * k;
      widen_rows(part, rows, k, operands.w_zeros.data() + filter, 1, wide, row_sums);
      for (int64_t j = 0; j < pixels; j += kPanelColumns)
        kernel(wide, depth, rows, panels + j * depth, row_sums, zeros[0] == 0 ? nullptr : zeros, c + j, kPixels,
               std::min(kPanelColumns, pixels - j));
      for (int64_t r = 0; r < rows; ++r) done(image, filter + r, pixel, pixels, c + r * kPixels);
    }
  });
}

// Each channel alone. Its rows are widened and sorted by the stride's phases, so that every tap reads a run.
Status run_by_channel(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                      const Plane& plane, SumsDone done) {
  constexpr int64_t kSlack = 16;  // a whole vector may be read at the end of a row
  const int64_t phase = (plane.width + plane.stride_x - 1) / plane.stride_x, row_size = phase * plane.stride_x;
  const size_t rows_part = ScratchPool::part(plane.height * row_size + kSlack, 4);
  ScratchPool pool(rows_part + ScratchPool::part(plane.out_width + kSlack, 4));
  const auto add = SDX_DISPATCH(add_scaled);
  const bool x_signed = operands.x->dtype() == DType::i8, w_signed = operands.w->dtype() == DType::i8;
  const int64_t cost = std::max<int64_t>(1, plane.pixels() * plane.taps());
  const int64_t grain = std::max<int64_t>(1, 65536 / cost);
  return parallel_ranges(ctx, shape.batch * shape.channels, grain, [&](int64_t begin, int64_t end) {
    ScratchPool::Buffer scratch(pool);
    auto* wide = scratch.at<int32_t>(0);
    auto* sums = scratch.at<int32_t>(rows_part);
    for (int64_t i = begin; i < end; ++i) {
      const uint8_t* from = plane.data + i * plane.size();
      for (int64_t y = 0; y < plane.height; ++y) {
        for (int64_t x = 0; x < plane.width; ++x) {
          const uint8_t v = from[y * plane.width + x];
          wide[y * row_size + x % plane.stride_x * phase + x / plane.stride_x] =
              (x_signed ? static_cast<int8_t>(v) : v) - operands.x_zero;
        }
      }
      for (int64_t f = 0; f < shape.filters_per_group(); ++f) {
        const int64_t filter = i % shape.channels * shape.filters_per_group() + f;
        const uint8_t* w = operands.w->data<uint8_t>() + filter * plane.taps();
        for (int64_t y = 0; y < plane.out_height; ++y) {
          std::fill(sums, sums + plane.out_width, 0);
          for (int64_t tap = 0; tap < plane.taps(); ++tap) {
            const int64_t at_y = y * plane.stride_y + tap / plane.kernel_width * plane.step_y;
            const int64_t at_x = tap % plane.kernel_width * plane.step_x;
            const int32_t weight =
                (w_signed ? static_cast<int8_t>(w[tap]) : w[tap]) - operands.w_zeros[static_cast<size_t>(filter)];
            add(wide + at_y * row_size + at_x % plane.stride_x * phase + at_x / plane.stride_x, weight, sums,
                static_cast<size_t>(plane.out_width));
          }
          done(i / shape.channels, filter, y * plane.out_width, plane.out_width, sums);
        }
      }
    }
  });
}

}  // namespace

Verdict can_run_convolution(const NodeFacts& facts, size_t x, size_t w) {
  if (!facts.has_rank(x) || facts.rank(x) > 4) return no("only one or two spatial axes");
  if (!facts.has_rank(w)) return no("the rank of w is not known");
  return yes();
}

Result<std::vector<int32_t>> filter_zeros(const KernelContext& ctx, size_t input, int64_t filters) {
  std::vector<int32_t> zeros(static_cast<size_t>(filters), 0);
  if (!ctx.has_input(input)) return zeros;
  const Tensor& given = ctx.input(input);
  if (given.count() != 1 && given.count() != filters)
    return invalid_argument("the zero point of w has {} values, 1 or {} are wanted", given.count(), filters);
  for (int64_t i = 0; i < filters; ++i)
    zeros[static_cast<size_t>(i)] = static_cast<int32_t>(load_i64(given, given.count() == 1 ? 0 : i));
  return zeros;
}

Status run_convolution(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                       SumsDone done) {
  if (shape.batch == 0 || shape.filters == 0 || count_of(shape.out) == 0) return {};
  Tensor storage;
  SDX_ASSIGN(const Plane plane, padded_plane(ctx, shape, operands, storage));
  if (shape.channels_per_group() == 1 && plane.taps() > 1 && shape.filters_per_group() <= 4)
    return run_by_channel(ctx, shape, operands, plane, done);
  return run_as_product(ctx, shape, operands, plane, done);
}

}  // namespace sdx::ops
#endif
