// Where for elements of 1, 2, 4 and 8 bytes: operands that are one value are written out.
#include "ops/native_loops.h"

namespace sdx::ops {
namespace {

template <typename T>
Status run_where_of(KernelContext& ctx) {
  Tensor& out = ctx.output(0);
  if (out.count() == 0) return {};
  const Tensor &condition = ctx.input(0), &x = ctx.input(1), &y = ctx.input(2);
  const BroadcastRowsOf<3> rows(out.shape(), condition.shape(), x.shape(), y.shape());
  const auto* chosen = static_cast<const uint8_t*>(condition.raw());
  const auto *from_x = static_cast<const T*>(x.raw()), *from_y = static_cast<const T*>(y.raw());
  auto* to = static_cast<T*>(out.raw());
  const NativeSelect select = native_select(sizeof(T));
  if (rows.row_size() < kShortRow && rows.rows() > 1) {
    return parallel_short_rows(ctx, rows, [&](int64_t row, int64_t count) {
      uint8_t c_tile[kTileRoom];
      alignas(64) T x_tile[kTileRoom], y_tile[kTileRoom];
      const int64_t at = row * rows.row_size();
      if (!rows.is_whole(0)) rows.expand(0, chosen, row, count, c_tile);
      if (!rows.is_whole(1)) rows.expand(1, from_x, row, count, x_tile);
      if (!rows.is_whole(2)) rows.expand(2, from_y, row, count, y_tile);
      select(rows.is_whole(0) ? chosen + at : c_tile, rows.is_whole(1) ? from_x + at : x_tile,
             rows.is_whole(2) ? from_y + at : y_tile, to + at, static_cast<size_t>(count * rows.row_size()));
    });
  }
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t out_at, size_t size) {
    const T *some_x = from_x + at[1], *some_y = from_y + at[2];
    if (rows.step(0) == 0) {
      const T* some = chosen[at[0]] != 0 ? some_x : some_y;
      const bool whole = rows.step(chosen[at[0]] != 0 ? 1 : 2) == 1;
      if (whole) {
        std::copy_n(some, size, to + out_at);
      } else {
        std::fill_n(to + out_at, size, *some);
      }
      return;
    }
    alignas(64) T x_tile[kTileElements], y_tile[kTileElements];
    const auto tile = std::min(static_cast<size_t>(kTileElements), size);
    if (rows.step(1) == 0) std::fill_n(x_tile, tile, *some_x);
    if (rows.step(2) == 0) std::fill_n(y_tile, tile, *some_y);
    for (size_t from = 0; from < size; from += tile) {
      select(chosen + at[0] + from, rows.step(1) == 0 ? x_tile : some_x + from,
             rows.step(2) == 0 ? y_tile : some_y + from, to + out_at + static_cast<int64_t>(from),
             std::min(tile, size - from));
    }
  });
}

Status run_where(KernelContext& ctx) {
  switch (bit_width(ctx.input(1).dtype())) {
    case 8: return run_where_of<uint8_t>(ctx);
    case 16: return run_where_of<uint16_t>(ctx);
    case 32: return run_where_of<uint32_t>(ctx);
    default: return run_where_of<uint64_t>(ctx);
  }
}

Verdict takes_whole_bytes(const NodeFacts& facts) {
  const int bits = bit_width(facts.dtype(1));
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no(formatted("not {}", name(facts.dtype(1))));
}

}  // namespace

SDX_CPU_KERNELS(where, {.name = "where", .can_run = takes_whole_bytes, .run = run_where});

}  // namespace sdx::ops
