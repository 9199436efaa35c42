#include "ops/quant/last_convolution.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/quant/last_pixels.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockPixels = 240, kPixelStep = 8;   // in which kernels take them
constexpr int64_t kChannelPixels = 64;                  // of a depthwise block
constexpr int64_t kSumPanels = 4;                       // whose sums are kept at once
constexpr int64_t kWantedBlocks = 8, kManyBlocks = 16;  // so many that one more or less is the same
constexpr int64_t kLeastWork = int64_t{1} << 20;        // products for which a thread is asked
constexpr int64_t kLeastChannelWork = int64_t{1} << 18;

struct PackedLastFilters : KernelState {
  Tensor bytes, sums;
};

// What the sums of a filter start from, its zero point, its multiplier, by places.
struct Terms {
  int32_t *starts = nullptr, *zeros = nullptr;
  float* multipliers = nullptr;
  bool has_zeros = false, has_one_zero = false, is_finite = true;
};

struct Convolution {
  const ConvolutionShape& shape;
  const ConvolutionOperands& operands;
  const LastOutput& output;
  LastFilters filters;
  LastPixels pixels;
  const uint8_t* weights = nullptr;
  Terms terms;
  uint8_t turned = 0;
  const uint8_t* zeros = nullptr;
  int32_t* pixel_sums = nullptr;  // of the bytes of the input's pixels, where all filters have one zero point

  LastPixels::Source source(int64_t image, int64_t group) const {
    const auto* x = operands.x->data<uint8_t>();
    return {.image = x + image * pixels.image_pixels() * shape.channels + group * filters.channels,
            .end = x + operands.x->count(),
            .zeros = zeros,
            .zero = static_cast<uint8_t>(operands.x_zero)};
  }
};

int64_t slot_bytes(const LastFilters& filters) {
  const auto bytes = [](int64_t count, size_t element) {
    return static_cast<int64_t>(ScratchParts::rounded(static_cast<size_t>(count) * element));
  };
  if (filters.is_depthwise) return bytes(kChannelPixels * filters.fours() * kDepthStep, sizeof(void*));
  return bytes(kBlockPixels * filters.runs(), sizeof(void*)) + bytes(LastPixels::copy_bytes(filters, kBlockPixels), 1) +
         bytes(kBlockPixels * kSumPanels * kPanelColumns, sizeof(int32_t)) + 2 * bytes(kBlockPixels, sizeof(int32_t));
}

void fill_terms(const Convolution& all, const int32_t* sums, Terms& terms) {
  const int32_t x_shift = all.turned != 0 ? kTurnedShift : 0;
  const int32_t w_shift = all.operands.w->dtype() == DType::u8 ? -kTurnedShift : 0;
  const auto x_zero = static_cast<uint32_t>(all.operands.x_zero + x_shift);
  const auto depth = static_cast<uint32_t>(all.filters.depth());
  const int64_t places = all.filters.places(), filters = all.shape.filters;
  std::fill(terms.starts, terms.starts + places, 0);
  std::fill(terms.zeros, terms.zeros + places, 0);
  std::fill(terms.multipliers, terms.multipliers + places, 0.0f);
  const int32_t *w_zeros = all.operands.w_zeros.data(), *bias = all.operands.bias;
  const float* multipliers = all.output.multipliers.data();
  const int64_t multiplier_step = all.output.multipliers.size() == 1 ? 0 : 1;
  int32_t any_zero = 0, any_other = 0;
  float nothing = 0;  // NaN once a multiplier is no number
  const auto fill = [&](int64_t f, int64_t place) {
    const int32_t zero = w_zeros[f] + w_shift;
    const uint32_t less = static_cast<uint32_t>(sums[f]) - depth * static_cast<uint32_t>(zero);
    terms.starts[place] = static_cast<int32_t>(static_cast<uint32_t>(bias == nullptr ? 0 : bias[f]) - x_zero * less);
    terms.zeros[place] = zero;
    terms.multipliers[place] = multipliers[f * multiplier_step];
    any_zero |= zero;
    any_other |= w_zeros[f] ^ w_zeros[0];
    nothing += terms.multipliers[place] * 0.0f;
  };
  if (all.filters.is_depthwise || all.filters.group > 1)
    for (int64_t f = 0; f < filters; ++f) fill(f, all.filters.place(f));
  else
    for (int64_t f = 0; f < filters; ++f) fill(f, f);
  terms.has_zeros = any_zero != 0;
  terms.has_one_zero = terms.has_zeros && any_other == 0 && all.filters.group == 1;
  terms.is_finite = nothing == 0;
}

