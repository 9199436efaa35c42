#include "ops/conv/conv_weights.h"

#include <algorithm>
#include <cstring>

#include "ops/conv/few_pixels.h"
#include "ops/conv/im2col.h"
#include "ops/conv/row_conv.h"
#include "ops/layout/turn_blocks.h"

namespace sdx::ops {
namespace {

// Turning the result costs what pixels x filters say; what it saves grows with the product.
struct TurnedSizes {
  int64_t most_pixels, least_filters, least_depth;
};
constexpr TurnedSizes kTurnedSizes[] = {{64, 1, 32}, {128, 128, 128}, {256, 192, 128}, {512, 256, 384}};
constexpr int64_t kMostPatches = 4096, kLeastPatchWidth = 8, kLeastPatch = 64;

// Windows that lie side by side and are read in runs: a picture cut into patches.
bool cuts_patches(const Windows& w) {
  const auto all = [](const Shape& shape, int64_t value) {
    return std::ranges::all_of(shape, [&](int64_t own) { return own == value; });
  };
  for (size_t axis = 0; axis < w.axes(); ++axis)
    if (w.out[axis] * w.kernel[axis] > w.in[axis]) return false;  // the end is padded
  return w.kernel.back() >= kLeastPatchWidth && count_of(w.kernel) >= kLeastPatch && w.strides == w.kernel &&
         all(w.dilations, 1) && all(w.begin, 0);
}

// The product that panels would serve: pixels x filters, over `depth`.
struct Turned {
  int64_t pixels = 0, filters = 0, depth = 0;
  bool pointwise = false;
  bool patches = false;
};

// From shapes alone, whatever the batch; nullopt where the weights stay the first operand.
std::optional<Turned> turned_of(const NodeFacts& facts) {
  if (facts.attr_int("group", 1) != 1) return std::nullopt;
  const auto w = facts.input(1).known_shape();
  if (!w || w->size() < 3 || !facts.has_rank(0)) return std::nullopt;
  std::vector<const Fact*> inputs;
  for (size_t i = 0; i < facts.input_count(); ++i) inputs.push_back(facts.has_input(i) ? &facts.input(i) : nullptr);
  SymbolTable symbols;  // for dimensions that are numbers
  for (int axis = 2; axis < facts.rank(0); ++axis)
    if (!facts.dim(0, axis).is_known()) return std::nullopt;
  Fact image = facts.input(0), weights = facts.input(1);
  (*image.shape)[0] = Dim(1);
  (*image.shape)[1] = Dim((*w)[1]);
  inputs[0] = &image;
  if (inputs.size() > 2) inputs[2] = nullptr;
  InferContext ctx(facts.node(), inputs, symbols);
  const auto inferred = infer_conv(ctx);
  const auto y = inferred.ok() ? inferred->list[0].known_shape() : std::nullopt;
  if (!y) return std::nullopt;
  Turned made{.pixels = count_range(*y, 2, y->size()), .filters = (*w)[0], .depth = count_range(*w, 1, w->size())};
  const auto strides = facts.attr_ints("strides");
  made.pointwise = count_range(*w, 2, w->size()) == 1 &&
                   std::all_of(strides.begin(), strides.end(), [](int64_t stride) { return stride == 1; });
  for (size_t axis = 2; axis < y->size(); ++axis)
    made.pointwise = made.pointwise && facts.dim(0, static_cast<int>(axis)).is((*y)[axis]);
  const int64_t own = made.filters * made.depth * static_cast<int64_t>(sizeof(float));
  const int64_t packed = PackedF32::bytes_for(made.depth, made.filters);
  const auto attributes = read_windows(facts.attributes(), y->size() - 2, std::span(*w).subspan(2));
  if (!attributes.ok()) return std::nullopt;
  Shape in;
  for (size_t axis = 2; axis < y->size(); ++axis) in.push_back(facts.dim(0, static_cast<int>(axis)).known());
  made.patches = cuts_patches(resolve_windows(*attributes, in, std::span(*y).subspan(2)));
  const bool pays = std::any_of(std::begin(kTurnedSizes), std::end(kTurnedSizes), [&](const TurnedSizes& sizes) {
    return made.pixels <= sizes.most_pixels && made.filters >= sizes.least_filters && made.depth >= sizes.least_depth;
  });
  if (made.pixels < 1 || !(made.patches ? made.pixels <= kMostPatches : pays)) return std::nullopt;
  return packed > 0 && packed <= own + own / 4 ? std::optional(made) : std::nullopt;
}

// columns[depth][pixels], in blocks of rows.
Status fill_columns(KernelContext& ctx, const Im2col& sizes, const float* x, int64_t depth, int64_t pixels,
                    float* columns) {
  constexpr int64_t kRows = 64, kMostWidth = 32;
  const int64_t width = gemm_panel_width();
  const FillIm2col fill = fill_im2col();
  const int64_t grain = kRows * std::max<int64_t>(1, 16384 / (kRows * pixels));
  return parallel_ranges(ctx, depth, grain, [&](int64_t begin, int64_t end) {
    float panel[kRows * kMostWidth];
    for (int64_t p = begin; p < end; p += kRows) {
      const int64_t count = std::min(kRows, end - p);
      for (int64_t column = 0; column < pixels; column += width) {
        const int64_t wanted = std::min(width, pixels - column);
        fill(sizes, x, p, count, column, wanted, panel);
        for (int64_t row = 0; row < count; ++row)
          std::memcpy(columns + (p + row) * pixels + column, panel + row * width,
                      static_cast<size_t>(wanted) * sizeof(float));
      }
    }
  });
}

// rows[pixels][depth], where windows lie side by side.
Status fill_patches(KernelContext& ctx, const Im2col& s, const float* x, int64_t depth, int64_t pixels, float* rows) {
  const int64_t lines = s.kernel[0] * s.kernel[1], width = s.kernel[2], channels = depth / (lines * width);
  const int64_t grain = std::max<int64_t>(1, 16384 / depth);
  return parallel_ranges(ctx, pixels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t column = p % s.out[2] * width, row = p / s.out[2] % s.out[1], slice = p / (s.out[2] * s.out[1]);
      float* to = rows + p * depth;
      for (int64_t i = 0; i < channels * lines; ++i, to += width) {
        const int64_t channel = i / lines, line = i % lines;
        const int64_t z = slice * s.kernel[0] + line / s.kernel[1], y = row * s.kernel[1] + line % s.kernel[1];
        std::memcpy(to, x + ((channel * s.in[0] + z) * s.in[1] + y) * s.in[2] + column,
                    static_cast<size_t>(width) * sizeof(float));
      }
    }
  });
}

