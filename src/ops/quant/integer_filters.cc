#include "ops/quant/integer_filters.h"

#include <cstring>

#include "base/stop_point.h"
#include "ops/quant/integer_gemm.h"

namespace sdx::ops {

int64_t IntegerFilterSizes::eight_bytes() const { return padded_bytes(k) * kFilterEight; }
int64_t IntegerFilterSizes::group_bytes() const { return whole(filters, kFilterEight) * padded_bytes(k); }

IntegerFilterSizes integer_filter_sizes(const Attributes& attributes, std::span<const int64_t> w) {
  const int64_t group = std::max<int64_t>(1, attributes.get_int("group", 1));
  return {.group = group, .filters = w[0] / group, .k = count_range(w, 1, w.size())};
}

void pack_integer_filters(const Tensor& w, const IntegerFilterSizes& sizes, uint8_t* bytes, int32_t* sums) {
  const uint8_t turned = w.dtype() == DType::i8 ? 0 : kTurned;
  const auto* from = w.data<uint8_t>();
  std::memset(bytes, 0, static_cast<size_t>(sizes.bytes()));
  for (int64_t f = 0; f < sizes.group * sizes.filters; ++f) {
    stop_point(sizes.k);
    const int64_t own = f % sizes.filters;
    uint8_t* to = bytes + f / sizes.filters * sizes.group_bytes() + own / kFilterEight * sizes.eight_bytes() +
                  own % kFilterEight * kDepthStep;
    const uint8_t* filter = from + f * sizes.k;
    int32_t sum = 0;
    for (int64_t k = 0; k < sizes.k; ++k) sum += static_cast<int8_t>(filter[k] ^ turned);
    const int64_t whole = sizes.k / kDepthStep * kDepthStep;
    for (int64_t k = 0; k < whole; k += kDepthStep, to += kDepthStep * kFilterEight) {
      uint32_t four;
      static_assert(sizeof(four) == kDepthStep);
      std::memcpy(&four, filter + k, sizeof(four));
      four ^= 0x01010101u * turned;
      std::memcpy(to, &four, sizeof(four));
    }
    for (int64_t k = whole; k < sizes.k; ++k) to[k - whole] = filter[k] ^ turned;
    sums[f] = sum;
  }
}

int64_t packed_filter_bytes(const NodeFacts& facts, size_t w) {
  const Tensor* filters = facts.constant(w);
  if (filters == nullptr || filters->rank() < 3) return 0;
  const IntegerFilterSizes sizes = integer_filter_sizes(facts.attributes(), filters->shape());
  const auto bytes = checked_mul(sizes.group * whole(sizes.filters, kFilterEight), padded_bytes(sizes.k));
  return bytes.value_or(0) + sizes.group * sizes.filters * static_cast<int64_t>(sizeof(int32_t));
}

Result<std::unique_ptr<KernelState>> prepare_filters(const NodeFacts& facts, size_t w) {
  const Tensor* filters = facts.constant(w);
  if (filters == nullptr || filters->rank() < 3) return std::unique_ptr<KernelState>();
  const IntegerFilterSizes sizes = integer_filter_sizes(facts.attributes(), filters->shape());
  auto state = std::make_unique<PackedIntegerFilters>();
  SDX_ASSIGN(state->bytes, Tensor::allocate(DType::i8, Shape{sizes.bytes()}));
  SDX_ASSIGN(state->sums, Tensor::allocate(DType::i32, Shape{sizes.group * sizes.filters}));
  pack_integer_filters(*filters, sizes, state->bytes.data<uint8_t>(), state->sums.data<int32_t>());
  return std::unique_ptr<KernelState>(std::move(state));
}

Result<std::vector<int32_t>> filter_zeros(const KernelContext& ctx, size_t input, int64_t filters) {
  std::vector<int32_t> zeros(static_cast<size_t>(filters), 0);
  if (!ctx.has_input(input)) return zeros;
  const Tensor& given = ctx.input(input);
  if (given.count() != 1 && given.count() != filters)
    return invalid_argument("the zero point of w has {} values, 1 or {} are wanted", given.count(), filters);
  const auto* bytes = given.data<uint8_t>();
  const bool is_signed = given.dtype() == DType::i8;
  for (int64_t i = 0; i < filters; ++i) {
    const uint8_t byte = bytes[given.count() == 1 ? 0 : i];
    zeros[static_cast<size_t>(i)] = is_signed ? static_cast<int8_t>(byte) : byte;
  }
  return zeros;
}

}  // namespace sdx::ops