// How the products of all filters with all pixels are cut.
struct ProductCut {
  ProductCut(int64_t images, int64_t pixels, int64_t panels) {
    pixel_blocks = (pixels + kBlockPixels - 1) / kBlockPixels;
    // Filters are divided only where nothing else can be shared out.
    const int64_t groups = (panels + 3) / 4, wanted = std::max<int64_t>(1, kWantedBlocks / (images * pixel_blocks));
    filter_blocks = groups <= wanted + 2 && wanted > 1 ? groups : std::min(wanted, groups);
    const int64_t all = images * pixel_blocks * filter_blocks;
    if (all % 2 != 0 && all < kManyBlocks) {  // two threads would wait for each other
      if (panels >= 2 * (filter_blocks + 1))
        ++filter_blocks;
      else
        ++pixel_blocks;
    }
    block_pixels = std::min(kBlockPixels, whole((pixels + pixel_blocks - 1) / pixel_blocks, kPixelStep));
    pixel_blocks = (pixels + block_pixels - 1) / block_pixels;
  }
  int64_t pixel_blocks, filter_blocks, block_pixels;
};

// Of each pixel: all bytes that a filter sees.
void sum_pixels(const LastFilters& filters, const PixelBlock& block, int32_t* sums) {
  std::fill(sums, sums + block.rows, 0);
  for (int64_t run = 0; run < block.runs; ++run)
    for (int64_t r = 0; r < block.rows; ++r) {
      int32_t own = 0;
      sum_rows(block.from[run * block.from_stride + r], block.turned, 0, 1, filters.run_bytes(), &own);
      sums[r] += own;
    }
}

// Sums first, from which the products with the filters' zero points are taken off.
void multiply_by_sums(const Convolution& all, PixelBlock block, const int32_t* zeros, MultiplyCodePixels kernel,
                      int32_t* sums, int32_t* pixel_sums) {
  sum_pixels(all.filters, block, pixel_sums);
  const int64_t panels = block.panels;
  for (int64_t first = 0; first < panels; first += kSumPanels) {
    PixelBlock part = block;
    part.panels = std::min(kSumPanels, panels - first);
    part.weights += first * block.panel_stride;
    part.starts += first * kPanelColumns;
    part.sums = sums;
    part.floats = nullptr;
    part.sums_row = kSumPanels * kPanelColumns;
    kernel(part);
    const int64_t filter = first * kPanelColumns, count = std::min(part.sums_row, block.filters - filter);
    for (int64_t r = 0; r < block.rows; ++r) {
      int32_t* own = sums + r * part.sums_row;
      for (int64_t f = 0; f < count; ++f) {
        const uint32_t less = static_cast<uint32_t>(pixel_sums[r]) * static_cast<uint32_t>(zeros[filter + f]);
        own[f] = static_cast<int32_t>(static_cast<uint32_t>(own[f]) - less);
      }
      const int64_t at = r * block.y_row + filter;
      if (block.floats != nullptr) {
        for (int64_t f = 0; f < count; ++f)
          block.floats[at + f] = static_cast<float>(own[f]) * block.multipliers[filter + f];
        continue;
      }
      block.requantize(own, 0, block.multipliers + filter, 1, block.to, block.y + at, static_cast<size_t>(count));
      if (block.sum.kernel != nullptr) add_codes_to(block.sum, block.to.is_signed, at, block.y + at, count);
    }
  }
}

// What the zero point of all filters takes off.
void find_row_terms(const Convolution& all, int64_t image, int64_t first, int64_t count, int32_t* terms) {
  const uint8_t zero = static_cast<uint8_t>(all.operands.x_zero) ^ all.turned;
  const auto outside = static_cast<int32_t>(zero * all.filters.channels);
  all.pixels.sum_windows(all.pixel_sums + image * all.pixels.image_pixels(), outside, first, count, terms);
  const auto by = static_cast<uint32_t>(all.terms.zeros[0]);
  for (int64_t i = 0; i < count; ++i) terms[i] = static_cast<int32_t>(static_cast<uint32_t>(terms[i]) * by);
}