// y[filters][pixels] from c[pixels][filters].
Status turn_back(KernelContext& ctx, const float* c, int64_t pixels, int64_t filters, float* y) {
  constexpr int64_t kTogether = kChannelBlock;
  const int64_t grain = kTogether * std::max<int64_t>(1, 16384 / (kTogether * pixels));
  const TurnBlocks<float> turn = turn_blocks_f32();
  return parallel_ranges(ctx, filters, grain, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += kTogether) {
      const int64_t count = std::min(kTogether, end - first);
      if (count == kTogether) {
        turn.to_rows(c + first, {.rows = count, .row_step = pixels, .positions = pixels, .lane_step = filters},
                     y + first * pixels);
        continue;
      }
      for (int64_t pixel = 0; pixel < pixels; ++pixel)
        for (int64_t f = 0; f < count; ++f) y[(first + f) * pixels + pixel] = c[pixel * filters + first + f];
    }
  });
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_conv_f32(const NodeFacts& facts) {
  const Tensor* w = facts.constant(1);
  if (w == nullptr || w->count() == 0) return std::unique_ptr<KernelState>();
  auto state = std::make_unique<ConvWeights>();
  if (suits_rows(facts)) {
    SDX_ASSIGN(state->rows, pack_row_weights(facts));
  } else if (const auto turned = turned_of(facts)) {
    SDX_ASSIGN(state->panels, PackedF32::create({w->data<float>(), 1, turned->depth}, turned->depth, turned->filters));
  } else {
    SDX_ASSIGN(state->plain, clone(*w));
  }
  return std::unique_ptr<KernelState>(std::move(state));
}

int64_t conv_packed_bytes(const NodeFacts& facts) {
  const Tensor* w = facts.constant(1);
  if (w == nullptr || w->count() == 0) return 0;
  if (suits_rows(facts)) return row_weights_bytes(facts);
  const auto turned = turned_of(facts);
  return turned ? PackedF32::bytes_for(turned->depth, turned->filters) : static_cast<int64_t>(w->byte_size());
}

Dim conv_scratch(const ScratchFacts& facts) {
  if (suits_rows(facts.node)) return row_conv_scratch(facts);
  const auto turned = turned_of(facts.node);
  ScratchSize size(facts);
  if (!turned) {
    const auto w = facts.node.input(1).known_shape();
    if (!w || facts.node.attr_int("group", 1) != 1) return Dim(0);
    const int64_t depth = count_range(*w, 1, w->size());  // few pixels, where the run has no more
    return size.part(Dim(most_pixels(depth) * depth), sizeof(float)).bytes();
  }
  if (!turned->pointwise) size.part(Dim(turned->depth * turned->pixels), sizeof(float));
  return size.part(Dim(turned->pixels * turned->filters), sizeof(float)).bytes();
}

Status run_turned_conv(KernelContext& ctx, const ConvSizes& s, const PackedF32& panels, const ConvEnd& end) {
  const int64_t pixels = s.out_count(), depth = panels.k(), filters = panels.n();
  const auto& strides = s.windows.strides;
  const bool pointwise = s.kernel_count() == 1 && s.windows.in == s.windows.out &&
                         std::all_of(strides.begin(), strides.end(), [](int64_t stride) { return stride == 1; });
  const Im2col sizes = make_im2col(s.windows);
  const bool patches = !pointwise && cuts_patches(s.windows);
  ScratchParts scratch(ctx);
  float* columns = pointwise ? nullptr : scratch.take<float>(depth * pixels).data();
  GemmF32 g{.m = pixels, .n = filters, .k = depth};
  g.packed = &panels;
  g.c = scratch.take<float>(pixels * filters).data();
  g.c_row = filters;
  g.low = end.low;
  g.high = end.high;
  if (ctx.has_input(2)) {
    g.start = GemmF32::Start::per_column;
    g.bias = ctx.input(2).data<float>();
  }
  for (int64_t image = 0; image < s.batch; ++image) {
    const float* x = ctx.input(0).data<float>() + image * s.channels * s.in_count();
    if (patches) {
      SDX_TRY(fill_patches(ctx, sizes, x, depth, pixels, columns));
      g.a = {columns, depth, 1};
    } else {
      if (!pointwise) SDX_TRY(fill_columns(ctx, sizes, x, depth, pixels, columns));
      g.a = {pointwise ? x : columns, 1, pixels};
    }
    SDX_TRY(gemm(ctx, g));
    SDX_TRY(turn_back(ctx, g.c, pixels, filters, ctx.output(0).data<float>() + image * filters * pixels));
  }
  return {};
}

}  // namespace sdx::ops
