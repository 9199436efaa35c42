// GatherElements of elements of 1, 2, 4 and 8 bytes.
#include "ops/index/axis_planes.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

template <typename T, typename Index>
Status gather(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  const AxisPlanes planes(data, indices, axis);
  const T* x = data.data<T>();
  T* y = ctx.output(0).data<T>();
  const Index* index = indices.data<Index>();
  if (!planes.regular) {
    SDX_ASSIGN(const std::vector<int64_t> values, checked_indices(indices, planes.size));
    for_each_element_on_axis(data.shape(), indices.shape(), axis, values,
                             [&](int64_t from, int64_t i) { y[i] = x[from]; });
    return {};
  }
  std::atomic<bool> bad = false;
  SDX_TRY(parallel_columns(ctx, planes, [&](int64_t o, int64_t first, int64_t last) {
    bool outside = false;
    for (int64_t k = 0; k < planes.picks; ++k) {
      const int64_t row = (o * planes.picks + k) * planes.inner;
      for (int64_t j = first; j < last; ++j) {
        const int64_t given = index[row + j], at = given < 0 ? given + planes.size : given;
        const bool inside = static_cast<uint64_t>(at) < static_cast<uint64_t>(planes.size);
        outside = outside || !inside;
        y[row + j] = inside ? x[(o * planes.size + at) * planes.inner + j] : T{};
      }
    }
    if (outside) bad = true;
  }));
  return bad ? index_error(indices, planes.size) : Status();
}

template <typename T>
Status gather_typed(KernelContext& ctx) {
  return ctx.input(1).dtype() == DType::i32 ? gather<T, int32_t>(ctx) : gather<T, int64_t>(ctx);
}

Verdict takes_small_elements(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(0));
  return bits >= 8 && bits <= 64 && (bits & (bits - 1)) == 0 ? yes() : no("only elements of 1, 2, 4 or 8 bytes");
}

Status run_gather_elements(KernelContext& ctx) {
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return gather_typed<uint8_t>(ctx);
    case 16: return gather_typed<uint16_t>(ctx);
    case 32: return gather_typed<uint32_t>(ctx);
    default: return gather_typed<uint64_t>(ctx);
  }
}

}  // namespace

SDX_CPU_KERNELS(gather_elements,
                {.name = "gather_elements_bytes", .can_run = takes_small_elements, .run = run_gather_elements});

}  // namespace sdx::ops