Status sum_input_pixels(KernelContext& ctx, Convolution& all, ScratchParts& scratch) {
  const int64_t pixels = all.shape.batch * all.pixels.image_pixels(), channels = all.shape.channels;
  int32_t* sums = scratch.take<int32_t>(pixels).data();
  all.pixel_sums = sums;
  const auto* x = all.operands.x->data<uint8_t>();
  return parallel_ranges(ctx, pixels, std::max<int64_t>(1, 65536 / channels), [&](int64_t begin, int64_t end) {
    sum_rows(x + begin * channels, all.turned, channels, end - begin, channels, sums + begin);
  });
}

Status run_as_product(KernelContext& ctx, const Convolution& all, const ScratchParts& scratch) {
  const LastFilters& own = all.filters;
  const int64_t pixels = all.pixels.pixels(), panels = own.panels(), panel_size = own.panel_size();
  const ProductCut cut(all.shape.batch * own.group, pixels, panels);
  const int64_t pixel_blocks = cut.pixel_blocks, filter_blocks = cut.filter_blocks, block_pixels = cut.block_pixels;
  const int64_t others = all.shape.batch * own.group * pixel_blocks;
  const int64_t cost = std::max<int64_t>(1, block_pixels * panels * kPanelColumns / filter_blocks * own.depth());
  const int64_t grain = std::max<int64_t>(1, kLeastWork / cost);
  const auto kernel = multiply_code_pixels_kernel();
  const auto requantize = requantize_kernel();
  const auto slot = static_cast<size_t>(slot_bytes(own));
  ScratchSlots slots = scratch.slots(slot);
  return parallel_ranges(ctx, others * filter_blocks, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    ScratchParts parts({lease.memory(), slot});
    const uint8_t** from = parts.take<const uint8_t*>(kBlockPixels * own.runs()).data();
    uint8_t* copies = parts.take<uint8_t>(LastPixels::copy_bytes(own, kBlockPixels)).data();
    int32_t* sums = parts.take<int32_t>(kBlockPixels * kSumPanels * kPanelColumns).data();
    int32_t* pixel_sums = parts.take<int32_t>(kBlockPixels).data();
    int32_t* row_terms = parts.take<int32_t>(kBlockPixels).data();
    int64_t found = -1;  // whose pixels `from` has
    for (int64_t i = begin; i < end; ++i) {
      const int64_t filter_block = i % filter_blocks, other = i / filter_blocks;
      const int64_t first = other % pixel_blocks * block_pixels, count = std::min(block_pixels, pixels - first);
      const int64_t group = other / pixel_blocks % own.group, image = other / (pixel_blocks * own.group);
      if (found != other) {
        all.pixels.find(all.source(image, group), first, count, LastPixels::Order::by_run, block_pixels, copies, from);
        if (all.pixel_sums != nullptr) find_row_terms(all, image, first, count, row_terms);
        found = other;
      }
      const int64_t panel = filter_block * panels / filter_blocks;
      const int64_t end_panel = (filter_block + 1) * panels / filter_blocks;
      const int64_t filter = panel * kPanelColumns, place = group * panels * kPanelColumns + filter;
      const int64_t at = (image * pixels + first) * all.shape.filters + group * own.filters + filter;
      SumOfCodes sum = all.output.sum;
      if (sum.kernel != nullptr) sum.other += at;
      const PixelBlock block{.rows = count,
                             .panels = end_panel - panel,
                             .runs = own.runs(),
                             .steps = depth_steps(own.run_bytes()),
                             .from = from,
                             .from_stride = block_pixels,
                             .turned = all.turned,
                             .weights = all.weights + (group * panels + panel) * panel_size,
                             .panel_stride = panel_size,
                             .starts = all.terms.starts + place,
                             .row_terms = all.pixel_sums != nullptr ? row_terms : nullptr,
                             .floats = all.output.floats != nullptr ? all.output.floats + at : nullptr,
                             .multipliers = all.terms.multipliers + place,
                             .to = all.output.to,
                             .requantize = requantize,
                             .sum = sum,
                             .y = all.output.y + at,
                             .y_row = all.shape.filters,
                             .filters = std::min(end_panel * kPanelColumns, own.filters) - filter};
      if ((all.terms.has_zeros && block.row_terms == nullptr) || !all.terms.is_finite)
        multiply_by_sums(all, block, all.terms.zeros + place, kernel, sums, pixel_sums);
      else
        kernel(block);
    }
  });
}

