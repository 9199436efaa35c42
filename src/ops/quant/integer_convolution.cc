#include "ops/quant/integer_convolution.h"

#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/quant/integer_convolution_kernels.h"
#include "ops/quant/integer_gemm.h"
#include "ops/quant/integer_planes.h"
#include "ops/quant/integer_volume.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockPanels = 6, kBlockPixels = kBlockPanels * kPanelColumns;
constexpr int64_t kBlockFilters = 24;  // whose sums are made at once
constexpr int64_t kMostStride = 4;     // of rows of a channel

bool goes_by_channel(int64_t channels_per_group, int64_t filters_per_group, int64_t taps, int64_t stride_x,
                     int64_t step_x) {
  return channels_per_group == 1 && taps > 1 && filters_per_group <= 4 && stride_x <= kMostStride && step_x == 1;
}

// The last pixels of a tensor, behind which nothing can be read.
void gather_end(const PanelSource& source, int64_t pixel, int64_t count, InterleaveRows interleave, uint8_t* panel) {
  uint8_t buffers[kDepthStep][kPanelColumns] = {};
  const uint8_t* rows[kDepthStep];
  for (int64_t c = 0; c < source.channels; c += kDepthStep, panel += kDepthStep * kPanelColumns) {
    for (int64_t i = 0; i < kDepthStep; ++i) {
      std::memcpy(buffers[i], source.image + std::min(c + i, source.channels - 1) * source.plane_size + pixel,
                  static_cast<size_t>(count));
      rows[i] = buffers[i];
    }
    interleave(rows, source.turned, panel);
  }
}

// What the sums of a filter start from, and its zero point where that is not 0 for all.
struct FilterTerms {
  int32_t *starts = nullptr, *zeros = nullptr;
  bool has_zeros = false;
};

// Sums of the columns of panels, for filters with zero points. The bytes of a word are added in pairs of 16 bits, which
// hold so many words; what is behind the depth counts for nothing.
void sum_columns(const uint8_t* panels, int64_t count, int64_t depth, int32_t* sums) {
  constexpr int64_t kWords = 128;
  const int64_t whole = depth / kDepthStep;
  for (int64_t p = 0; p < count; ++p) {
    const uint8_t* panel = panels + p * panel_bytes(depth);
    int32_t* own = sums + p * kPanelColumns;
    std::fill(own, own + kPanelColumns, 0);
    for (int64_t first = 0; first < whole; first += kWords) {
      uint32_t pairs[kPanelColumns] = {};
      for (int64_t step = first; step < std::min(first + kWords, whole); ++step) {
        uint32_t words[kPanelColumns];
        std::memcpy(words, panel + step * kPanelColumns * kDepthStep, sizeof(words));
        for (int64_t j = 0; j < kPanelColumns; ++j) pairs[j] += (words[j] & 0x00ff00ff) + (words[j] >> 8 & 0x00ff00ff);
      }
      for (int64_t j = 0; j < kPanelColumns; ++j)
        own[j] += static_cast<int32_t>((pairs[j] & 0xffff) + (pairs[j] >> 16));
    }
    for (int64_t k = whole * kDepthStep; k < depth; ++k)
      for (int64_t j = 0; j < kPanelColumns; ++j)
        own[j] += panel[(whole * kPanelColumns + j) * kDepthStep + k % kDepthStep];
  }
}

size_t product_slot_bytes(int64_t k) {
  return ScratchParts::rounded(static_cast<size_t>(kBlockPanels * panel_bytes(k))) +
         ScratchParts::rounded(static_cast<size_t>(kBlockPixels) * sizeof(int32_t)) +
         ScratchParts::rounded(static_cast<size_t>(kBlockFilters * kBlockPixels) * sizeof(int32_t));
}

struct Convolution {
  const ConvolutionShape& shape;
  const ConvolutionOperands& operands;
  IntegerPlane plane;
  IntegerFilterSizes sizes;
  const uint8_t* filters = nullptr;
  FilterTerms terms;
  uint8_t turned = 0;  // of x
};

