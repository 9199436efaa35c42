// ArrayFeatureExtractor for elements of whole bytes.
#include "base/element.h"
#include "ops/ml/array_feature_extractor.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

template <typename T>
Status extract(KernelContext& ctx, const Shape& indices) {
  const Tensor& x = ctx.input(0);
  const int64_t width = x.dim(x.rank() - 1), count = static_cast<int64_t>(indices.size());
  const T* from = static_cast<const T*>(x.raw());
  T* to = static_cast<T*>(ctx.output(0).raw());
  constexpr int64_t kGrain = 16384;
  if (count == 0) return {};
  return parallel_ranges(ctx, ctx.output(0).count() / count, std::max<int64_t>(1, kGrain / count),
                         [&](int64_t begin, int64_t end) {
                           for (int64_t row = begin; row < end; ++row)
                             for (int64_t i = 0; i < count; ++i)
                               to[row * count + i] = from[row * width + indices[static_cast<size_t>(i)]];
                         });
}

Status run_array_feature_extractor(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const Shape indices = read_ints(ctx.input(1));
  SDX_TRY(check_features(indices, x.dim(x.rank() - 1)));
  switch (bit_width(x.dtype())) {
    case 8: return extract<uint8_t>(ctx, indices);
    case 16: return extract<uint16_t>(ctx, indices);
    case 32: return extract<uint32_t>(ctx, indices);
    default: return extract<uint64_t>(ctx, indices);
  }
}

Verdict takes_plain_elements(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  if (type == DType::undefined || type == DType::string) return no("no strings");
  const int bits = bit_width(type);
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? yes() : no("only elements of 1, 2, 4 and 8 bytes");
}

}  // namespace

SDX_CPU_KERNELS(array_feature_extractor, {.name = "array_feature_extractor",
                                          .can_run = takes_plain_elements,
                                          .run = run_array_feature_extractor});

}  // namespace sdx::ops
