// DeformConv over two axes for float32: blocks of channels that lie together are sampled at the shifted places of some
// output positions, kernel element by kernel element, which gives rows of a product with the weights.
#include <algorithm>

#include "kernel/scratch_parts.h"
#include "ops/conv/convolution.h"
#include "ops/layout/turn_blocks.h"
#include "ops/linalg/gemm.h"
#include "ops/point_taps.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

constexpr int64_t kLanes = kChannelBlock;
constexpr int64_t kSampledFloats = 1 << 17;  // of a block of positions: in the second nearest cache
constexpr int64_t kLeastPositions = 64, kMostPositions = 256;
constexpr int64_t kTurnPiece = 1024;  // elements of a plane a parallel block

// Channels that are sampled at the same places and belong to the same filters, at most 16.
struct Segment {
  int64_t channel = 0, count = 0;
};

// The channels in segments, those of each group one after another.
struct Segments {
  Segments(int64_t channels, int64_t groups, int64_t offset_groups)
      : per_group(channels / groups), per_offset_group(channels / offset_groups) {
    for (int64_t channel = 0; channel < channels; channel += all.back().count) {
      if (channel % per_group == 0) begins.push_back(all.size());
      const int64_t of_group = per_group - channel % per_group;
      const int64_t of_offset_group = per_offset_group - channel % per_offset_group;
      all.push_back({channel, std::min({kLanes, of_group, of_offset_group})});
    }
    begins.push_back(all.size());
  }
  int64_t of_group(int64_t group) const {
    const auto g = static_cast<size_t>(group);
    return static_cast<int64_t>(begins[g + 1] - begins[g]);
  }
  int64_t count() const { return static_cast<int64_t>(all.size()); }

  int64_t per_group, per_offset_group;
  std::vector<Segment> all;
  std::vector<size_t> begins;  // of each group, and the end
};

// b of a group's product: [segment, kernel element, lane][filter], zeros beyond a segment's channels.
void arrange(const float* weights, const Segments& segments, int64_t group, int64_t taps, int64_t filters, float* to) {
  const auto g = static_cast<size_t>(group);
  for (size_t i = segments.begins[g]; i < segments.begins[g + 1]; ++i) {
    const int64_t first = segments.all[i].channel % segments.per_group;
    for (int64_t tap = 0; tap < taps; ++tap) {
      for (int64_t lane = 0; lane < kLanes; ++lane, to += filters) {
        const float* from = weights + (group * filters * segments.per_group + first + lane) * taps + tap;
        for (int64_t f = 0; f < filters; ++f)
          to[f] = lane < segments.all[i].count ? from[f * segments.per_group * taps] : 0.0f;
      }
    }
  }
}

struct DeformWeights : KernelState {
  std::vector<PackedF32> groups;
};

Result<std::unique_ptr<KernelState>> prepare_deform(const NodeFacts& facts) {
  const Tensor* w = facts.constant(1);
  if (w == nullptr || w->count() == 0 || w->dtype() != DType::f32) return std::unique_ptr<KernelState>();
  const int64_t groups = facts.attr_int("group", 1), taps = count_range(w->shape(), 2, w->shape().size());
  const int64_t filters = w->dim(0) / groups;
  const Segments segments(w->dim(1) * groups, groups, facts.attr_int("offset_group", 1));
  auto state = std::make_unique<DeformWeights>();
  for (int64_t group = 0; group < groups; ++group) {
    const int64_t depth = segments.of_group(group) * taps * kLanes;
    std::vector<float> b(static_cast<size_t>(depth * filters));
    arrange(w->data<float>(), segments, group, taps, filters, b.data());
    SDX_ASSIGN(PackedF32 packed, PackedF32::create({b.data(), filters, 1}, depth, filters));
    state->groups.push_back(std::move(packed));
  }
  return std::unique_ptr<KernelState>(std::move(state));
}

int64_t positions_together(int64_t segments, int64_t taps) {
  const int64_t fitting = kSampledFloats / (segments * taps * kLanes) / 16 * 16;
  return std::clamp(fitting, kLeastPositions, kMostPositions);
}

struct Part {
  size_t tables, sampled, made;
  size_t bytes() const { return tables + sampled + made; }
};
Part part_bytes(int64_t segments, int64_t taps, int64_t filters) {
  const int64_t together = positions_together(segments, taps);
  const auto floats = [](int64_t count) { return ScratchParts::rounded(static_cast<size_t>(count) * sizeof(float)); };
  return {ScratchParts::rounded(TapTables::bytes(2, 2)), floats(together * segments * taps * kLanes),
          floats(together * (filters + kLanes))};
}

class Deformed {
 public:
  Deformed(KernelContext& ctx, const ConvSizes& sizes, const Segments& segments, const float* turned,
           const float* arranged)
      : ctx_(ctx), s_(sizes), segments_(segments), turned_(turned), arranged_(arranged) {}