// Pads or samples every plane of x, unless the pixels are a run as they lie.
Status pad_planes(KernelContext& ctx, Convolution& all, ScratchParts& scratch) {
  IntegerPlane& plane = all.plane;
  const auto* x = all.operands.x->data<uint8_t>();
  plane.data = x;
  if (plane.is_run()) return {};
  const int64_t planes = all.shape.batch * all.shape.channels, in_size = plane.in_pixels();
  uint8_t* storage = scratch.take<uint8_t>(planes * plane.size() + 2 * kPlaneSlack).data();
  std::memset(storage, 0, kPlaneSlack);
  storage += kPlaneSlack;
  std::memset(storage + planes * plane.size(), 0, kPlaneSlack);
  plane.data = storage;
  const auto every_second = copy_every_second_kernel();
  const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(1, plane.size()));
  return parallel_ranges(ctx, planes, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      uint8_t* to = storage + i * plane.size();
      if (plane.is_sampled())
        plane.sample(x + i * in_size, all.operands.x_zero, every_second, to);
      else
        plane.pad(x + i * in_size, all.operands.x_zero, IntegerPlane::Columns::sorted, every_second, to);
    }
  });
}

Status run_as_product(KernelContext& ctx, Convolution& all, ScratchParts scratch, SumsDone done) {
  SDX_TRY(pad_planes(ctx, all, scratch));
  const IntegerPlane& plane = all.plane;
  const ConvolutionShape& shape = all.shape;
  const int64_t channels = shape.channels_per_group(), filters = shape.filters_per_group();
  const int64_t steps = depth_steps(all.sizes.k), panels = panels_of(plane.pixels());
  const int64_t pixel_blocks = (panels + kBlockPanels - 1) / kBlockPanels;
  // The panels are gathered for each block of filters: there are several only where nothing else can be shared out.
  const int64_t per_block = shape.batch * shape.group * pixel_blocks >= 4 ? filters : std::min<int64_t>(filters, 192);
  const int64_t filter_blocks = (filters + per_block - 1) / per_block;
  const auto kernel = multiply_block(Signed::a);
  const auto interleave = interleave_rows_kernel();
  const auto gather = gather_panel_kernel();
  const std::span<const int64_t> taps = plane.tap_offsets(scratch.take<int64_t>(plane.taps()));
  ScratchSlots slots = scratch.slots(product_slot_bytes(all.sizes.k));
  const int64_t blocks = shape.batch * shape.group * pixel_blocks * filter_blocks;
  const int64_t cost = std::max<int64_t>(1, kBlockPixels * per_block * steps * kDepthStep);
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 19) / cost);
  return parallel_ranges(ctx, blocks, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    ScratchParts parts({lease.memory(), product_slot_bytes(all.sizes.k)});
    auto* gathered = parts.take<uint8_t>(kBlockPanels * panel_bytes(all.sizes.k)).data();
    auto* column_sums = parts.take<int32_t>(kBlockPixels).data();
    auto* c = parts.take<int32_t>(kBlockFilters * kBlockPixels).data();
    for (int64_t block = begin; block < end; ++block) {
      const int64_t first_filter = block % filter_blocks * per_block;
      const int64_t at = block / filter_blocks % pixel_blocks;
      const int64_t first = at * panels / pixel_blocks, count = (at + 1) * panels / pixel_blocks - first;
      const int64_t group = block / (filter_blocks * pixel_blocks) % shape.group;
      const int64_t image = block / (filter_blocks * pixel_blocks * shape.group);
      const int64_t pixel = first * kPanelColumns, pixels = std::min(count * kPanelColumns, plane.pixels() - pixel);
      const PanelSource source{.image = plane.data + (image * shape.channels + group * channels) * plane.size(),
                               .channels = channels,
                               .plane_size = plane.size(),
                               .taps = plane.taps(),
                               .tap_offsets = taps.data(),
                               .turned = all.turned};
      for (int64_t p = 0; p < count; ++p) {
        const int64_t at_pixel = pixel + p * kPanelColumns;
        uint8_t* panel = gathered + p * panel_bytes(all.sizes.k);
        if (plane.is_run() && at_pixel + kPanelColumns > plane.pixels())
          gather_end(source, at_pixel, plane.pixels() - at_pixel, interleave, panel);
        else
          gather(source, plane.pixel_runs(at_pixel), panel);
      }
      if (all.terms.has_zeros) sum_columns(gathered, count, all.sizes.k, column_sums);
      const int64_t last_filter = std::min(first_filter + per_block, filters);
      for (int64_t filter = first_filter; filter < last_filter; filter += kBlockFilters) {
        const int64_t rows = std::min(kBlockFilters, last_filter - filter), in_all = group * filters + filter;
        kernel({.rows = rows,
                .panels = count,
                .steps = steps,
                .a = all.filters + group * all.sizes.group_bytes() + filter / kFilterEight * all.sizes.eight_bytes(),
                .a_row = kDepthStep,
                .a_eight = all.sizes.eight_bytes(),
                .a_step = kFilterEight * kDepthStep,
                .b = gathered,
                .panel_stride = panel_bytes(all.sizes.k),
                .row_start = all.terms.starts + in_all,
                .row_factor = all.terms.has_zeros ? all.terms.zeros + in_all : nullptr,
                .column_factor = all.terms.has_zeros ? column_sums : nullptr,
                .c = c,
                .c_row = kBlockPixels});
        done({image, in_all, rows, pixel, pixels, c, kBlockPixels});
      }
    }
  });
}

