// GatherND of elements of whole bytes.
#include "ops/index/indices.h"
#include "ops/shape/copy_row.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 65536;  // of one parallel block

// Slices of one element are moved as words.
template <typename Word>
void gather_words(const Tensor& data, const int64_t* at, int64_t count, std::byte* y) {
  const Word* x = data.data<Word>();
  auto* to = reinterpret_cast<Word*>(y);
  for (int64_t i = 0; i < count; ++i) to[i] = x[at[i]];
}

Status run_gather_nd(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  Tensor& y = ctx.output(0);
  const auto batch = static_cast<size_t>(ctx.attr_int("batch_dims", 0));
  const int64_t width = indices.shape().back();
  const std::span<const int64_t> shape = data.shape();
  const auto inner_from = batch + static_cast<size_t>(width);
  const int64_t batches = count_range(shape, 0, batch), batch_size = count_range(shape, batch, inner_from);
  const int64_t bytes = count_range(shape, inner_from, shape.size()) * bit_width(data.dtype()) / 8;
  SDX_ASSIGN(std::vector<int64_t> slices, checked_tuples(indices, width, shape.subspan(batch)));
  if (y.count() == 0) return {};
  const auto count = static_cast<int64_t>(slices.size()), per_batch = count / batches;
  for (int64_t b = 1; b < batches; ++b)
    for (int64_t i = b * per_batch; i < (b + 1) * per_batch; ++i) slices[static_cast<size_t>(i)] += b * batch_size;
  return parallel_ranges(ctx, count, std::max<int64_t>(1, kBlockBytes / bytes), [&](int64_t begin, int64_t end) {
    const int64_t* at = slices.data() + begin;
    std::byte* to = y.bytes() + begin * bytes;
    switch (bytes) {
      case 1: return gather_words<uint8_t>(data, at, end - begin, to);
      case 2: return gather_words<uint16_t>(data, at, end - begin, to);
      case 4: return gather_words<uint32_t>(data, at, end - begin, to);
      case 8: return gather_words<uint64_t>(data, at, end - begin, to);
      default: break;
    }
    for (int64_t i = begin; i < end; ++i, ++at, to += bytes)
      copy_row(to, data.bytes() + *at * bytes, static_cast<size_t>(bytes));
  });
}

}  // namespace

SDX_CPU_KERNELS(gather_nd, {.name = "gather_nd_bytes", .can_run = takes_whole_bytes, .run = run_gather_nd});

}  // namespace sdx::ops