// Where filters have zero points, or multipliers are no numbers.
void multiply_channels_plainly(const Convolution& all, const ChannelBlock& block) {
  const int64_t fours = all.filters.fours();
  for (int64_t i = 0; i < block.pixels; ++i)
    for (int64_t c = 0; c < block.channels; ++c) {
      const int64_t place = all.filters.place(c), in_block = place % kLastBlock;
      const uint8_t* w = block.weights + (place - in_block) * fours * kDepthStep + in_block * kDepthStep;
      int32_t sum = block.starts[place];
      for (int64_t tap = 0; tap < block.taps; ++tap) {
        const int32_t byte = block.from[i * fours * kDepthStep + tap][c] ^ block.turned;
        const auto weight = static_cast<int8_t>(w[tap / kDepthStep * kLastBlock * kDepthStep + tap % kDepthStep]);
        sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                                   static_cast<uint32_t>(byte * (weight - all.terms.zeros[place])));
      }
      block.requantize(&sum, 0, block.multipliers + place, 0, block.to, block.y + i * block.channels + c, 1);
    }
}

// Parts of nearly equal size, none longer than kChannelPixels.
int64_t blocks_by_channel(int64_t images, int64_t pixels, int64_t work) {
  const int64_t wanted = std::min(kWantedBlocks / images, (work + kLeastChannelWork / 2) / kLeastChannelWork);
  const int64_t blocks = std::max((pixels + kChannelPixels - 1) / kChannelPixels, std::min(wanted, pixels));
  return blocks > 1 && blocks < kManyBlocks ? whole(blocks, 2) : blocks;
}

Status run_by_channel(KernelContext& ctx, const Convolution& all, const ScratchParts& scratch) {
  const int64_t pixels = all.pixels.pixels(), taps = all.filters.taps();
  const int64_t fours = all.filters.fours() * kDepthStep, channels = all.shape.channels;
  const int64_t per_image = blocks_by_channel(all.shape.batch, pixels, pixels * taps * channels);
  const auto kernel = multiply_code_channels_kernel();
  const auto requantize = requantize_kernel();
  const auto slot = static_cast<size_t>(slot_bytes(all.filters));
  ScratchSlots slots = scratch.slots(slot);
  const int64_t grain = std::max<int64_t>(1, kLeastChannelWork / 2 * per_image / (pixels * taps * channels));
  return parallel_ranges(ctx, all.shape.batch * per_image, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    ScratchParts parts({lease.memory(), slot});
    const uint8_t** from = parts.take<const uint8_t*>(kChannelPixels * fours).data();
    for (int64_t i = begin, filled = 0; i < end; ++i) {
      const int64_t image = i / per_image, first = i % per_image * pixels / per_image;
      const int64_t count = (i % per_image + 1) * pixels / per_image - first;
      for (; filled < count * fours; ++filled) from[filled] = all.zeros;  // behind the taps
      all.pixels.find(all.source(image, 0), first, count, LastPixels::Order::by_pixel, fours, nullptr, from);
      const ChannelBlock block{.pixels = count,
                               .channels = channels,
                               .taps = taps,
                               .from = from,
                               .turned = all.turned,
                               .weights = all.weights,
                               .starts = all.terms.starts,
                               .multipliers = all.terms.multipliers,
                               .to = all.output.to,
                               .requantize = requantize,
                               .y = all.output.y + (image * pixels + first) * channels};
      if (all.terms.has_zeros || !all.terms.is_finite)
        multiply_channels_plainly(all, block);
      else
        kernel(block);
      SumOfCodes sum = all.output.sum;
      if (sum.kernel == nullptr) continue;
      add_codes_to(sum, block.to.is_signed, block.y - all.output.y, block.y, count * channels);
    }
  });
}

}  // namespace

