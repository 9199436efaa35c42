#include "base/simd_targets.h"
#include "kernel/scratch_parts.h"
#include "kernel/simd.h"
#include "ops/quant/integer_convolution.h"
#include "ops/quant/integer_gemm.h"

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

constexpr int64_t kPixels = 4 * kPanelColumns, kRows = 12;  // of a block of the product
constexpr int64_t kSlack = 16;                              // a whole vector may be read at the end of a row

bool goes_by_channel(int64_t channels_per_group, int64_t taps, int64_t filters_per_group) {
  return channels_per_group == 1 && taps > 1 && filters_per_group <= 4;
}

size_t product_slot_bytes(int64_t depth) {
  return ScratchParts::rounded(static_cast<size_t>(kPixels * depth)) +
         ScratchParts::rounded(static_cast<size_t>(kRows * depth) * sizeof(int16_t)) +
         ScratchParts::rounded(static_cast<size_t>(kRows) * sizeof(int32_t)) +
         ScratchParts::rounded(static_cast<size_t>(kRows * kPixels) * sizeof(int32_t));
}

// Copies x into planes with the padding that the kernel reaches, unless it reaches none.
Result<Plane> padded_plane(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                           ScratchParts& scratch) {
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
  uint8_t* storage = scratch.take<uint8_t>(planes * plane.size()).data();
  SDX_TRY(parallel_ranges(ctx, planes, 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      uint8_t* to = storage + i * plane.size();
      std::memset(to, operands.x_zero, static_cast<size_t>(plane.size()));
      for (int64_t y = 0; y < in_height; ++y)
        std::memcpy(to + (y + top) * plane.width + left, plane.data + (i * in_height + y) * in_width,
                    static_cast<size_t>(in_width));
    }
  }));
  plane.data = storage;
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
                      const Plane& plane, const ScratchParts& scratch, SumsDone done) {
  constexpr int64_t kFilters = 128;
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
  ScratchSlots slots = scratch.slots(product_slot_bytes(depth));
  const auto kernel = panel_kernel();
  const auto interleave = SDX_DISPATCH(interleave_rows);
  return parallel_ranges(ctx, shape.batch * shape.group * pixel_blocks * filter_blocks, 1, [&](int64_t block, int64_t) {
    const ScratchSlots::Lease lease(slots);
    ScratchParts parts({lease.memory(), product_slot_bytes(depth)});
    auto* panels = parts.take<int8_t>(kPixels * depth).data();
    auto* wide = parts.take<int16_t>(kRows * depth).data();
    auto* row_sums = parts.take<int32_t>(kRows).data();
    auto* c = parts.take<int32_t>(kRows * kPixels).data();
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
                      const Plane& plane, const ScratchParts& scratch, SumsDone done) {
  const int64_t phase = (plane.width + plane.stride_x - 1) / plane.stride_x, row_size = phase * plane.stride_x;
  const int64_t rows_size = plane.height * row_size + kSlack, sums_size = plane.out_width + kSlack;
  const size_t slot_bytes = ScratchParts::rounded(static_cast<size_t>(rows_size) * sizeof(int32_t)) +
                            ScratchParts::rounded(static_cast<size_t>(sums_size) * sizeof(int32_t));
  ScratchSlots slots = scratch.slots(slot_bytes);
  const auto add = SDX_DISPATCH(add_scaled);
  const bool x_signed = operands.x->dtype() == DType::i8, w_signed = operands.w->dtype() == DType::i8;
  const int64_t cost = std::max<int64_t>(1, plane.pixels() * plane.taps());
  const int64_t grain = std::max<int64_t>(1, 65536 / cost);
  return parallel_ranges(ctx, shape.batch * shape.channels, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    ScratchParts parts({lease.memory(), slot_bytes});
    auto* wide = parts.take<int32_t>(rows_size).data();
    auto* sums = parts.take<int32_t>(sums_size).data();
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
  ScratchParts scratch(ctx);
  SDX_ASSIGN(const Plane plane, padded_plane(ctx, shape, operands, scratch));
  if (goes_by_channel(shape.channels_per_group(), plane.taps(), shape.filters_per_group()))
    return run_by_channel(ctx, shape, operands, plane, scratch, done);
  return run_as_product(ctx, shape, operands, plane, scratch, done);
}

namespace {

// A spatial axis of a convolution, in symbols.
struct AxisDims {
  Dim in = 1, out = 1, kernel = 1, padded = 1;
  int64_t stride = 1;
};
AxisDims axis_dims(const ScratchSize& size, size_t x, size_t w, int from_end) {
  AxisDims made;
  const NodeFacts& node = size.node();
  const int axes = node.rank(x) - 2;
  if (from_end > axes) return made;
  SymbolTable& symbols = size.symbols();
  const auto at = static_cast<size_t>(axes - from_end);
  const auto setting = [&](std::string_view name, int64_t otherwise) {
    const auto list = node.attr_ints(name);
    return at < list.size() ? list[at] : otherwise;
  };
  made.in = size.input(x, -from_end);
  made.out = size.output(0, -from_end);
  made.kernel = size.input(w, -from_end);
  made.stride = setting("strides", 1);
  const Dim reach = symbols.mul(symbols.sub(made.kernel, Dim(1)), Dim(setting("dilations", 1)));
  const Dim steps = symbols.mul(symbols.sub(made.out, Dim(1)), Dim(made.stride));
  made.padded =
      symbols.max(symbols.add(made.in, Dim(setting("pads", 0))), symbols.add(symbols.add(steps, reach), Dim(1)));
  return made;
}

}  // namespace

Dim convolution_scratch(const ScratchFacts& facts, size_t x, size_t w) {
  ScratchSize size(facts), product_slot(facts), channel_slot(facts);
  SymbolTable& symbols = facts.symbols;
  if (!facts.node.has_rank(x) || !facts.node.has_rank(w)) return symbols.fresh();
  const AxisDims rows = axis_dims(size, x, w, 2), columns = axis_dims(size, x, w, 1);
  const Dim plane = symbols.mul(rows.padded, columns.padded);
  const Dim grown = symbols.min(symbols.sub(plane, symbols.mul(rows.in, columns.in)), Dim(1));  // 0: nothing is padded
  size.part(size.product({size.input(x, 0), size.input(x, 1), plane, grown}), 1);

  const Dim taps = symbols.mul(rows.kernel, columns.kernel), channels = size.input(w, 1);
  const Dim depth = symbols.mul(symbols.ceil_div(symbols.mul(channels, taps), Dim(2)), Dim(2));
  product_slot.part(symbols.mul(Dim(kPixels), depth), 1).part(symbols.mul(Dim(kRows), depth), sizeof(int16_t));
  product_slot.part(Dim(kRows), sizeof(int32_t)).part(Dim(kRows * kPixels), sizeof(int32_t));
  const Dim phases = symbols.mul(symbols.ceil_div(columns.padded, Dim(columns.stride)), Dim(columns.stride));
  channel_slot.part(symbols.add(symbols.mul(rows.padded, phases), Dim(kSlack)), sizeof(int32_t));
  channel_slot.part(symbols.add(columns.out, Dim(kSlack)), sizeof(int32_t));
  const Dim filters = symbols.floor_div(size.input(w, 0), Dim(std::max<int64_t>(1, facts.node.attr_int("group", 1))));
  if (!channels.is_known() || !taps.is_known() || !filters.is_known())
    return size.slots(symbols.max(product_slot.bytes(), channel_slot.bytes())).bytes();
  const bool by_channel = goes_by_channel(channels.known(), taps.known(), filters.known());
  return size.slots((by_channel ? channel_slot : product_slot).bytes()).bytes();
}

}  // namespace sdx::ops
#endif
