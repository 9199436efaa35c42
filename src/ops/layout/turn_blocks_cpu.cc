// Blocks and unblocks elements of 2 and 4 bytes: pieces of 16 channels by some positions, transposed in registers.
#include "base/simd_targets.h"  // first

#include <algorithm>
#include <cstring>

#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/layout/turn_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::BlockRows;
using ops::kChannelBlock;

// Vectors of up to 16 floats: whole groups of four channels.
using Lanes = hn::CappedTag<float, 16>;
using Vec = hn::VFromD<Lanes>;
constexpr size_t kLanes = HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16;
constexpr size_t kParts = 16 / kLanes;  // vectors a position

// 4x4 within each 128-bit piece.
HWY_INLINE void turn_fours(Vec& a, Vec& b, Vec& c, Vec& d) {
  const Lanes f;
  const hn::Repartition<double, Lanes> pairs;
  const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(f, a, b));
  const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(f, a, b));
  const auto cd_low = hn::BitCast(pairs, hn::InterleaveLower(f, c, d));
  const auto cd_high = hn::BitCast(pairs, hn::InterleaveUpper(f, c, d));
  a = hn::BitCast(f, hn::InterleaveLower(pairs, ab_low, cd_low));
  b = hn::BitCast(f, hn::InterleaveUpper(pairs, ab_low, cd_low));
  c = hn::BitCast(f, hn::InterleaveLower(pairs, ab_high, cd_high));
  d = hn::BitCast(f, hn::InterleaveUpper(pairs, ab_high, cd_high));
}

// Four elements from each of the rows i, i + 4, ... of a vector.
HWY_INLINE Vec load_rows(const float* const* rows, size_t at) {
  const hn::Full128<float> quarter;
#if HWY_MAX_BYTES >= 64
  const hn::Full256<float> half;
  const auto low = hn::Combine(half, hn::LoadU(quarter, rows[4] + at), hn::LoadU(quarter, rows[0] + at));
  const auto high = hn::Combine(half, hn::LoadU(quarter, rows[12] + at), hn::LoadU(quarter, rows[8] + at));
  return hn::Combine(Lanes(), high, low);
#elif HWY_MAX_BYTES == 32
  return hn::Combine(Lanes(), hn::LoadU(quarter, rows[4] + at), hn::LoadU(quarter, rows[0] + at));
#else
  return hn::LoadU(quarter, rows[0] + at);
#endif
}

HWY_INLINE void store_rows(Vec v, float* const* rows, size_t at) {
  const hn::Full128<float> quarter;
#if HWY_MAX_BYTES >= 64
  const hn::Full256<float> half;
  const auto low = hn::LowerHalf(half, v), high = hn::UpperHalf(half, v);
  hn::StoreU(hn::LowerHalf(quarter, low), quarter, rows[0] + at);
  hn::StoreU(hn::UpperHalf(quarter, low), quarter, rows[4] + at);
  hn::StoreU(hn::LowerHalf(quarter, high), quarter, rows[8] + at);
  hn::StoreU(hn::UpperHalf(quarter, high), quarter, rows[12] + at);
#elif HWY_MAX_BYTES == 32
  hn::StoreU(hn::LowerHalf(quarter, v), quarter, rows[0] + at);
  hn::StoreU(hn::UpperHalf(quarter, v), quarter, rows[4] + at);
#else
  hn::StoreU(v, quarter, rows[0] + at);
#endif
}

void to_lanes_f32(const float* from, const BlockRows& block, float* to) {
  HWY_ALIGN static constexpr float kZeros[4] = {};
  const float* rows[16];
  const Lanes d;
  const auto count = static_cast<size_t>(block.positions);
  size_t p = 0;
  for (; p + 4 <= count; p += 4) {
    for (int64_t i = 0; i < kChannelBlock; ++i) rows[i] = i < block.rows ? from + i * block.row_step + p : kZeros;
    for (size_t part = 0; part < kParts; ++part) {
      const float* const* own = rows + part * kLanes;
      Vec a = load_rows(own, 0), b = load_rows(own + 1, 0), c = load_rows(own + 2, 0), e = load_rows(own + 3, 0);
      turn_fours(a, b, c, e);
      float* y = to + p * 16 + part * kLanes;
      hn::StoreU(a, d, y);
      hn::StoreU(b, d, y + 16);
      hn::StoreU(c, d, y + 32);
      hn::StoreU(e, d, y + 48);
    }
  }
  for (; p < count; ++p)
    for (int64_t i = 0; i < kChannelBlock; ++i)
      to[p * 16 + static_cast<size_t>(i)] = i < block.rows ? from[i * block.row_step + static_cast<int64_t>(p)] : 0;
}