Verdict can_run_last_convolution(const NodeFacts& facts, size_t x, size_t w) {
  if (!facts.has_rank(x) || facts.rank(x) < 3 || facts.rank(x) > 4) return no("only one or two spatial axes");
  const Tensor* filters = facts.constant(w);
  if (filters == nullptr || filters->rank() != facts.rank(x)) return no("the weight is no constant");
  if (filters->count() == 0) return no("the weight is empty");
  return yes();
}

int64_t packed_last_filter_bytes(const NodeFacts& facts, size_t w) {
  const Tensor* filters = facts.constant(w);
  if (filters == nullptr || filters->rank() < 3) return 0;
  const LastFilters own = LastFilters::of(facts.attributes(), filters->shape());
  return own.bytes() + own.group * own.filters * static_cast<int64_t>(sizeof(int32_t));
}

Result<std::unique_ptr<KernelState>> prepare_last_filters(const NodeFacts& facts, size_t w) {
  const Tensor& filters = *facts.constant(w);
  const LastFilters own = LastFilters::of(facts.attributes(), filters.shape());
  auto state = std::make_unique<PackedLastFilters>();
  SDX_ASSIGN(state->bytes, Tensor::allocate(DType::i8, Shape{own.bytes()}));
  SDX_ASSIGN(state->sums, Tensor::allocate(DType::i32, Shape{own.group * own.filters}));
  std::memset(state->bytes.bytes(), 0, state->bytes.byte_size());
  pack_last_filters(own, filters, state->bytes.data<uint8_t>(), state->sums.data<int32_t>());
  return std::unique_ptr<KernelState>(std::move(state));
}

Status run_last_convolution(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                            const LastOutput& output) {
  if (shape.batch == 0 || shape.filters == 0 || count_of(shape.out) == 0) return {};
  ScratchParts scratch(ctx);
  LastFilters filters = LastFilters::of(ctx.attributes(), operands.w->shape());
  const auto& state = ctx.state<PackedLastFilters>();
  Convolution all{.shape = shape,
                  .operands = operands,
                  .output = output,
                  .filters = filters,
                  .pixels = LastPixels(shape, filters),
                  .weights = state.bytes.data<uint8_t>(),
                  .terms = {},
                  .turned = operands.x->dtype() == DType::i8 ? kTurned : uint8_t{0}};
  const int64_t places = filters.places();
  all.terms.starts = scratch.take<int32_t>(places).data();
  all.terms.zeros = scratch.take<int32_t>(places).data();
  all.terms.multipliers = scratch.take<float>(places).data();
  fill_terms(all, state.sums.data<int32_t>(), all.terms);
  const QlinearSum& sum = output.sum.sum;
  all.terms.is_finite =
      all.terms.is_finite && std::isfinite(sum.ratio) && std::isfinite(sum.other) && std::isfinite(sum.rest);
  const std::span<uint8_t> zeros = scratch.take<uint8_t>(LastPixels::zero_bytes(filters));
  std::memset(zeros.data(), operands.x_zero, zeros.size());
  all.zeros = zeros.data();
  if (all.terms.has_one_zero && all.terms.is_finite) SDX_TRY(sum_input_pixels(ctx, all, scratch));
  return filters.is_depthwise ? run_by_channel(ctx, all, scratch) : run_as_product(ctx, all, scratch);
}

Dim last_convolution_scratch(const ScratchFacts& facts, size_t x, size_t w) {
  const auto shape = facts.node.input(w).known_shape();
  ScratchSize size(facts);
  if (!shape) return size.symbols().fresh();
  const LastFilters own = LastFilters::of(facts.node.attributes(), *shape);
  for (int i = 0; i < 3; ++i) size.part(Dim(own.places()), sizeof(int32_t));
  size.part(Dim(LastPixels::zero_bytes(own)), 1);
  if (own.group == 1) {  // sums of pixels, where filters may have zero points
    Dim pixels(1);
    const int rank = static_cast<int>(shape->size());
    for (int axis = 0; axis + 1 < rank; ++axis) pixels = size.symbols().mul(pixels, size.input(x, axis));
    size.part(pixels, sizeof(int32_t));
  }
  return size.slots(Dim(slot_bytes(own))).bytes();
}

}  // namespace sdx::ops
