// GatherElements of elements of 1, 2, 4 and 8 bytes.
#include "ops/index/axis_planes.h"
#include "ops/index/element_rows.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kPiece = 1024;
constexpr int64_t kElements = 16384;  // of one parallel block

template <typename T>
void copy_places(const std::byte* x, const int64_t* places, int64_t count, std::byte* y) {
  const auto* from = reinterpret_cast<const T*>(x);
  auto* to = reinterpret_cast<T*>(y);
  for (int64_t i = 0; i < count; ++i) to[i] = from[places[i]];
}

template <typename Index>
Status gather(KernelContext& ctx, void (*copy)(const std::byte*, const int64_t*, int64_t, std::byte*)) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  if (indices.count() == 0) return {};
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  const ElementRows rows(data.shape(), indices.shape(), axis);
  const Index* index = indices.data<Index>();
  const int64_t width = bit_width(data.dtype()) / 8;
  std::byte* y = ctx.output(0).bytes();
  std::atomic<bool> bad = false;
  const int64_t grain = std::max<int64_t>(1, kElements / rows.length);
  SDX_TRY(parallel_ranges(ctx, rows.rows, grain, [&](int64_t begin, int64_t end) {
    int64_t places[kPiece];
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t first = 0; first < rows.length; first += kPiece) {
        const int64_t count = std::min(kPiece, rows.length - first), at = row * rows.length + first;
        if (!find_places(rows, rows.base(row) + first * rows.step, index + at, count, places)) {
          bad = true;
        } else {
          copy(data.bytes(), places, count, y + at * width);
        }
      }
    }
  }));
  return bad ? index_error(indices, rows.axis_size) : Status();
}

template <typename T>
Status gather_typed(KernelContext& ctx) {
  return ctx.input(1).dtype() == DType::i32 ? gather<int32_t>(ctx, copy_places<T>) : gather<int64_t>(ctx, copy_places<T>);
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
