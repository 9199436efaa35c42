// GatherElements of elements of 1, 2, 4 and 8 bytes.
#include "ops/index/axis_planes.h"
#include "ops/index/element_rows.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kPiece = 1024;
constexpr int64_t kElements = 16384;  // of one parallel block

// Elements of a row that begins at `base`; false where an index is outside.
template <typename T, typename Index>
bool gather_piece(const ElementRows& rows, const T* x, int64_t base, const Index* index, int64_t count, T* y) {
  const int64_t stride = rows.axis_stride, step = rows.step;
  if (all_plain(index, count, rows.axis_size)) {
    x += base;
    if (stride == 1 && step == 0) {
      for (int64_t j = 0; j < count; ++j) y[j] = x[index[j]];
    } else {
      for (int64_t j = 0; j < count; ++j) y[j] = x[int64_t{index[j]} * stride + j * step];
    }
    return true;
  }
  int64_t places[kPiece];
  if (!find_places(rows, base, index, count, places)) return false;
  for (int64_t j = 0; j < count; ++j) y[j] = x[places[j]];
  return true;
}

template <typename T, typename Index>
Status gather(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  if (indices.count() == 0) return {};
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  const ElementRows rows(data.shape(), indices.shape(), axis);
  const Index* index = indices.data<Index>();
  T* y = ctx.output(0).data<T>();
  std::atomic<bool> bad = false;
  const int64_t grain = std::max<int64_t>(1, kElements / rows.length);
  SDX_TRY(parallel_ranges(ctx, rows.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t base = rows.base(row);
      for (int64_t first = 0; first < rows.length; first += kPiece) {
        const int64_t count = std::min(kPiece, rows.length - first), at = row * rows.length + first;
        if (!gather_piece(rows, data.data<T>(), base + first * rows.step, index + at, count, y + at)) bad = true;
      }
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
