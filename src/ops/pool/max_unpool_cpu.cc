// MaxUnpool for elements of whole bytes. Places are taken in order, by one thread: of equal ones the last counts.
#include <cstring>

#include "ops/elementwise.h"
#include "ops/pool/unpooling.h"

namespace sdx::ops {
namespace {

template <typename T>
Status unpool(KernelContext& ctx, std::span<const int64_t> inner, int64_t inner_count) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const T* from = reinterpret_cast<const T*>(x.raw());
  T* to = reinterpret_cast<T*>(y.raw());
  const int64_t* indices = ctx.input(1).data<int64_t>();
  SDX_TRY(parallel_ranges(ctx, y.count(), 262'144, [&](int64_t begin, int64_t end) {
    std::memset(to + begin, 0, static_cast<size_t>(end - begin) * sizeof(T));
  }));
  const bool is_whole = std::equal(inner.begin(), inner.end(), y.shape().begin(), y.shape().end());
  const Shape strides = row_major_strides(y.shape());
  for (int64_t i = 0; i < x.count(); ++i) {
    int64_t index = indices[i];
    if (index < 0 || index >= inner_count)
      return invalid_argument("I[{}] is {}, outside [0, {})", i, index, inner_count);
    if (is_whole) {
      to[index] = from[i];
      continue;
    }
    int64_t at = 0;
    for (size_t axis = inner.size(); axis-- > 0;) {
      at += index % inner[axis] * strides[axis];
      index /= inner[axis];
    }
    to[at] = from[i];
  }
  return {};
}

Status run_max_unpool(KernelContext& ctx) {
  SDX_ASSIGN(const UnpoolSizes sizes, unpool_sizes(ctx));
  switch (bit_width(ctx.input(0).dtype())) {
    case 16: return unpool<uint16_t>(ctx, sizes.inner, sizes.count);
    case 32: return unpool<uint32_t>(ctx, sizes.inner, sizes.count);
    default: return unpool<uint64_t>(ctx, sizes.inner, sizes.count);
  }
}

}  // namespace

SDX_CPU_KERNELS(max_unpool, {.name = "max_unpool",
                             .can_run =
                                 [](const NodeFacts& facts) {
                                   const int bits = bit_width(facts.dtype(0));
                                   return bits == 16 || bits == 32 || bits == 64 ? yes() : no("only 2, 4 and 8 bytes");
                                 },
                             .run = run_max_unpool});

}  // namespace sdx::ops
