// Picks elements of a row: blocks of 16 bytes by byte shuffles, blocks of a vector where elements have 4 bytes or more.
#include "base/simd_targets.h"  // first

#include <algorithm>

#include "kernel/simd.h"
#include "ops/image/resize_pick.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::PickedRows;
using ops::PickTable;

size_t pick_words() { return hn::Lanes(hn::ScalableTag<uint32_t>()); }

// The units of block b, which are at most one vector apart, or two.
struct Near {
  template <class D>
  HWY_INLINE hn::VFromD<D> operator()(D d, const PickTable& table, size_t b, const uint32_t* from) const {
    const hn::RebindToSigned<D> di;
    const auto base = static_cast<size_t>(table.bases[b]);
    const auto places = hn::LoadU(di, table.units.data() + b * hn::Lanes(d));
    return hn::TableLookupLanes(load_n(d, from + base, table.in - base), hn::IndicesFromVec(d, places));
  }
};

struct Far {
  template <class D>
  HWY_INLINE hn::VFromD<D> operator()(D d, const PickTable& table, size_t b, const uint32_t* from) const {
    const hn::RebindToSigned<D> di;
    const auto last = hn::Set(di, static_cast<int32_t>(hn::Lanes(d) - 1));
    const auto base = static_cast<size_t>(table.bases[b]);
    const size_t next = HWY_MIN(base + hn::Lanes(d), table.in);
    const auto unit = hn::LoadU(di, table.units.data() + b * hn::Lanes(d));
    const auto places = hn::IndicesFromVec(d, hn::And(unit, last));
    const auto near = hn::TableLookupLanes(load_n(d, from + base, table.in - base), places);
    const auto far = hn::TableLookupLanes(load_n(d, from + next, table.in - next), places);
    return hn::IfThenElse(hn::RebindMask(d, hn::Gt(unit, last)), far, near);
  }
};

struct Bytes {
  template <class D>
  HWY_INLINE hn::VFromD<D> operator()(D d, const PickTable& table, size_t b, const uint8_t* from) const {
    const hn::Full128<int32_t> di;
    const auto base = static_cast<size_t>(table.bases[b]);
    const auto places = hn::BitCast(d, hn::LoadU(di, table.units.data() + b * 4));
    return hn::TableLookupBytes(load_n(d, from + base, table.in - base), places);
  }
};

template <class Block, class D, typename T = hn::TFromD<D>>
HWY_INLINE void pick_rows(D d, const PickTable& table, const PickedRows* rows, size_t count, const T* x, T* y) {
  const size_t whole = table.out / hn::Lanes(d), rest = table.out % hn::Lanes(d);
  for (size_t i = 0; i < count; ++i) {
    const T* from = x + static_cast<size_t>(rows[i].from) * table.in;
    const auto copies = static_cast<size_t>(rows[i].copies), at_once = copies == 2 ? copies : 1;
    for (size_t b = 0; b < whole; ++b) {
      const auto v = Block()(d, table, b, from);
      T* to = y + b * hn::Lanes(d);
      hn::StoreU(v, d, to);
      if (at_once == 2) hn::StoreU(v, d, to + table.out);
    }
    if (rest != 0) {
      const auto v = Block()(d, table, whole, from);
      T* to = y + whole * hn::Lanes(d);
      store_n(v, d, to, rest);
      if (at_once == 2) store_n(v, d, to + table.out, rest);
    }
    for (size_t copy = at_once; copy < copies; ++copy) std::memcpy(y + copy * table.out, y, table.out * sizeof(T));
    y += copies * table.out;
  }
}

void pick_near(const PickTable& table, const PickedRows* rows, size_t count, const std::byte* x, std::byte* y) {
  pick_rows<Near>(hn::ScalableTag<uint32_t>(), table, rows, count, reinterpret_cast<const uint32_t*>(x),
                  reinterpret_cast<uint32_t*>(y));
}

void pick_far(const PickTable& table, const PickedRows* rows, size_t count, const std::byte* x, std::byte* y) {
  pick_rows<Far>(hn::ScalableTag<uint32_t>(), table, rows, count, reinterpret_cast<const uint32_t*>(x),
                 reinterpret_cast<uint32_t*>(y));
}

void pick_bytes(const PickTable& table, const PickedRows* rows, size_t count, const std::byte* x, std::byte* y) {
  pick_rows<Bytes>(hn::Full128<uint8_t>(), table, rows, count, reinterpret_cast<const uint8_t*>(x),
                   reinterpret_cast<uint8_t*>(y));
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
  std::vector<int32_t> sources(out);  // of each unit
  for (size_t part = 0; part < units_each; ++part)
    for (size_t i = 0; i < index.size(); ++i)
      sources[i * units_each + part] = static_cast<int32_t>(static_cast<size_t>(index[i]) * units_each + part);
  int32_t farthest = 0;
  for (size_t b = 0; b < blocks; ++b) {
    const size_t first = b * lanes, count = std::min(lanes, out - first);
    const int32_t* own = sources.data() + first;
    int32_t low = own[0], high = own[0];
    for (size_t i = 1; i < count; ++i) {
      low = std::min(low, own[i]);
      high = std::max(high, own[i]);
    }
    bases[b] = low;
    farthest = std::max(farthest, high - low);
    if (unit == 1) {
      for (size_t i = 0; i < count; ++i) bytes[first + i] = static_cast<uint8_t>(own[i] - low);
    } else {
      for (size_t i = 0; i < count; ++i) units[first + i] = own[i] - low;
    }
  }
  is_far = farthest >= static_cast<int32_t>(lanes);
  if (farthest >= static_cast<int32_t>(unit == 4 ? 2 * lanes : lanes)) return false;
  if (unit == 1) std::memcpy(units.data(), bytes.data(), bytes.size());
  pick = unit == 1 ? SDX_DISPATCH(pick_bytes) : is_far ? SDX_DISPATCH(pick_far) : SDX_DISPATCH(pick_near);
  return true;
}

}  // namespace sdx::ops
#endif