constexpr int64_t kChannelSums = 4096;  // made at once, or a row

// Each channel alone, from a padded plane of its own.
Status run_by_channel(KernelContext& ctx, const Convolution& all, const ScratchParts& scratch, SumsDone done) {
  const IntegerPlane& plane = all.plane;
  const ConvolutionShape& shape = all.shape;
  const int64_t fours = depth_steps(plane.kernel_width), width = panels_of(plane.out_width) * kPanelColumns;
  const int64_t rows_at_once = std::max<int64_t>(1, kChannelSums / plane.out_width);
  const int64_t sums_size = std::min(rows_at_once, plane.out_height) * plane.out_width + width;
  const size_t slot_bytes = ScratchParts::rounded(static_cast<size_t>(plane.size() + kPlaneSlack * kMostStride)) +
                            ScratchParts::rounded(static_cast<size_t>(plane.kernel_height * fours) * sizeof(int32_t)) +
                            ScratchParts::rounded(static_cast<size_t>(sums_size) * sizeof(int32_t));
  ScratchSlots slots = scratch.slots(slot_bytes);
  const auto kernel = channel_row_kernel();
  const int64_t cost = std::max<int64_t>(1, plane.pixels() * plane.taps());
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / cost);
  const int64_t in_size = plane.in_pixels();
  return parallel_ranges(ctx, shape.batch * shape.channels, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    ScratchParts parts({lease.memory(), slot_bytes});
    auto* padded = parts.take<uint8_t>(plane.size() + kPlaneSlack * kMostStride).data();
    auto* taps = parts.take<int32_t>(plane.kernel_height * fours).data();
    auto* c = parts.take<int32_t>(sums_size).data();
    std::memset(padded + plane.size(), 0, kPlaneSlack * kMostStride);
    for (int64_t i = begin; i < end; ++i) {
      plane.pad(all.operands.x->data<uint8_t>() + i * in_size, all.operands.x_zero, IntegerPlane::Columns::in_line,
                nullptr, padded);
      for (int64_t f = 0; f < shape.filters_per_group(); ++f) {
        const int64_t filter = i % shape.channels * shape.filters_per_group() + f;
        const uint8_t* w = all.filters + i % shape.channels * all.sizes.group_bytes() + f * kDepthStep;
        std::memset(taps, 0, static_cast<size_t>(plane.kernel_height * fours) * sizeof(int32_t));
        auto* bytes = reinterpret_cast<uint8_t*>(taps);
        for (int64_t tap = 0; tap < plane.taps(); ++tap)
          bytes[tap / plane.kernel_width * fours * 4 + tap % plane.kernel_width] =
              w[tap / kDepthStep * kDepthStep * kFilterEight + tap % kDepthStep];
        for (int64_t y = 0; y < plane.out_height; y += rows_at_once) {
          const int64_t rows = std::min(rows_at_once, plane.out_height - y);
          for (int64_t r = 0; r < rows; ++r)
            kernel({.from = padded + (y + r) * plane.stride_y * plane.row(),
                    .row = plane.row() * plane.step_y,
                    .stride = plane.stride_x,
                    .kernel_height = plane.kernel_height,
                    .fours = fours,
                    .taps = taps,
                    .start = all.terms.starts[filter],
                    .turned = all.turned,
                    .c = c + r * plane.out_width,
                    .count = plane.out_width});
          done({i / shape.channels, filter, 1, y * plane.out_width, rows * plane.out_width, c, 0});
        }
      }
    }
  });
}

