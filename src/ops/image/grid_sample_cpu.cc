// GridSample. Mode nearest copies elements of whole bytes. The others sum float32 at places and with weights that are
// made once for all channels: many channels lie together in a copy of the input, few are gathered from their planes.
#include <algorithm>

#include "base/element.h"
#include "kernel/scratch_parts.h"
#include "ops/elementwise.h"
#include "ops/image/grid_sample.h"
#include "ops/layout/turn_blocks.h"
#include "ops/point_taps.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kLanes = kChannelBlock;
constexpr int64_t kFewChannels = 4;     // never copied
constexpr int64_t kTurnPiece = 1024;    // elements of a plane a parallel block
constexpr int64_t kNearestPiece = 512;  // points
constexpr int64_t kTogether = 64;       // points in the nearest cache

struct GridSizes {
  int64_t batch = 0, channels = 0, image = 0, points = 0;
  std::vector<GridAxis> axes;
  int64_t blocks() const { return channel_blocks(channels); }
  int64_t taps() const { return axes.front().taps(); }
};

Result<GridSizes> grid_sizes(KernelContext& ctx) {
  const Shape &x = ctx.input(0).shape(), &y = ctx.output_shape(0);
  SDX_ASSIGN(std::vector<GridAxis> axes, grid_axes(ctx));
  return GridSizes{y[0], y[1], count_range(x, 2, x.size()), count_range(y, 2, y.size()), std::move(axes)};
}

template <typename T>
Status nearest(KernelContext& ctx, const GridSizes& s) {
  const T* x = ctx.input(0).data<T>();
  T* y = ctx.output(0).data<T>();
  const Tensor& grid = ctx.input(1);
  const float* floats = grid.dtype() == DType::f32 ? grid.data<float>() : nullptr;
  const auto axes = static_cast<int64_t>(s.axes.size());
  const int64_t pieces = (s.points + kNearestPiece - 1) / kNearestPiece;
  const int64_t work = std::min(kNearestPiece, s.points) * (s.channels + 8 * axes);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / work);
  return parallel_ranges(ctx, s.batch * pieces, grain, [&](int64_t begin, int64_t end) {
    int64_t places[kNearestPiece], own[kNearestPiece];
    T kept[kNearestPiece];  // all bits, or none where the output is zero
    for (int64_t piece = begin; piece < end; ++piece) {
      const int64_t n = piece / pieces, first = piece % pieces * kNearestPiece;
      const int64_t count = std::min(kNearestPiece, s.points - first);
      std::fill_n(places, count, 0);
      for (size_t i = 0; i < s.axes.size(); ++i) {
        const GridAxis& axis = s.axes[i];
        const int64_t at = (n * s.points + first) * axes + axes - 1 - static_cast<int64_t>(i);
        if (floats != nullptr) {
          axis.nearest(floats + at, axes, count, own);
        } else {
          for (int64_t p = 0; p < count; ++p) own[p] = axis.nearest(load_double(grid, at + p * axes));
        }
        for (int64_t p = 0; p < count; ++p)  // no place is -1
          places[p] = (places[p] * axis.size + own[p]) | ((places[p] | own[p]) >> 63);
      }
      for (int64_t p = 0; p < count; ++p) {
        kept[p] = static_cast<T>(~(places[p] >> 63));
        places[p] = std::max<int64_t>(places[p], 0);
      }
      for (int64_t c = 0; c < s.channels; ++c) {
        const T* from = x + (n * s.channels + c) * s.image;
        T* to = y + (n * s.channels + c) * s.points + first;
        for (int64_t p = 0; p < count; ++p) to[p] = static_cast<T>(from[places[p]] & kept[p]);
      }
    }
  });
}

Status run_nearest(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const GridSizes sizes, grid_sizes(ctx));
  if (sizes.image == 0) return grid_sample_reference(ctx);
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return nearest<uint8_t>(ctx, sizes);
    case 16: return nearest<uint16_t>(ctx, sizes);
    case 32: return nearest<uint32_t>(ctx, sizes);
    default: return nearest<uint64_t>(ctx, sizes);
  }
}

