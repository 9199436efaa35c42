// TopK for float32. Value and index become one 64-bit key whose order is the order of the result.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/stop_point.h"
#include "ops/elementwise.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

constexpr int64_t kLongRow = int64_t{1} << 16;

// Larger keys come first: larger (smaller) values, NaN as the largest, then lower indices.
uint64_t key_of(float value, int64_t index, bool largest) {
  value = std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value + 0.0F;  // one NaN, one zero
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  bits &= std::isnan(value) ? 0x7fffffffU : ~0U;
  bits = (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
  if (!largest) bits = ~bits;
  return uint64_t{bits} << 32 | (0xffffffffU - static_cast<uint32_t>(index));
}

// The order of a long row, which takes so many comparisons that a run must be able to stop among them.
bool comes_first(uint64_t a, uint64_t b) {
  stop_point();
  return a > b;
}

// Leaves the k largest keys of a row, in order, in `keys`.
void select(const float* x, int64_t size, int64_t step, int64_t k, bool largest, std::vector<uint64_t>& keys) {
  keys.clear();
  if (k > size / 8) {
    for (int64_t i = 0; i < size; ++i, stop_point()) keys.push_back(key_of(x[i * step], i, largest));
    const auto middle = keys.begin() + (k < size ? k : size - 1);
    if (size < kLongRow) {
      std::nth_element(keys.begin(), middle, keys.end(), std::greater<>());
      keys.resize(static_cast<size_t>(k));
      std::sort(keys.begin(), keys.end(), std::greater<>());
    } else {
      std::nth_element(keys.begin(), middle, keys.end(), comes_first);
      keys.resize(static_cast<size_t>(k));
      std::sort(keys.begin(), keys.end(), comes_first);
    }
    return;
  }
  // A heap of the best so far, the worst of them on top.
  for (int64_t i = 0; i < size; ++i, stop_point()) {
    const uint64_t key = key_of(x[i * step], i, largest);
    if (static_cast<int64_t>(keys.size()) < k) {
      keys.push_back(key);
      std::push_heap(keys.begin(), keys.end(), std::greater<>());
    } else if (key > keys.front()) {
      std::pop_heap(keys.begin(), keys.end(), std::greater<>());
      keys.back() = key;
      std::push_heap(keys.begin(), keys.end(), std::greater<>());
    }
  }
  std::sort_heap(keys.begin(), keys.end(), std::greater<>());
}

Status run_top_k(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -1), x.rank()));
  const bool largest = ctx.attr_int("largest", 1) != 0;
  const int64_t size = x.shape()[axis], k = load_i64(ctx.input(1), 0);
  const int64_t outer = count_range(x.shape(), 0, axis), inner = count_range(x.shape(), axis + 1, x.shape().size());
  if (k == 0 || outer * inner == 0) return {};
  if (size > int64_t{0xffffffff}) return not_implemented("an axis of {} elements", size);
  float* values = ctx.wants_output(0) ? ctx.output(0).data<float>() : nullptr;
  int64_t* indices = ctx.wants_output(1) ? ctx.output(1).data<int64_t>() : nullptr;
  return parallel_ranges(ctx, outer * inner, std::max<int64_t>(1, 4096 / size), [&](int64_t begin, int64_t end) {
    const StopScope stops(ctx.environment().cancel);
    std::vector<uint64_t> keys;
    keys.reserve(static_cast<size_t>(k > size / 8 ? size : k));
    for (int64_t row = begin; row < end; ++row) {
      const float* from = x.data<float>() + row / inner * size * inner + row % inner;
      select(from, size, inner, k, largest, keys);
      int64_t to = row / inner * k * inner + row % inner;
      for (const uint64_t key : keys) {
        const int64_t index = 0xffffffff - static_cast<int64_t>(key & 0xffffffffU);
        if (values != nullptr) values[to] = from[index * inner];
        if (indices != nullptr) indices[to] = index;
        to += inner;
      }
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(top_k, {.name = "top_k_f32", .can_run = takes<DType::f32>, .run = run_top_k});

}  // namespace sdx::ops