// start = bias - zero of x * (sum of the filter - k * its zero)
FilterTerms filter_terms(const Convolution& all, const int32_t* sums, ScratchParts& scratch) {
  FilterTerms terms{scratch.take<int32_t>(all.shape.filters).data(), scratch.take<int32_t>(all.shape.filters).data()};
  const int32_t x_shift = all.turned != 0 ? kTurnedShift : 0;
  const int32_t w_shift = all.operands.w->dtype() == DType::u8 ? -kTurnedShift : 0;
  const auto x_zero = static_cast<uint32_t>(all.operands.x_zero + x_shift);
  for (int64_t f = 0; f < all.shape.filters; ++f) {
    const int32_t zero = all.operands.w_zeros[static_cast<size_t>(f)] + w_shift;
    const auto bias = static_cast<uint32_t>(all.operands.bias == nullptr ? 0 : all.operands.bias[f]);
    const uint32_t less =
        static_cast<uint32_t>(sums[f]) - static_cast<uint32_t>(all.sizes.k) * static_cast<uint32_t>(zero);
    terms.starts[f] = static_cast<int32_t>(bias - x_zero * less);
    terms.zeros[f] = zero;
    terms.has_zeros = terms.has_zeros || zero != 0;
  }
  return terms;
}

}  // namespace

Verdict can_run_convolution(const NodeFacts& facts, size_t x, size_t w) {
  if (!facts.has_rank(x) || facts.rank(x) > 5) return no("only one to three spatial axes");
  if (!facts.has_rank(w)) return no("the rank of w is not known");
  return yes();
}

namespace {

Status run_over_planes(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                       ScratchParts scratch, SumsDone done) {
  Convolution all{.shape = shape,
                  .operands = operands,
                  .plane = IntegerPlane(shape),
                  .sizes = integer_filter_sizes(ctx.attributes(), operands.w->shape()),
                  .filters = nullptr,
                  .terms = {},
                  .turned = 0};
  all.turned = operands.x->dtype() == DType::i8 ? kTurned : 0;
  const int32_t* sums = nullptr;
  if (ctx.has_state()) {
    const auto& state = ctx.state<PackedIntegerFilters>();
    all.filters = state.bytes.data<uint8_t>();
    sums = state.sums.data<int32_t>();
  } else {
    uint8_t* bytes = scratch.take<uint8_t>(all.sizes.group * all.sizes.group_bytes()).data();
    int32_t* own = scratch.take<int32_t>(shape.filters).data();
    pack_integer_filters(*operands.w, all.sizes, bytes, own);
    all.filters = bytes;
    sums = own;
  }
  all.terms = filter_terms(all, sums, scratch);
  const IntegerPlane& plane = all.plane;
  if (!all.terms.has_zeros && goes_by_channel(shape.channels_per_group(), shape.filters_per_group(), plane.taps(),
                                              plane.stride_x, plane.step_x))
    return run_by_channel(ctx, all, scratch, done);
  return run_as_product(ctx, all, scratch, done);
}

}  // namespace

Status run_convolution(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                       SumsDone done) {
  if (shape.batch == 0 || shape.filters == 0 || count_of(shape.out) == 0) return {};
  ScratchParts scratch(ctx);
  if (shape.in.size() < 3) return run_over_planes(ctx, shape, operands, scratch, done);
  const ConvolutionShape planes = as_planes(shape);
  Tensor x = scratch.take_tensor(operands.x->dtype(), {planes.batch, planes.channels, planes.in[0], planes.in[1]});
  SDX_TRY(gather_depths(ctx, shape, *operands.x, operands.x_zero, x.data<uint8_t>()));
  ConvolutionOperands gathered = operands;
  gathered.x = &x;
  const int64_t depths = shape.out[0], pixels = count_of(planes.out);
  return run_over_planes(ctx, planes, gathered, scratch, [&](const FilterSums& made) {
    FilterSums of_volume = made;
    of_volume.image = made.image / depths;
    of_volume.pixel += made.image % depths * pixels;
    done(of_volume);
  });
}

