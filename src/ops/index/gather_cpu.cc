// Gather of elements of whole bytes.
#include <cstring>

#include "ops/index/indices.h"
#include "ops/shape/strided.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlockBytes = 65536;

template <typename Index>
Status check(const Tensor& indices, int64_t size) {
  int64_t lowest = 0, highest = -1;
  for (const Index index : indices.values<Index>()) {
    lowest = std::min<int64_t>(lowest, index);
    highest = std::max<int64_t>(highest, index);
  }
  if (indices.count() == 0 || (lowest >= -size && highest < size)) return {};
  return invalid_argument("index {} is outside [-{}, {})", lowest < -size ? lowest : highest, size, size);
}

// Rows of `bytes` bytes; the common small ones without a call.
void copy_bytes(std::byte* to, const std::byte* from, int64_t bytes) {
  switch (bytes) {
    case 1: *to = *from; return;
    case 4: std::memcpy(to, from, 4); return;
    case 8: std::memcpy(to, from, 8); return;
    default: std::memcpy(to, from, static_cast<size_t>(bytes));
  }
}

template <typename Index>
Status gather(KernelContext& ctx) {
  const Tensor &data = ctx.input(0), &indices = ctx.input(1);
  Tensor& y = ctx.output(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), data.rank()));
  const int64_t size = data.shape()[axis];
  SDX_TRY(check<Index>(indices, size));
  const int64_t outer = count_range(data.shape(), 0, axis);
  const int64_t row = count_range(data.shape(), axis + 1, data.shape().size()) * bit_width(data.dtype()) / 8;
  const int64_t picks = indices.count();
  if (y.count() == 0) return {};
  const Index* index = indices.data<Index>();
  return parallel_ranges(ctx, outer * picks, std::max<int64_t>(1, kBlockBytes / row), [&](int64_t begin, int64_t end) {
    int64_t base = begin / picks * size, pick = begin % picks;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = index[pick] < 0 ? index[pick] + size : index[pick];
      copy_bytes(y.bytes() + i * row, data.bytes() + (base + at) * row, row);
      if (++pick == picks) {
        pick = 0;
        base += size;
      }
    }
  });
}

Status run_gather(KernelContext& ctx) {
  return ctx.input(1).dtype() == DType::i32 ? gather<int32_t>(ctx) : gather<int64_t>(ctx);
}

// Of a table of rows: as many rows as there are indices. The system maps a file's pages by sixteen.
Dim rows_read(const ScratchFacts& facts) {
  constexpr int64_t kMappedAtOnce = 16 * 4096;
  SymbolTable& symbols = facts.symbols;
  const Fact& table = facts.node.input(0);
  Dim all(bit_width(table.dtype) / 8), rows(1);
  for (const Dim& dim : *table.shape) all = symbols.mul(all, dim);
  if (facts.node.attr_int("axis", 0) != 0 || table.rank() == 0 || !facts.node.has_rank(1)) return all;
  for (const Dim& dim : *facts.node.input(1).shape) rows = symbols.mul(rows, dim);
  const Dim row = symbols.floor_div(all, symbols.max(table.dim(0), Dim(1)));
  const Dim pieces = symbols.add(symbols.floor_div(row, Dim(kMappedAtOnce)), Dim(1));
  return symbols.min(all, symbols.mul(rows, symbols.mul(pieces, Dim(kMappedAtOnce))));
}

}  // namespace

SDX_CPU_KERNELS(gather,
                {.name = "gather_bytes", .can_run = takes_whole_bytes, .run = run_gather, .read_bytes = rows_read});

}  // namespace sdx::ops
