// What the contract and the kernel of Unique share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// The axis whose slices are compared; the flat tensor where there is none.
struct UniqueAxis {
  explicit UniqueAxis(const KernelContext& ctx);
  Shape shape;
  size_t axis = 0;
  int64_t size = 0, outer = 0, inner = 0;
};

// Equal slices in rising order.
struct UniqueGroups {
  std::vector<int64_t> first, count, group;  // the first appearance and the number of each; of each slice: its group
  explicit UniqueGroups(int64_t slices) : group(static_cast<size_t>(slices)) {}
  void begin(int64_t slice) {
    first.push_back(slice);
    count.push_back(0);
  }
  void add(int64_t slice) {
    ++count.back();
    group[static_cast<size_t>(slice)] = static_cast<int64_t>(first.size()) - 1;
  }
  void order_by_appearance();
};

// Writes all outputs.
Status write_unique(KernelContext& ctx, const UniqueAxis& along, UniqueGroups groups);

}  // namespace sdx::ops
