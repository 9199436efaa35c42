#include "ops/elementwise.h"

#include "ops/half.h"

namespace sdx::ops {
namespace {

constexpr int64_t kBlock = 2048;  // elements converted at once: three blocks fit into L1

// Calls map(x, y, count) over the tensors, 16-bit floats through a block of float32 on the stack.
template <typename Map>
Status map_floats(KernelContext& ctx, Map map) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (x.dtype() == DType::f32) {
    return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
      map(x.data<float>() + begin, y.data<float>() + begin, static_cast<size_t>(end - begin));
    });
  }
  return parallel_ranges(ctx, x.count(), kElementwiseGrain, [&](int64_t begin, int64_t end) {
    alignas(64) float block[kBlock];
    for (int64_t at = begin; at < end; at += kBlock) {
      const auto count = static_cast<size_t>(std::min(kBlock, end - at));
      half_to_f32(x.dtype(), x.data<uint16_t>() + at, block, count);
      map(block, block, count);
      f32_to_half(x.dtype(), block, y.data<uint16_t>() + at, count);
    }
  });
}

}  // namespace

Status run_unary_f32(KernelContext& ctx, UnaryF32 kernel) { return map_floats(ctx, kernel); }

Status run_unary(KernelContext& ctx, UnaryF32 kernel) { return map_floats(ctx, kernel); }

Status run_unary(KernelContext& ctx, UnaryF32With kernel, Parameters parameters) {
  return map_floats(ctx, [&](const float* x, float* y, size_t count) { kernel(x, y, count, parameters); });
}

Status run_float_binary(KernelContext& ctx, const Tensor& a, const Tensor& b, Tensor& y, BinaryKernel<float> kernel) {
  const DType type = y.dtype();
  if (type == DType::f32) return run_binary_on<float, float>(ctx, a, b, y, kernel);
  if (y.count() == 0) return {};
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  const uint16_t *a_data = a.data<uint16_t>(), *b_data = b.data<uint16_t>();
  uint16_t* y_data = y.data<uint16_t>();
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t size) {
    alignas(64) float a_block[kBlock], b_block[kBlock], y_block[kBlock];
    const auto load = [&](const uint16_t* data, int64_t first, int step, float* block, size_t from, size_t count) {
      half_to_f32(type, data + first + step * static_cast<int64_t>(from), block, step == 0 ? 1 : count);
    };
    for (size_t from = 0; from < size; from += kBlock) {
      const size_t count = std::min(static_cast<size_t>(kBlock), size - from);
      load(a_data, at[0], rows.step(0), a_block, from, count);
      load(b_data, at[1], rows.step(1), b_block, from, count);
      kernel(a_block, rows.step(0), b_block, rows.step(1), y_block, count);
      f32_to_half(type, y_block, y_data + y_at + static_cast<int64_t>(from), count);
    }
  });
}

}  // namespace sdx::ops
