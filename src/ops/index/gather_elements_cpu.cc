// GatherElements of elements of 1, 2, 4 and 8 bytes.
#include "ops/index/axis_planes.h"
#include "ops/index/element_rows.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

template <typename T, typename Index>
Status gather(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  if (indices.count() == 0) return {};
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  const ElementRows rows(data.shape(), indices.shape(), axis);
  const T* x = data.data<T>();
  T* y = ctx.output(0).data<T>();
  const Index* index = indices.data<Index>();
  constexpr int64_t kElements = 16384;  // of one parallel block
  std::atomic<bool> bad = false;
  SDX_TRY(parallel_ranges(ctx, rows.rows, std::max<int64_t>(1, kElements / rows.length), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      T* to = y + row * rows.length;
      const auto each = [&](int64_t from, int64_t j) { to[j] = x[from]; };
      if (!visit_row(rows, rows.base(row), index + row * rows.length, each)) bad = true;
    }
  }));
  return bad ? index_error(indices, rows.axis_size) : Status();
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
