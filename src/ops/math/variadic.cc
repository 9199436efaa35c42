#include "ops/math/variadic.h"

#include "ops/copy_bytes.h"
#include "ops/half.h"

namespace sdx::ops {

Result<Facts> infer_variadic(InferContext& ctx) {
  if (ctx.input_count() == 0) return ctx.fail("there is no input, at least one is wanted");
  for (size_t i = 1; i < ctx.input_count(); ++i)
    if (ctx.dtype(i) != ctx.dtype(0) && ctx.dtype(i) != DType::undefined && ctx.dtype(0) != DType::undefined)
      return ctx.fail("input {} has type {}, input 0 has {}", i, name(ctx.dtype(i)), name(ctx.dtype(0)));
  return infer_broadcast(ctx);
}

Status reference_variadic(KernelContext& ctx, const BinaryFunctions& fold) {
  Tensor& y = ctx.output(0);
  const DType type = y.dtype();
  std::vector<BroadcastWalker::Dims> shapes;
  for (size_t i = 0; i < ctx.input_count(); ++i) shapes.push_back(ctx.input(i).shape());
  BroadcastWalker walk(y.shape(), shapes);
  for (int64_t k = 0; k < y.count(); ++k, walk.next()) {
    if (is_floating(type)) {
      double value = load_double(ctx.input(0), walk.operand(0));
      for (size_t i = 1; i < shapes.size(); ++i) value = fold.f(value, load_double(ctx.input(i), walk.operand(i)));
      store_double(y, k, value);
      continue;
    }
    int64_t value = load_i64(ctx.input(0), walk.operand(0));
    for (size_t i = 1; i < shapes.size(); ++i) {
      const int64_t next = load_i64(ctx.input(i), walk.operand(i));
      value = is_unsigned_integer(type)
                  ? static_cast<int64_t>(fold.h(static_cast<uint64_t>(value), static_cast<uint64_t>(next)))
                  : fold.g(value, next);
    }
    store_i64(y, k, value);
  }
  return {};
}

namespace {

// An operand's elements in the order of the result, a tile at a time.
template <typename T>
class TileReader {
 public:
  TileReader(const Tensor& x, std::span<const int64_t> shape)
      : data_(static_cast<const T*>(x.raw())), rows_(shape, shape, x.shape()) {}

  // `count` elements from `begin` on: where they lie, or written to `room`.
  const T* read(int64_t begin, int64_t count, T* room) const {
    if (rows_.is_whole(1)) return data_ + begin;
    const int64_t size = rows_.row_size();
    for (int64_t done = 0; done < count;) {
      const int64_t row = (begin + done) / size, from = (begin + done) % size;
      const int64_t n = std::min(size - from, count - done);
      const T* first = data_ + rows_.offsets(row)[1];
      if (rows_.step(1) == 0) {
        std::fill_n(room + done, n, *first);
      } else {
        std::copy_n(first + from, n, room + done);
      }
      done += n;
    }
    return room;
  }

 private:
  const T* data_;
  BroadcastRows rows_;
};

// Calls work(readers, first element, count) for tiles of the result.
template <typename T, typename Work>
Status for_each_tile(KernelContext& ctx, Work work) {
  const Tensor& y = ctx.output(0);
  std::vector<TileReader<T>> readers;
  for (size_t i = 0; i < ctx.input_count(); ++i) readers.emplace_back(ctx.input(i), y.shape());
  return parallel_ranges(ctx, y.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; at += kTileElements) work(readers, at, std::min(kTileElements, end - at));
  });
}

template <typename Bits>
Status fold_bits(KernelContext& ctx, NativeLoop loop) {
  auto* y = static_cast<Bits*>(ctx.output(0).raw());
  return for_each_tile<Bits>(ctx, [&](const auto& readers, int64_t at, int64_t count) {
    alignas(64) Bits sum[kTileElements], first[kTileElements], next[kTileElements];
    const auto n = static_cast<size_t>(count);
    loop(readers[0].read(at, count, first), readers[1].read(at, count, next), sum, n);
    for (size_t i = 2; i < readers.size(); ++i) loop(sum, readers[i].read(at, count, next), sum, n);
    std::copy_n(sum, n, y + at);
  });
}

}  // namespace

Status run_variadic_native(KernelContext& ctx, Native op) {
  Tensor& y = ctx.output(0);
  if (ctx.input_count() == 1) return copy_bytes(ctx, ctx.input(0), y);
  if (ctx.input_count() == 2 || y.count() == 0) return run_native(ctx, op, ctx.input(0), ctx.input(1), y);
  const NativeLoop loop = native_loop(op, y.dtype());
  switch (bit_width(y.dtype())) {
    case 8: return fold_bits<uint8_t>(ctx, loop);
    case 16: return fold_bits<uint16_t>(ctx, loop);
    case 32: return fold_bits<uint32_t>(ctx, loop);
    default: return fold_bits<uint64_t>(ctx, loop);
  }
}

Status run_variadic(KernelContext& ctx, BinaryKernel<float> fold) {
  Tensor& y = ctx.output(0);
  if (ctx.input_count() == 1) return copy_bytes(ctx, ctx.input(0), y);
  if (ctx.input_count() == 2 || y.count() == 0) return run_float_binary(ctx, ctx.input(0), ctx.input(1), y, fold);
  const DType type = y.dtype();
  if (type == DType::f32) {
    return for_each_tile<float>(ctx, [&](const auto& readers, int64_t at, int64_t count) {
      alignas(64) float sum[kTileElements], first[kTileElements], next[kTileElements];
      const auto n = static_cast<size_t>(count);
      fold(readers[0].read(at, count, first), 1, readers[1].read(at, count, next), 1, sum, n);
      for (size_t i = 2; i < readers.size(); ++i) fold(sum, 1, readers[i].read(at, count, next), 1, sum, n);
      std::copy_n(sum, n, y.data<float>() + at);
    });
  }
  return for_each_tile<uint16_t>(ctx, [&](const auto& readers, int64_t at, int64_t count) {
    alignas(64) uint16_t codes[kTileElements];
    alignas(64) float sum[kTileElements], next[kTileElements];
    const auto n = static_cast<size_t>(count);
    half_to_f32(type, readers[0].read(at, count, codes), sum, n);
    for (size_t i = 1; i < readers.size(); ++i) {
      half_to_f32(type, readers[i].read(at, count, codes), next, n);
      fold(sum, 1, next, 1, sum, n);
    }
    f32_to_half(type, sum, y.data<uint16_t>() + at, n);
  });
}

template <typename T>
Status run_mean(KernelContext& ctx) {
  T* y = ctx.output(0).data<T>();
  return for_each_tile<T>(ctx, [&](const auto& readers, int64_t at, int64_t count) {
    alignas(64) T room[kTileElements];
    alignas(64) double sum[kTileElements];
    std::fill_n(sum, count, -0.0);  // the sum of none, and of -0
    const auto operands = static_cast<double>(readers.size());
    for (const auto& reader : readers) {
      const T* x = reader.read(at, count, room);
      if constexpr (std::is_same_v<T, float>) {
        add_wide(x, sum, static_cast<size_t>(count));
      } else {
        for (int64_t k = 0; k < count; ++k) sum[k] += x[k];
      }
    }
    if constexpr (std::is_same_v<T, float>) {
      divide_wide(sum, operands, y + at, static_cast<size_t>(count));
    } else {
      for (int64_t k = 0; k < count; ++k) y[at + k] = sum[k] / operands;
    }
  });
}
template Status run_mean<float>(KernelContext&);
template Status run_mean<double>(KernelContext&);

}  // namespace sdx::ops
