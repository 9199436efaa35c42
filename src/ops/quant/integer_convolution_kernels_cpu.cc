#include "base/simd_targets.h"  // first

#include "ops/quant/integer_convolution_kernels.h"
#include "ops/quant/integer_dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void interleave_rows(const uint8_t* const* rows, uint8_t turned, uint8_t* panel) {
  const hn::Full128<uint8_t> d;
  const hn::Full128<uint16_t> d16;
  const auto flips = hn::Set(d, turned);
  const auto row = [&](int i) HWY_ATTR { return hn::Xor(hn::LoadU(d, rows[i]), flips); };
  const auto a = row(0), b = row(1), c = row(2), e = row(3);
  const auto put = [&](auto pairs, auto others, uint8_t* to) HWY_ATTR {
    const auto p = hn::BitCast(d16, pairs), o = hn::BitCast(d16, others);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d16, p, o)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d16, p, o)), d, to + 16);
  };
  put(hn::InterleaveLower(d, a, b), hn::InterleaveLower(d, c, e), panel);
  put(hn::InterleaveUpper(d, a, b), hn::InterleaveUpper(d, c, e), panel + 32);
}

void gather_panel(const ops::PanelSource& source, const ops::PixelRuns& runs, uint8_t* panel) {
  const hn::Full128<uint8_t> d;
  const hn::Full128<uint16_t> d16;
  const auto flips = hn::Set(d, source.turned);
  const auto pixels = [&](const uint8_t* from) HWY_ATTR {
    auto bytes = hn::LoadU(d, from + runs.offsets[0]);
    for (int64_t r = 1; r < runs.count; ++r) {
      const auto mask = hn::LoadU(d, runs.masks[r]);
      bytes = hn::Or(hn::AndNot(mask, bytes), hn::And(mask, hn::LoadU(d, from + runs.offsets[r])));
    }
    return hn::Xor(bytes, flips);
  };
  const auto put = [&](auto pairs, auto others, uint8_t* to) HWY_ATTR {
    const auto p = hn::BitCast(d16, pairs), o = hn::BitCast(d16, others);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d16, p, o)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d16, p, o)), d, to + 16);
  };
  const int64_t rows = source.channels * source.taps;
  const uint8_t* image = source.image;
  const uint8_t* from = rows > 0 ? image + source.tap_offsets[0] : image;
  int64_t tap = 0, at = 0;
  const auto next = [&]() HWY_ATTR {
    const auto bytes = pixels(from);
    if (++at < rows) {  // the last row stays
      if (++tap == source.taps) {
        tap = 0;
        image += source.plane_size;
      }
      from = image + source.tap_offsets[tap];
    }
    return bytes;
  };
  for (int64_t row = 0; row < rows; row += 4, panel += 64) {
    const auto a = next(), b = next(), c = next(), e = next();
    put(hn::InterleaveLower(d, a, b), hn::InterleaveLower(d, c, e), panel);
    put(hn::InterleaveUpper(d, a, b), hn::InterleaveUpper(d, c, e), panel + 32);
  }
}

void copy_every_second(const uint8_t* from, uint8_t* to, size_t count) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes < count; i += lanes) {
    hn::Vec<decltype(d)> even, odd;
    hn::LoadInterleaved2(d, from + 2 * i, even, odd);
    hn::StoreU(even, d, to + i);
  }
  for (; i < count; ++i) to[i] = from[2 * i];
}

void channel_row(const ops::ChannelRow& row) {
  const hn::Full128<uint8_t> d8;
  const hn::Full128<int16_t> d16;
  const hn::Full128<int32_t> d32;
  HWY_ALIGN uint8_t order[16];
  for (size_t i = 0; i < 16; ++i) order[i] = static_cast<uint8_t>(i / 4 * static_cast<size_t>(row.stride) + i % 4);
  const auto pattern = hn::Load(d8, order), flips = hn::Set(d8, row.turned);
  for (int64_t i = 0; i < row.count; i += 4) {
    auto sum = hn::Set(d32, row.start);
    const int32_t* taps = row.taps;
    for (int64_t y = 0; y < row.kernel_height; ++y) {
      const uint8_t* from = row.from + y * row.row + i * row.stride;
      for (int64_t four = 0; four < row.fours; ++four, ++taps) {
        const auto bytes = hn::Xor(hn::TableLookupBytes(hn::LoadU(d8, from + 4 * four), pattern), flips);
        const auto weights = widen<true>(d16, hn::BitCast(d16, hn::Set(d32, *taps)));
        sum = dot(d32, widen<false>(d16, hn::BitCast(d16, bytes)), weights, sum);
      }
    }
    hn::StoreU(sum, d32, row.c + i);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

InterleaveRows interleave_rows_kernel() { return SDX_DISPATCH(interleave_rows); }
GatherPanel gather_panel_kernel() { return SDX_DISPATCH(gather_panel); }
CopyEverySecond copy_every_second_kernel() { return SDX_DISPATCH(copy_every_second); }
ChannelRowKernel channel_row_kernel() {
#if defined(__x86_64__)
  if (supports(Isa::avx512_vnni)) return channel_row_avx512_vnni;
#endif
  return SDX_DISPATCH(channel_row);
}

}  // namespace sdx::ops
#endif