  // Output positions [first, first + count) of image n.
  void run(int64_t n, int64_t first, int64_t count, std::byte* memory) const {
    const Part part = part_bytes(segments_.count(), s_.kernel_count(), s_.group_outputs());
    auto* sampled = reinterpret_cast<float*>(memory + part.tables);
    auto* made = reinterpret_cast<float*>(memory + part.tables + part.sampled);
    sample(n, first, count, memory, sampled);
    for (int64_t group = 0; group < s_.groups; ++group) multiply(n, group, first, count, sampled, made);
  }

 private:
  int64_t depth(int64_t group) const { return segments_.of_group(group) * s_.kernel_count() * kLanes; }
  // The rows of a group begin where those of the groups before end.
  float* rows_of(float* sampled, size_t segment_begin, int64_t count) const {
    return sampled + static_cast<int64_t>(segment_begin) * s_.kernel_count() * kLanes * count;
  }

  void sample(int64_t n, int64_t first, int64_t count, std::byte* memory, float* sampled) const {
    const Windows& w = s_.windows;
    const int64_t taps = s_.kernel_count(), positions = s_.out_count(), image = s_.in_count();
    const int64_t offset_groups = s_.channels / segments_.per_offset_group;
    const TapTables tables(memory, 2, 2);
    const TapAxis axes[2] = {{.size = w.in[0], .stride = w.in[1]}, {.size = w.in[1]}};
    const float* offsets = ctx_.input(2).data<float>() + n * offset_groups * taps * 2 * positions + first;
    const float* masks =
        ctx_.has_input(4) ? ctx_.input(4).data<float>() + n * offset_groups * taps * positions + first : nullptr;
    for (int64_t tap = 0; tap < taps; ++tap) {
      size_t i = 0;
      for (int64_t offset_group = 0; offset_group < offset_groups; ++offset_group) {
        const int64_t at = offset_group * taps + tap;
        place(tap, first, count, offsets + at * 2 * positions, tables);
        const PointTaps points = tables.make(code_, axes, count, static_cast<int32_t>(image));
        for (; i < segments_.all.size() && segments_.all[i].channel / segments_.per_offset_group == offset_group; ++i) {
          const auto g = static_cast<size_t>(segments_.all[i].channel / segments_.per_group);
          const auto own = static_cast<int64_t>(i - segments_.begins[g]);
          code_.from_lanes(turned_ + static_cast<int64_t>(i) * (image + 1) * kLanes, points, count,
                           masks != nullptr ? masks + at * positions : nullptr,
                           rows_of(sampled, segments_.begins[g], count) + (own * taps + tap) * kLanes,
                           depth(static_cast<int64_t>(g)));
        }
      }
    }
  }

  // Where kernel element `tap` looks.
  void place(int64_t tap, int64_t first, int64_t count, const float* offsets, const TapTables& tables) const {
    const Windows& w = s_.windows;
    const int64_t tap_at[2] = {tap / w.kernel[1], tap % w.kernel[1]}, positions = s_.out_count();
    double *down = tables.positions(0), *across = tables.positions(1);
    const int64_t y_shift = tap_at[0] * w.dilations[0] - w.begin[0], x_shift = tap_at[1] * w.dilations[1] - w.begin[1];
    int64_t row = first / w.out[1], column = first % w.out[1];
    for (int64_t p = 0; p < count; ++p) {
      down[p] = static_cast<double>(row * w.strides[0] + y_shift) + static_cast<double>(offsets[p]);
      across[p] = static_cast<double>(column * w.strides[1] + x_shift) + static_cast<double>(offsets[positions + p]);
      if (++column == w.out[1]) {
        column = 0;
        ++row;
      }
    }
  }

  void multiply(int64_t n, int64_t group, int64_t first, int64_t count, float* sampled, float* made) const {
    const int64_t filters = s_.group_outputs(), step = (filters + kLanes - 1) / kLanes * kLanes;
    const size_t begin = segments_.begins[static_cast<size_t>(group)];
    GemmF32 g{.m = count, .n = filters, .k = depth(group)};
    g.a = {rows_of(sampled, begin, count), g.k, 1};
    if (arranged_ != nullptr) {
      g.b = {arranged_ + static_cast<int64_t>(begin) * s_.kernel_count() * kLanes * filters, filters, 1};
    } else {
      g.packed = &ctx_.state<DeformWeights>().groups[static_cast<size_t>(group)];
    }
    if (ctx_.has_input(3)) {
      g.start = GemmF32::Start::per_column;
      g.bias = ctx_.input(3).data<float>() + group * filters;
    }
    g.c = made;
    g.c_row = step;
    gemm(g);
    float* y = ctx_.output(0).data<float>() + (n * s_.outputs + group * filters) * s_.out_count() + first;
    for (int64_t f = 0; f < filters; f += kLanes)
      turn_.to_rows(
          made + f,
          {.rows = std::min(kLanes, filters - f), .row_step = s_.out_count(), .positions = count, .lane_step = step},
          y + f * s_.out_count());
  }

  KernelContext& ctx_;
  const ConvSizes& s_;
  const Segments& segments_;
  const float* turned_;
  const float* arranged_;
  const PointSampling code_ = point_sampling();
  const TurnBlocks<float> turn_ = turn_blocks_f32();
};

