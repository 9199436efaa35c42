// ReduceMean: the mean over the axes. Of nothing, where the standard leaves the value open, it is 0 as in PyTorch's
// EmbeddingBag and in onnxruntime. Means of integers are cut toward zero.
#include "ops/reduce/reduction.h"

namespace sdx::ops {
namespace {

double reduce_mean_floating(std::span<const double> x) {
  if (x.empty()) return 0;
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

int64_t reduce_mean_integer(std::span<const int64_t> x, DType type) {
  if (x.empty()) return 0;
  uint64_t sum = 0;
  for (const int64_t v : x) sum += static_cast<uint64_t>(v);
  const auto count = static_cast<uint64_t>(x.size());
  if (is_unsigned_integer(type)) return static_cast<int64_t>(sum / count);
  return static_cast<int64_t>(sum) / static_cast<int64_t>(count);
}

Status reduce_mean_reference(KernelContext& ctx) {
  return reference_reduction(ctx, {.floating = reduce_mean_floating, .integer = reduce_mean_integer});
}

}  // namespace

SDX_OP(reduce_mean) = {
    .name = "ReduceMean",
    .since = 18,
    .infer = infer_reduction,
    .reference = reduce_mean_reference,
    .upgrades = {{13, axes_to_input}},
    .records_constraints = true,
    .needs_values = input_bit(1),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
