// Trilu of elements of whole bytes.
#include <cstring>

#include "ops/reference.h"
#include "ops/shape/copy_row.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

Status run_trilu(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const bool upper = ctx.attr_int("upper", 1) != 0;
  const int64_t rows = x.dim(x.rank() - 2), columns = x.dim(x.rank() - 1);
  const int64_t k = ctx.has_input(1) ? std::clamp(load_i64(ctx.input(1), 0), -rows - 1, columns + 1) : 0;
  const int64_t width = bit_width(x.dtype()) / 8, bytes = columns * width;
  constexpr int64_t kBlockBytes = 65536;
  return parallel_ranges(ctx, x.count() / columns, std::max<int64_t>(1, kBlockBytes / bytes),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t row = begin; row < end; ++row) {
                             const int64_t cut = std::clamp<int64_t>(row % rows + k + (upper ? 0 : 1), 0, columns);
                             const int64_t first = upper ? cut * width : 0, last = upper ? bytes : cut * width;
                             std::byte* to = y.bytes() + row * bytes;
                             copy_row(to + first, x.bytes() + row * bytes + first, static_cast<size_t>(last - first));
                             std::memset(to, 0, static_cast<size_t>(first));
                             std::memset(to + last, 0, static_cast<size_t>(bytes - last));
                           }
                         });
}

}  // namespace

SDX_CPU_KERNELS(trilu, {.name = "trilu_bytes", .can_run = takes_whole_bytes, .run = run_trilu});

}  // namespace sdx::ops