Status turn_image(KernelContext& ctx, const ConvSizes& s, const Segments& segments, const float* x, float* turned) {
  const TurnBlocks<float> turn = turn_blocks_f32();
  const int64_t image = s.in_count(), pieces = (image + kTurnPiece - 1) / kTurnPiece;
  return parallel_ranges(ctx, segments.count() * pieces, 1, [&](int64_t i, int64_t) {
    const Segment& segment = segments.all[static_cast<size_t>(i / pieces)];
    const int64_t first = i % pieces * kTurnPiece, count = std::min(kTurnPiece, image - first);
    float* to = turned + i / pieces * (image + 1) * kLanes;
    turn.to_lanes(x + segment.channel * image + first, {.rows = segment.count, .row_step = image, .positions = count},
                  to + first * kLanes);
    if (first + count == image) std::fill_n(to + image * kLanes, kLanes, 0.0f);
  });
}

Status run_deform_f32(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const ConvSizes s, conv_sizes(ctx));
  const Segments segments(s.channels, s.groups, ctx.attr_int("offset_group", 1));
  const int64_t image = s.in_count(), taps = s.kernel_count(), positions = s.out_count();
  if (image >= INT32_MAX) return invalid_argument("x has {} elements a channel, too many", image);
  ScratchParts scratch(ctx);
  float* turned = scratch.take<float>(segments.count() * (image + 1) * kLanes).data();
  float* arranged = nullptr;
  if (!ctx.has_state()) {
    arranged = scratch.take<float>(segments.count() * taps * kLanes * s.group_outputs()).data();
    for (int64_t group = 0; group < s.groups; ++group)
      arrange(ctx.input(1).data<float>(), segments, group, taps, s.group_outputs(),
              arranged + static_cast<int64_t>(segments.begins[static_cast<size_t>(group)]) * taps * kLanes *
                             s.group_outputs());
  }
  ScratchSlots slots = scratch.slots(part_bytes(segments.count(), taps, s.group_outputs()).bytes());
  const Deformed deformed(ctx, s, segments, turned, arranged);
  const int64_t together = positions_together(segments.count(), taps);
  for (int64_t n = 0; n < s.batch; ++n) {
    SDX_TRY(turn_image(ctx, s, segments, ctx.input(0).data<float>() + n * s.channels * image, turned));
    SDX_TRY(parallel_ranges(ctx, positions, together, [&](int64_t begin, int64_t end) {
      const ScratchSlots::Lease lease(slots);
      deformed.run(n, begin, end - begin, lease.memory());
    }));
  }
  return {};
}

// What the weights' shape must tell.
std::optional<Segments> segments_of(const NodeFacts& facts) {
  const int64_t groups = facts.attr_int("group", 1), offset_groups = facts.attr_int("offset_group", 1);
  if (!facts.has_rank(1) || facts.rank(1) != 4 || groups < 1 || offset_groups < 1) return std::nullopt;
  for (int axis = 0; axis < 4; ++axis)
    if (!facts.dim(1, axis).is_known() || facts.dim(1, axis).known() < 1) return std::nullopt;
  const int64_t channels = facts.dim(1, 1).known() * groups;
  if (channels % offset_groups != 0 || facts.dim(1, 0).known() % groups != 0) return std::nullopt;
  return Segments(channels, groups, offset_groups);
}

Dim deform_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const auto segments = segments_of(facts.node);
  if (!segments) return facts.symbols.fresh();
  const auto dim = [&](int axis) { return facts.node.dim(1, axis).known(); };
  const int64_t taps = dim(2) * dim(3), filters = dim(0) / facts.node.attr_int("group", 1), count = segments->count();
  const Dim image = size.product({size.input(0, 2), size.input(0, 3)});
  size.part(size.product({Dim(count * kLanes), facts.symbols.add(image, 1)}), sizeof(float));
  const bool is_packed = facts.node.constant(1) != nullptr && facts.node.dtype(1) == DType::f32;
  if (!is_packed) size.part(Dim(count * taps * kLanes * filters), sizeof(float));
  return size.slots(Dim(static_cast<int64_t>(part_bytes(count, taps, filters).bytes()))).bytes();
}

Verdict takes_images(const NodeFacts& facts) {
  return segments_of(facts) ? yes() : no("only two spatial axes, and weights of a known shape");
}

Verdict takes_f32(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 ? takes_images(facts) : no("only f32");
}

Verdict takes_16_bits(const NodeFacts& facts) {
  const Verdict half = takes_half(facts);
  return half ? takes_images(facts) : half;
}

}  // namespace

SDX_CPU_KERNELS(deform_conv,
                {.name = "deform_conv_f32",
                 .can_run = takes_f32,
                 .prepare = prepare_deform,
                 .run = run_deform_f32,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = deform_bytes},
                {.name = "deform_conv_16_bits",
                 .can_run = takes_16_bits,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_deform_f32); },
                 .scratch_bytes =
                     [](const ScratchFacts& facts) { return through_f32_scratch(facts, deform_bytes(facts)); }});

}  // namespace sdx::ops