namespace {

// A spatial axis of a convolution, in symbols.
struct AxisDims {
  Dim in = 1, out = 1, kernel = 1, padded = 1;
  int64_t stride = 1, step = 1;
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
  made.step = setting("dilations", 1);
  const Dim reach = symbols.mul(symbols.sub(made.kernel, Dim(1)), Dim(made.step));
  const Dim steps = symbols.mul(symbols.sub(made.out, Dim(1)), Dim(made.stride));
  // Padding at the front is unknown before a run where auto_pad gives it: it is less than the kernel reaches.
  const Dim front =
      symbols.add(Dim(setting("pads", 0)), node.attr_string("auto_pad", "NOTSET") == "NOTSET" ? Dim(0) : reach);
  made.padded = symbols.max(symbols.add(made.in, front), symbols.add(symbols.add(steps, reach), Dim(1)));
  return made;
}

}  // namespace

Dim convolution_scratch(const ScratchFacts& facts, size_t x, size_t w) {
  ScratchSize size(facts), product_slot(facts), channel_slot(facts);
  SymbolTable& symbols = facts.symbols;
  if (!facts.node.has_rank(x) || !facts.node.has_rank(w)) return symbols.fresh();
  const AxisDims depth_axis = axis_dims(size, x, w, 3);
  const AxisDims rows = axis_dims(size, x, w, 2), columns = axis_dims(size, x, w, 1);
  const auto ceil_to = [&](const Dim& dim, int64_t step) {
    return symbols.mul(symbols.ceil_div(dim, Dim(step)), Dim(step));
  };
  const Dim taps = symbols.mul(rows.kernel, columns.kernel), filters = size.input(w, 0);
  const Dim channels = symbols.mul(size.input(w, 1), depth_axis.kernel);
  const Dim planes = size.product({size.input(x, 0), depth_axis.out, size.input(x, 1), depth_axis.kernel});
  if (facts.node.rank(x) == 5) size.part(size.product({planes, rows.in, columns.in}), 1);
  const int64_t group = std::max<int64_t>(1, facts.node.attr_int("group", 1));
  const Dim own_filters = symbols.floor_div(filters, Dim(group));
  const Dim depth = ceil_to(symbols.mul(channels, taps), kDepthStep);
  if (facts.node.constant(w) == nullptr) {
    size.part(size.product({Dim(group), ceil_to(own_filters, kFilterEight), depth}), 1);
    size.part(filters, sizeof(int32_t));
  }
  size.part(filters, sizeof(int32_t)).part(filters, sizeof(int32_t));

  product_slot.part(symbols.mul(Dim(kBlockPixels), depth), 1);
  product_slot.part(Dim(kBlockPixels), sizeof(int32_t)).part(Dim(kBlockFilters * kBlockPixels), sizeof(int32_t));
  const Dim row = ceil_to(columns.padded, columns.stride), plane = symbols.mul(rows.padded, row);
  channel_slot.part(symbols.add(plane, Dim(kPlaneSlack * kMostStride)), 1);
  channel_slot.part(symbols.mul(rows.kernel, ceil_to(columns.kernel, kDepthStep)), 1);
  const Dim width = ceil_to(columns.out, kPanelColumns), pixels = symbols.mul(rows.out, columns.out);
  channel_slot.part(symbols.add(symbols.max(symbols.min(pixels, Dim(kChannelSums)), columns.out), width),
                    sizeof(int32_t));

  const bool is_run =
      taps.is(1) && rows.stride == 1 && columns.stride == 1 && rows.in == rows.out && columns.in == columns.out;
  ScratchSize product = size;
  if (!is_run) product.part(symbols.add(size.product({planes, plane}), Dim(2 * kPlaneSlack)), 1);
  product.part(taps, sizeof(int64_t));
  Dim by_product = product.slots(product_slot.bytes()).bytes();
  const bool may_go_by_channel =
      !channels.is_known() || !own_filters.is_known() || !taps.is_known() ||
      goes_by_channel(channels.known(), own_filters.known(), taps.known(), columns.stride, columns.step);
  if (!may_go_by_channel) return by_product;
  return symbols.max(by_product, size.slots(channel_slot.bytes()).bytes());
}

}  // namespace sdx::ops
