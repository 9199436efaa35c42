// Filters of an integer convolution as its products read them: signed bytes, eights of filters with their fours side by
// side, and the sum of each.
#pragma once

#include "kernel/kernel.h"

namespace sdx::ops {

inline constexpr std::string_view kIntegerFiltersForm = "i8_filter_eights.1";
inline constexpr int64_t kFilterEight = 8;  // filters that lie together

struct PackedIntegerFilters : KernelState {
  Tensor bytes, sums;
};
struct IntegerFilterSizes {
  int64_t group = 1, filters = 0, k = 0;  // filters of a group
  int64_t eight_bytes() const;
  int64_t group_bytes() const;
  int64_t bytes() const { return group * group_bytes(); }
};
IntegerFilterSizes integer_filter_sizes(const Attributes& attributes, std::span<const int64_t> w);

// bytes: sizes.bytes() of them; sums: one a filter.
void pack_integer_filters(const Tensor& w, const IntegerFilterSizes& sizes, uint8_t* bytes, int32_t* sums);

// Constant filters, for run_convolution to find as the kernel's state; null for others.
Result<std::unique_ptr<KernelState>> prepare_filters(const NodeFacts& facts, size_t w);
int64_t packed_filter_bytes(const NodeFacts& facts, size_t w);

// The zero points of the filters, from an input that may be absent.
Result<std::vector<int32_t>> filter_zeros(const KernelContext& ctx, size_t input, int64_t filters);

}  // namespace sdx::ops
