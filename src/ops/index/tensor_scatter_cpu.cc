// TensorScatter of elements of whole bytes.
#include <cstring>

#include "ops/copy_bytes.h"
#include "ops/reference.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

Status run_tensor_scatter(KernelContext& ctx) {
  const Tensor &cache = ctx.input(0), &update = ctx.input(1);
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", -2), cache.rank()));
  const bool circular = ctx.attr_string("mode", "linear") == "circular";
  const int64_t room = cache.shape()[axis], length = update.shape()[axis];
  const int64_t batches = cache.shape()[0], middle = count_range(cache.shape(), 1, axis);
  const int64_t bytes = count_range(cache.shape(), axis + 1, cache.shape().size()) * bit_width(cache.dtype()) / 8;
  std::vector<int64_t> firsts(static_cast<size_t>(batches));
  for (int64_t batch = 0; batch < batches && update.count() > 0; ++batch) {
    const int64_t first = ctx.has_input(2) ? load_i64(ctx.input(2), batch) : 0;
    if (first < 0 || (!circular && first > room - length))
      return invalid_argument("write_indices[{}] is {}; {} elements from there leave a cache of {}", batch, first,
                              length, room);
    firsts[static_cast<size_t>(batch)] = first % room;
  }
  SDX_TRY(copy_bytes(ctx, cache, y));
  if (update.count() == 0) return {};
  constexpr int64_t kBlockBytes = 65536;
  const int64_t grain = std::max<int64_t>(1, kBlockBytes / (length * bytes));
  return parallel_ranges(ctx, batches * middle, grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const int64_t first = firsts[static_cast<size_t>(plane / middle)], before_end = std::min(length, room - first);
      std::byte* to = y.bytes() + plane * room * bytes;
      const std::byte* from = update.bytes() + plane * length * bytes;
      std::memcpy(to + first * bytes, from, static_cast<size_t>(before_end * bytes));
      std::memcpy(to, from + before_end * bytes, static_cast<size_t>((length - before_end) * bytes));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(tensor_scatter,
                {.name = "tensor_scatter_bytes", .can_run = takes_whole_bytes, .run = run_tensor_scatter});

}  // namespace sdx::ops