// The taps of pieces of points, for kernels that interpolate.
class GridTaps {
 public:
  GridTaps(KernelContext& ctx, const GridSizes& sizes) : sizes_(sizes), grid_(ctx.input(1).data<float>()) {
    int64_t stride = sizes.image;
    for (const GridAxis& axis : sizes.axes) {
      stride /= axis.size;
      axes_.push_back({.size = axis.size,
                       .stride = stride,
                       .taps = axis.taps(),
                       .outside = static_cast<TapAxis::Outside>(axis.outside),
                       .low = axis.low(),
                       .high = axis.high()});
    }
  }
  int64_t piece() const { return TapTables::most_points(axes_.size(), axes_.front().taps); }
  int64_t pieces() const { return (sizes_.points + piece() - 1) / piece(); }
  PointTaps make(const PointSampling& code, std::byte* memory, int64_t image, int64_t first, int64_t count,
                 int32_t none) const {
    const TapTables tables(memory, axes_.size(), axes_.front().taps);
    const auto step = static_cast<int64_t>(axes_.size());
    const float* grid = grid_ + (image * sizes_.points + first) * step;
    for (size_t i = 0; i < axes_.size(); ++i)
      sizes_.axes[i].positions(grid + (step - 1 - static_cast<int64_t>(i)), step, count, tables.positions(i));
    return tables.make(code, axes_, count, none);
  }

 private:
  const GridSizes& sizes_;
  const float* grid_;
  std::vector<TapAxis> axes_;
};

size_t table_bytes(size_t axes, int taps) {
  return ScratchParts::rounded(TapTables::bytes(axes, taps)) + kTogether * kLanes * sizeof(float);
}

Status sample_planes(KernelContext& ctx, const GridSizes& s, ScratchSlots& slots) {
  const GridTaps grid(ctx, s);
  const PointSampling code = point_sampling();
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const int64_t piece = grid.piece(), pieces = grid.pieces();
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / 4 / (std::min(piece, s.points) * s.channels));
  return parallel_ranges(ctx, s.batch * pieces, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t n = i / pieces, first = i % pieces * piece, count = std::min(piece, s.points - first);
      const PointTaps taps = grid.make(code, lease.memory(), n, first, count, 0);
      for (int64_t c = n * s.channels; c < (n + 1) * s.channels; ++c)
        code.from_plane(x + c * s.image, taps, count, y + c * s.points + first);
    }
  });
}

// Blocks of channels that lie together, with an element of zeros after each block's last.
Status turn_image(KernelContext& ctx, const GridSizes& s, const float* x, float* turned) {
  const TurnBlocks<float> turn = turn_blocks_f32();
  const int64_t pieces = (s.image + kTurnPiece - 1) / kTurnPiece;
  return parallel_ranges(ctx, s.blocks() * pieces, 1, [&](int64_t begin, int64_t) {
    const int64_t block = begin / pieces, first = begin % pieces * kTurnPiece, channel = block * kLanes;
    const int64_t count = std::min(kTurnPiece, s.image - first), rows = std::min(kLanes, s.channels - channel);
    float* to = turned + block * (s.image + 1) * kLanes;
    turn.to_lanes(x + channel * s.image + first, {.rows = rows, .row_step = s.image, .positions = count},
                  to + first * kLanes);
    if (first + count == s.image) std::fill_n(to + s.image * kLanes, kLanes, 0.0f);
  });
}

Status sample_lanes(KernelContext& ctx, const GridSizes& s, float* turned, ScratchSlots& slots) {
  const GridTaps grid(ctx, s);
  const PointSampling code = point_sampling();
  const TurnBlocks<float> turn = turn_blocks_f32();
  const int64_t piece = grid.piece(), pieces = grid.pieces();
  for (int64_t n = 0; n < s.batch; ++n) {
    SDX_TRY(turn_image(ctx, s, ctx.input(0).data<float>() + n * s.channels * s.image, turned));
    float* y = ctx.output(0).data<float>() + n * s.channels * s.points;
    SDX_TRY(parallel_ranges(ctx, pieces, 1, [&](int64_t i, int64_t) {
      const ScratchSlots::Lease lease(slots);
      const int64_t first = i * piece, count = std::min(piece, s.points - first);
      const PointTaps all = grid.make(code, lease.memory(), n, first, count, static_cast<int32_t>(s.image));
      auto* made = reinterpret_cast<float*>(
          lease.memory() + ScratchParts::rounded(TapTables::bytes(s.axes.size(), s.axes.front().taps())));
      for (int64_t block = 0; block < s.blocks(); ++block) {
        const int64_t channel = block * kLanes, rows = std::min(kLanes, s.channels - channel);
        for (int64_t p = 0; p < count; p += kTogether) {
          const int64_t some = std::min(kTogether, count - p);
          const PointTaps taps{all.place + p, all.weight + p, all.taps, all.pitch};
          code.from_lanes(turned + block * (s.image + 1) * kLanes, taps, some, nullptr, made, kLanes);
          turn.to_rows(made, {.rows = rows, .row_step = s.points, .positions = some},
                       y + channel * s.points + first + p);
        }
      }
    }));
  }
  return {};
}

