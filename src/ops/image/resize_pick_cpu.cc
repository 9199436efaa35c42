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

void pick_words_of_row(const PickTable& table, const uint32_t* from, uint32_t* to) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const size_t lanes = table.lanes;
  const int32_t* units = table.units.data();
  for (size_t b = 0, at = 0; at < table.out; ++b, at += lanes, units += lanes) {
    const auto base = static_cast<size_t>(table.bases[b]);
    const auto near = load_n(d, from + base, table.in - base);
    store_n(hn::TableLookupLanes(near, hn::IndicesFromVec(d, hn::LoadU(di, units))), d, to + at, table.out - at);
  }
}

void pick_bytes_of_row(const PickTable& table, const uint8_t* from, uint8_t* to) {
  const hn::Full128<uint8_t> d;
  const hn::Full128<int32_t> di;
  const int32_t* units = table.units.data();
  for (size_t b = 0, at = 0; at < table.out; ++b, at += 16, units += 4) {
    const auto base = static_cast<size_t>(table.bases[b]);
    const auto near = load_n(d, from + base, table.in - base);
    store_n(hn::TableLookupBytes(near, hn::BitCast(d, hn::LoadU(di, units))), d, to + at, table.out - at);
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
      if (near >= lanes) return false;
      if (unit == 1) {
        bytes[at] = static_cast<uint8_t>(near);
      } else {
        units[at] = static_cast<int32_t>(near);
      }
    }
  }
  if (unit == 1) std::memcpy(units.data(), bytes.data(), bytes.size());
  return true;
}

void pick_row(const PickTable& table, const std::byte* from, std::byte* to) {
  if (table.unit == 1) {
    SDX_DISPATCH(pick_bytes_of_row)(table, reinterpret_cast<const uint8_t*>(from), reinterpret_cast<uint8_t*>(to));
  } else {
    SDX_DISPATCH(pick_words_of_row)(table, reinterpret_cast<const uint32_t*>(from), reinterpret_cast<uint32_t*>(to));
  }
}

}  // namespace sdx::ops
#endif
