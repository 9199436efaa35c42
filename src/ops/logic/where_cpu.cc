// Where for elements of 1, 2, 4 and 8 bytes.
#include "ops/elementwise.h"

namespace sdx::ops {
namespace {

template <typename T>
void select(const uint8_t* condition, const T* x, const T* y, T* out, size_t count, int c_step, int x_step,
            int y_step) {
  if (c_step == 0) {
    const T* chosen = *condition != 0 ? x : y;
    const int step = *condition != 0 ? x_step : y_step;
    if (step == 1) {
      std::memcpy(out, chosen, count * sizeof(T));
    } else {
      std::fill_n(out, count, *chosen);
    }
  } else if (x_step == 1 && y_step == 1) {
    for (size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? x[i] : y[i];
  } else if (x_step == 1) {
    for (size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? x[i] : *y;
  } else if (y_step == 1) {
    for (size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? *x : y[i];
  } else {
    for (size_t i = 0; i < count; ++i) out[i] = condition[i] != 0 ? *x : *y;
  }
}

template <typename T>
Status run_where_of(KernelContext& ctx) {
  Tensor& out = ctx.output(0);
  if (out.count() == 0) return {};
  const Tensor &condition = ctx.input(0), &x = ctx.input(1), &y = ctx.input(2);
  const BroadcastRowsOf<3> rows(out.shape(), condition.shape(), x.shape(), y.shape());
  if (rows.row_size() < kShortRow && rows.rows() > 1) {
    return parallel_short_rows(ctx, rows, [&](int64_t row, int64_t count) {
      uint8_t chosen[kTileRoom];
      alignas(64) T x_tile[kTileRoom], y_tile[kTileRoom];
      rows.expand(0, condition.data<uint8_t>(), row, count, chosen);
      rows.expand(1, x.data<T>(), row, count, x_tile);
      rows.expand(2, y.data<T>(), row, count, y_tile);
      const int64_t size = rows.row_size();
      select(chosen, x_tile, y_tile, out.data<T>() + row * size, static_cast<size_t>(count * size), 1, 1, 1);
    });
  }
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t out_at, size_t count) {
    select(condition.data<uint8_t>() + at[0], x.data<T>() + at[1], y.data<T>() + at[2], out.data<T>() + out_at, count,
           rows.step(0), rows.step(1), rows.step(2));
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
