// Normalisations along axes and of 16-bit floats against the references.
#include "ops/testing/op_case.h"

namespace {
using Ints = std::vector<int64_t>;
std::vector<sdx::Shape> axes_of_three(uint32_t r) {
  const int64_t sizes[] = {1, 2, 7, 33, 64, 300, 5, 129};
  return {sdx::Shape({1 + r % 3, sizes[r % 8], 1 + r % 5 * 27})};
}
std::vector<sdx::Shape> pictures(uint32_t r) { return {{1 + r % 2, 1 + r * 5 % 23, 1 + r % 13, 1 + r * 7 % 30}}; }
}  // namespace

OP_SWEEP(LRN, .types = {DType::f32, DType::f16, DType::bf16}, .attributes = {attr("size", 5)}, .special_values = false,
         .shapes = pictures);
OP_SWEEP(LRN, .attributes = {attr("size", 4), attr("alpha", 0.5F), attr("beta", 0.5F)}, .shapes = pictures);
OP_SWEEP(LRN, .attributes = {attr("size", 3), attr("alpha", 2.0F), attr("beta", 1.0F)}, .special_values = false,
         .shapes = axes_of_three);
OP_SWEEP(LRN, .attributes = {attr("size", 7), attr("alpha", 9.0F), attr("beta", 1.3F), attr("bias", 0.5F)},
         .special_values = false, .shapes = pictures);

OP_SWEEP(LpNormalization, .types = {DType::f32, DType::f16}, .special_values = false, .shapes = axes_of_three);
OP_SWEEP(LpNormalization, .attributes = {attr("p", 1)}, .shapes = axes_of_three);
OP_SWEEP(LpNormalization, .types = {DType::f32, DType::bf16}, .attributes = {attr("axis", 1)}, .special_values = false,
         .shapes = axes_of_three);
OP_SWEEP(LpNormalization, .attributes = {attr("axis", 0), attr("p", 1)}, .shapes = axes_of_three);

OP_SWEEP(Hardmax, .types = {DType::f32, DType::f16}, .shapes = axes_of_three);
OP_SWEEP(Hardmax, .attributes = {attr("axis", 1)}, .low = 0, .high = 2, .shapes = axes_of_three);
OP_SWEEP(Hardmax, .attributes = {attr("axis", 0)}, .shapes = axes_of_three);

OP_SWEEP(LogSoftmax, .types = {DType::f32, DType::f16}, .shapes = axes_of_three);
OP_SWEEP(LogSoftmax, .attributes = {attr("axis", 1)}, .shapes = axes_of_three);

OP_SWEEP(MeanVarianceNormalization, .types = {DType::f32, DType::f16}, .special_values = false, .shapes = pictures);
OP_SWEEP(MeanVarianceNormalization, .attributes = {attr("axes", Ints{1, 2, 3})}, .special_values = false,
         .shapes = pictures);
OP_SWEEP(MeanVarianceNormalization, .attributes = {attr("axes", Ints{1})}, .special_values = false, .shapes = pictures);

OP_SWEEP(Softmax, .types = {DType::f16, DType::bf16}, .shapes = axes_of_three);
OP_SWEEP(Softmax, .types = {DType::f16}, .low = -60000, .high = 60000, .shapes = axes_of_three);
OP_SWEEP(Softmax, .types = {DType::f32, DType::f16}, .attributes = {attr("axis", 1)}, .shapes = axes_of_three);
