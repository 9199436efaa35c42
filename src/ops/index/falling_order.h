// Distinct unsigned items in falling order, sorted only as far as somebody wants them. Linear: buckets by value, and
// buckets of buckets where many fall into one.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "base/stop_point.h"

namespace sdx::ops {

// Calls visit(item) until it returns false. `spare` is as much room again. Both are left in any order.
template <typename Item, typename Visit>
bool visit_falling(Item* items, Item* spare, size_t count, Visit& visit) {
  constexpr size_t kFew = 48, kBuckets = 1024;
  stop_point(static_cast<int64_t>(count));
  if (count <= kFew) {
    std::sort(items, items + count, std::greater<>());
    for (size_t i = 0; i < count; ++i)
      if (!visit(items[i])) return false;
    return true;
  }
  Item low = items[0], high = items[0];
  for (size_t i = 1; i < count; ++i) {
    low = items[i] < low ? items[i] : low;
    high = items[i] > high ? items[i] : high;
  }
  const size_t wanted = std::min(kBuckets, count / 2);
  int shift = 0;
  while ((high - low) >> shift >= wanted) ++shift;
  std::array<uint32_t, kBuckets + 1> ends{};  // of each bucket's part, first where it begins
  const auto bucket = [&](Item item) { return static_cast<size_t>((high - item) >> shift); };
  for (size_t i = 0; i < count; ++i) ++ends[bucket(items[i]) + 1];
  for (size_t b = 1; b < wanted; ++b) ends[b] += ends[b - 1];
  for (size_t i = 0; i < count; ++i) spare[ends[bucket(items[i])]++] = items[i];
  for (size_t b = 0, begin = 0; b < wanted; begin = ends[b++])
    if (!visit_falling(spare + begin, items + begin, ends[b] - begin, visit)) return false;
  return true;
}

template <typename Item, typename Visit>
void visit_falling(std::vector<Item>& items, std::vector<Item>& spare, Visit visit) {
  spare.resize(items.size());
  visit_falling(items.data(), spare.data(), items.size(), visit);
}

}  // namespace sdx::ops