// Where copying the channels together costs less than gathering them one by one.
bool copies_channels(const GridSizes& s) {
  if (s.channels <= kFewChannels) return false;
  double taps = 1;
  for (const GridAxis& axis : s.axes) taps *= axis.taps();
  const auto points = static_cast<double>(s.points), padded = static_cast<double>(s.blocks() * kLanes);
  const double together = padded * (points * (0.25 * taps + 0.3) + 0.25 * static_cast<double>(s.image));
  return together < static_cast<double>(s.channels) * points * taps;
}

Status run_interpolating(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const GridSizes sizes, grid_sizes(ctx));
  if (sizes.image == 0 || sizes.image >= INT32_MAX) return grid_sample_reference(ctx);
  ScratchParts scratch(ctx);
  float* turned = nullptr;
  if (sizes.channels > kFewChannels) turned = scratch.take<float>(sizes.blocks() * kLanes * (sizes.image + 1)).data();
  ScratchSlots slots = scratch.slots(table_bytes(sizes.axes.size(), sizes.axes.front().taps()));
  return copies_channels(sizes) ? sample_lanes(ctx, sizes, turned, slots) : sample_planes(ctx, sizes, slots);
}

Dim interpolating_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const Dim channels = size.input(0, 1);
  const int axes = facts.node.has_rank(0) ? facts.node.rank(0) - 2 : 3;
  if (!channels.is_known() || channels.known() > kFewChannels) {
    Dim image(1);
    for (int i = 0; i < axes; ++i) image = size.symbols().mul(image, size.input(0, i + 2));
    const Dim blocks = size.symbols().ceil_div(channels, kLanes);
    size.part(size.product({blocks, Dim(kLanes), size.symbols().add(image, 1)}), sizeof(float));
  }
  const int taps = facts.node.attr_string("mode", "linear") == "cubic" ? 4 : 2;
  return size.slots(Dim(static_cast<int64_t>(table_bytes(static_cast<size_t>(axes), taps)))).bytes();
}

Verdict takes_axes(const NodeFacts& facts) {
  if (facts.attr_string("mode", "linear") == "nearest") return no("only modes linear and cubic");
  return facts.has_rank(0) && facts.rank(0) <= 5 ? yes() : no("only 1 to 3 spatial axes");
}

Verdict takes_f32(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32 || facts.dtype(1) != DType::f32) return no("only f32");
  return takes_axes(facts);
}

Verdict takes_16_bits(const NodeFacts& facts) {
  if (const Verdict half = takes_half(facts); !half) return half;
  if (facts.dtype(1) == DType::f64) return no("not with a grid of f64");
  return takes_axes(facts);
}

Verdict takes_nearest(const NodeFacts& facts) {
  if (facts.attr_string("mode", "linear") != "nearest") return no("only mode nearest");
  const int bits = bit_width(facts.dtype(0));
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
}

}  // namespace

SDX_CPU_KERNELS(
    grid_sample, {.name = "grid_sample_nearest", .can_run = takes_nearest, .run = run_nearest},
    {.name = "grid_sample_f32", .can_run = takes_f32, .run = run_interpolating, .scratch_bytes = interpolating_bytes},
    {.name = "grid_sample_16_bits",
     .can_run = takes_16_bits,
     .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_interpolating); },
     .scratch_bytes =
         [](const ScratchFacts& facts) { return through_f32_scratch(facts, interpolating_bytes(facts)); }});

}  // namespace sdx::ops
