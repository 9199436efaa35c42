// Compress of elements of whole bytes.
#include <cstring>

#include "ops/index/set_positions.h"
#include "ops/shape/copy_row.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

template <typename Word>
void gather_words(const std::byte* x, const uint32_t* kept, int64_t count, std::byte* y) {
  const auto* from = reinterpret_cast<const Word*>(x);
  auto* to = reinterpret_cast<Word*>(y);
  for (int64_t i = 0; i < count; ++i) to[i] = from[kept[i]];
}

void gather_slices(const std::byte* x, int64_t bytes, const uint32_t* kept, int64_t count, std::byte* y) {
  switch (bytes) {
    case 1: return gather_words<uint8_t>(x, kept, count, y);
    case 2: return gather_words<uint16_t>(x, kept, count, y);
    case 4: return gather_words<uint32_t>(x, kept, count, y);
    case 8: return gather_words<uint64_t>(x, kept, count, y);
    default: break;
  }
  for (int64_t i = 0; i < count; ++i)
    copy_row(y + i * bytes, x + static_cast<int64_t>(kept[i]) * bytes, static_cast<size_t>(bytes));
}

Status run_compress(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &condition = ctx.input(1);
  const bool flat = !ctx.attributes().has("axis");
  const auto axis = flat ? 0 : static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), x.rank()));
  Shape shape = flat ? Shape{x.count()} : x.shape();
  const int64_t size = shape[axis];
  if (condition.count() > size)
    return invalid_argument("the condition has {} elements, the axis {}", condition.count(), size);
  if (size > int64_t{0xffffffff}) return not_implemented("an axis of {} elements", size);
  std::vector<uint32_t> kept(static_cast<size_t>(condition.count()) + 1);
  const int64_t count = set_positions(condition.data<uint8_t>(), condition.count(), uint8_t{0xff}, kept.data());
  shape[axis] = count;
  SDX_ASSIGN(Tensor* const y, ctx.allocate_output(0, shape));
  if (y->count() == 0) return {};
  const int64_t outer = count_range(shape, 0, axis);
  const int64_t bytes = count_range(shape, axis + 1, shape.size()) * bit_width(x.dtype()) / 8;
  constexpr int64_t kBlockBytes = 65536;
  const int64_t piece = std::min(count, std::max<int64_t>(1, kBlockBytes / bytes));
  const int64_t pieces = (count + piece - 1) / piece;
  const int64_t together = std::max<int64_t>(1, kBlockBytes / (piece * bytes));
  return parallel_ranges(ctx, outer * pieces, together, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const int64_t row = block / pieces, first = block % pieces * piece;
      gather_slices(x.bytes() + row * size * bytes, bytes, kept.data() + first, std::min(piece, count - first),
                    y->bytes() + (row * count + first) * bytes);
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(compress, {.name = "compress_bytes", .can_run = takes_whole_bytes, .run = run_compress});

}  // namespace sdx::ops
