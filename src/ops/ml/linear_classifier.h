// What LinearClassifier's contract and kernel share.
#pragma once

#include "ops/ml/ml_common.h"

namespace sdx::ops {

// Made of attributes, which its spans point into.
struct LinearClassifierForm {
  ClassLabels labels;
  std::span<const float> coefficients, intercepts;
  size_t scores = 0;   // that the coefficients give
  size_t columns = 0;  // of the output
  PostTransform transform = PostTransform::none;
  DType label_type() const { return labels.size() == 0 ? DType::i64 : labels.dtype(); }
};
Result<LinearClassifierForm> linear_classifier_form(const Attributes& attributes);

// `dots`: as RowProducts has them.
Status run_linear_classifier(KernelContext& ctx, const LinearClassifierForm& form, DotsOfRows dots);

}  // namespace sdx::ops
