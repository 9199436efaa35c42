// Picks elements of a row: blocks of 16 bytes by byte shuffles, blocks of a vector where elements have 4 bytes or more.
#include "base/simd_targets.h"  // first

#include <algorithm>

#include "kernel/simd.h"
#include "ops/image/resize_pick.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::PickTable;

size_t pick_words() { return hn::Lanes(hn::ScalableTag<uint32_t>()); }

template <bool kFar>
HWY_INLINE void pick_words_of_row(const PickTable& table, const uint32_t* from, size_t copies, uint32_t* to) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const size_t lanes = table.lanes;
  const auto last = hn::Set(di, static_cast<int32_t>(lanes - 1));
  const int32_t* units = table.units.data();
  for (size_t b = 0, at = 0; at < table.out; ++b, at += lanes, units += lanes) {
    const auto base = static_cast<size_t>(table.bases[b]);
    const auto unit = hn::LoadU(di, units);
    const auto place = hn::IndicesFromVec(d, kFar ? hn::And(unit, last) : unit);
    auto v = hn::TableLookupLanes(load_n(d, from + base, table.in - base), place);
    if constexpr (kFar) {
      const size_t next = HWY_MIN(base + lanes, table.in);
      const auto far = hn::TableLookupLanes(load_n(d, from + next, table.in - next), place);
      v = hn::IfThenElse(hn::RebindMask(d, hn::Gt(unit, last)), far, v);
    }
    for (size_t copy = 0; copy < copies; ++copy) store_n(v, d, to + copy * table.out + at, table.out - at);
  }
}

void pick_words_near(const PickTable& table, const std::byte* from, size_t copies, std::byte* to) {
  pick_words_of_row<false>(table, reinterpret_cast<const uint32_t*>(from), copies, reinterpret_cast<uint32_t*>(to));
}

void pick_words_far(const PickTable& table, const std::byte* from, size_t copies, std::byte* to) {
  pick_words_of_row<true>(table, reinterpret_cast<const uint32_t*>(from), copies, reinterpret_cast<uint32_t*>(to));
}

void pick_bytes(const PickTable& table, const std::byte* from_bytes, size_t copies, std::byte* to_bytes) {
  const auto* from = reinterpret_cast<const uint8_t*>(from_bytes);
  auto* to = reinterpret_cast<uint8_t*>(to_bytes);
  const hn::Full128<uint8_t> d;
  const hn::Full128<int32_t> di;
  const int32_t* units = table.units.data();
  for (size_t b = 0, at = 0; at < table.out; ++b, at += 16, units += 4) {
    const auto base = static_cast<size_t>(table.bases[b]);
    const auto near = load_n(d, from + base, table.in - base);
    const auto v = hn::TableLookupBytes(near, hn::BitCast(d, hn::LoadU(di, units)));
    for (size_t copy = 0; copy < copies; ++copy) store_n(v, d, to + copy * table.out + at, table.out - at);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

bool PickTable::make(const std::vector<int64_t>& index, size_t element, size_t in_elements) {
  unit = element >= 4 ? 4 : 1;
  lanes = unit == 4 ? SDX_DISPATCH(pick_words)() : 16;
  const size_t units_each = element / unit;
  in = in_elements * units_each;
  out = index.size() * units_each;
  const size_t blocks = (out + lanes - 1) / lanes;
  bases.resize(blocks);
  std::vector<uint8_t> bytes(unit == 1 ? blocks * 16 : 0);
  units.assign(unit == 1 ? blocks * 4 : blocks * lanes, 0);
  for (size_t b = 0; b < blocks; ++b) {
    const size_t first = b * lanes, end = std::min(first + lanes, out);
    const auto source = [&](size_t at) {
      return static_cast<size_t>(index[at / units_each]) * units_each + at % units_each;
    };
    size_t low = source(first);
    for (size_t at = first; at < end; ++at) low = std::min(low, source(at));
    bases[b] = static_cast<int32_t>(low);
    for (size_t at = first; at < end; ++at) {
      const size_t near = source(at) - low;
      if (near >= (unit == 4 ? 2 * lanes : lanes)) return false;
      is_far = is_far || near >= lanes;
      if (unit == 1) {
        bytes[at] = static_cast<uint8_t>(near);
      } else {
        units[at] = static_cast<int32_t>(near);
      }
    }
  }
  if (unit == 1) std::memcpy(units.data(), bytes.data(), bytes.size());
  pick = unit == 1 ? SDX_DISPATCH(pick_bytes) : is_far ? SDX_DISPATCH(pick_words_far) : SDX_DISPATCH(pick_words_near);
  return true;
}

}  // namespace sdx::ops
#endif