void to_rows_f32(const float* from, const BlockRows& block, float* to) {
  float spare[4];
  float* rows[16];
  const Lanes d;
  const auto count = static_cast<size_t>(block.positions), step = static_cast<size_t>(block.lane_step);
  size_t p = 0;
  for (; p + 4 <= count; p += 4) {
    for (int64_t i = 0; i < kChannelBlock; ++i) rows[i] = i < block.rows ? to + i * block.row_step + p : spare;
    for (size_t part = 0; part < kParts; ++part) {
      if (static_cast<int64_t>(part * kLanes) >= block.rows) break;
      const float* x = from + p * step + part * kLanes;
      Vec a = hn::LoadU(d, x), b = hn::LoadU(d, x + step), c = hn::LoadU(d, x + 2 * step),
          e = hn::LoadU(d, x + 3 * step);
      turn_fours(a, b, c, e);
      float* const* own = rows + part * kLanes;
      store_rows(a, own, 0);
      store_rows(b, own + 1, 0);
      store_rows(c, own + 2, 0);
      store_rows(e, own + 3, 0);
    }
  }
  for (; p < count; ++p)
    for (int64_t i = 0; i < block.rows; ++i)
      to[i * block.row_step + static_cast<int64_t>(p)] = from[p * step + static_cast<size_t>(i)];
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

void to_lanes_16(const uint16_t* from, const BlockRows& block, uint16_t* to) {
  for (int64_t p = 0; p < block.positions; ++p, to += kChannelBlock) {
    for (int64_t i = 0; i < block.rows; ++i) to[i] = from[i * block.row_step + p];
    for (int64_t i = block.rows; i < kChannelBlock; ++i) to[i] = 0;
  }
}

void to_rows_16(const uint16_t* from, const BlockRows& block, uint16_t* to) {
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t p = 0; p < block.positions; ++p) to[i * block.row_step + p] = from[p * block.lane_step + i];
}

constexpr int64_t kPiece = 1024;  // positions a parallel block

// Calls f(image, block of channels, first position, positions) for all pieces.
template <typename F>
Status for_each_piece(KernelContext& ctx, const PlainSizes& s, F f) {
  const int64_t pieces = (s.positions + kPiece - 1) / kPiece, blocks = channel_blocks(s.channels);
  const int64_t grain = std::max<int64_t>(1, kPiece / std::max<int64_t>(1, s.positions));
  return parallel_ranges(ctx, s.batch * blocks * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces * kPiece, plane = i / pieces;
      f(plane / blocks, plane % blocks, first, std::min(kPiece, s.positions - first));
    }
  });
}

template <typename T>
Status block_elements(KernelContext& ctx, const TurnBlocks<T>& turn) {
  const T* x = ctx.input(0).data<T>();
  T* y = ctx.output(0).data<T>();
  if (ctx.output(0).count() == 0) return {};
  const PlainSizes s = plain_sizes(ctx.input(0), ctx.attr_int("channels_last", 0) != 0);
  return for_each_piece(ctx, s, [&](int64_t n, int64_t block, int64_t first, int64_t count) {
    const int64_t channel = block * kChannelBlock, rows = std::min(kChannelBlock, s.channels - channel);
    T* to = y + ((n * channel_blocks(s.channels) + block) * s.positions + first) * kChannelBlock;
    if (!s.channels_last) {
      turn.to_lanes(x + (n * s.channels + channel) * s.positions + first, {rows, s.positions, count}, to);
      return;
    }
    const T* from = x + (n * s.positions + first) * s.channels + channel;
    for (int64_t p = 0; p < count; ++p, from += s.channels, to += kChannelBlock) {
      std::memcpy(to, from, static_cast<size_t>(rows) * sizeof(T));
      if (rows < kChannelBlock) std::memset(to + rows, 0, static_cast<size_t>(kChannelBlock - rows) * sizeof(T));
    }
  });
}

template <typename T>
Status unblock_elements(KernelContext& ctx, const TurnBlocks<T>& turn) {
  const T* x = ctx.input(0).data<T>();
  T* y = ctx.output(0).data<T>();
  if (ctx.output(0).count() == 0) return {};
  const PlainSizes s = plain_sizes(ctx.output(0), ctx.attr_int("channels_last", 0) != 0);
  return for_each_piece(ctx, s, [&](int64_t n, int64_t block, int64_t first, int64_t count) {
    const int64_t channel = block * kChannelBlock, rows = std::min(kChannelBlock, s.channels - channel);
    const T* from = x + ((n * channel_blocks(s.channels) + block) * s.positions + first) * kChannelBlock;
    if (!s.channels_last) {
      turn.to_rows(from, {rows, s.positions, count}, y + (n * s.channels + channel) * s.positions + first);
      return;
    }
    T* to = y + (n * s.positions + first) * s.channels + channel;
    for (int64_t p = 0; p < count; ++p, from += kChannelBlock, to += s.channels)
      std::memcpy(to, from, static_cast<size_t>(rows) * sizeof(T));
  });
}

}  // namespace

TurnBlocks<float> turn_blocks_f32() { return {SDX_DISPATCH(to_lanes_f32), SDX_DISPATCH(to_rows_f32)}; }
TurnBlocks<uint16_t> turn_blocks_16() { return {to_lanes_16, to_rows_16}; }

Verdict can_turn_blocks(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(0));
  return bits == 16 || bits == 32 ? yes() : no("only elements of 2 or 4 bytes");
}

Status block_tensor(KernelContext& ctx) {
  if (bit_width(ctx.input(0).dtype()) == 16) return block_elements(ctx, turn_blocks_16());
  return block_elements(ctx, turn_blocks_f32());
}

Status unblock_tensor(KernelContext& ctx) {
  if (bit_width(ctx.input(0).dtype()) == 16) return unblock_elements(ctx, turn_blocks_16());
  return unblock_elements(ctx, turn_blocks_f32());
}

}  // namespace sdx::ops
#endif
