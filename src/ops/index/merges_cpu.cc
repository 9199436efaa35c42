#include "ops/index/merges.h"

#include <cstring>

#include "ops/index/merge_row.h"
#include "ops/shape/copy_row.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

struct Sixteen {
  uint64_t low, high;
};

template <typename T, Reduction kReduction>
void merge_places(void* y, const void* updates, const int64_t* places, int64_t count) {
  auto* to = static_cast<T*>(y);
  const auto* from = static_cast<const T*>(updates);
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (kReduction == Reduction::none) {
      to[places[i]] = from[i];
    } else {
      to[places[i]] = reduced<T>(kReduction, to[places[i]], from[i]);
    }
  }
}

template <typename T, Reduction kReduction>
void merge_row(void* y, const void* updates, int64_t count) {
  if constexpr (kReduction == Reduction::none) {
    copy_row(static_cast<std::byte*>(y), static_cast<const std::byte*>(updates),
             static_cast<size_t>(count) * sizeof(T));
  } else if constexpr (std::is_same_v<T, float>) {
    merge_row_f32(kReduction)(static_cast<float*>(y), static_cast<const float*>(updates), static_cast<size_t>(count));
  } else {
    auto* to = static_cast<T*>(y);
    const auto* from = static_cast<const T*>(updates);
    for (int64_t i = 0; i < count; ++i) to[i] = reduced<T>(kReduction, to[i], from[i]);
  }
}

template <typename T, Reduction kReduction>
constexpr Merges kMerges = {merge_places<T, kReduction>, merge_row<T, kReduction>, sizeof(T)};

// Sums and products wrap in `Wrapping`.
template <typename T, typename Wrapping = T>
Merges numbers(Reduction reduction) {
  switch (reduction) {
    case Reduction::add: return kMerges<Wrapping, Reduction::add>;
    case Reduction::mul: return kMerges<Wrapping, Reduction::mul>;
    case Reduction::max: return kMerges<T, Reduction::max>;
    default: return kMerges<T, Reduction::min>;
  }
}

}  // namespace

Verdict takes_merges(const NodeFacts& facts) {
  if (facts.attr_string("reduction", "none") == "none") return takes_whole_bytes(facts);
  constexpr DTypeSet kTypes = set_of(DType::f32, DType::f64, DType::i32, DType::i64);
  return contains(kTypes, facts.dtype(0)) ? yes() : no("only reductions of f32, f64, i32 and i64");
}

Result<Merges> merges_of(const KernelContext& ctx) {
  SDX_ASSIGN(const Reduction reduction, reduction_of(ctx.attributes()));
  const DType type = ctx.input(0).dtype();
  if (reduction == Reduction::none) {
    switch (bit_width(type)) {
      case 8: return kMerges<uint8_t, Reduction::none>;
      case 16: return kMerges<uint16_t, Reduction::none>;
      case 32: return kMerges<uint32_t, Reduction::none>;
      case 64: return kMerges<uint64_t, Reduction::none>;
      default: return kMerges<Sixteen, Reduction::none>;
    }
  }
  switch (type) {
    case DType::f32: return numbers<float>(reduction);
    case DType::f64: return numbers<double>(reduction);
    case DType::i32: return numbers<int32_t, uint32_t>(reduction);
    default: return numbers<int64_t, uint64_t>(reduction);
  }
}

}  // namespace sdx::ops
