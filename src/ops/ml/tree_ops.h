// The three tree operators: preparing and running are the same for the reference, which prepares each time, and the
// kernel, which keeps what was prepared.
#pragma once

#include "ops/ml/tree-inl.h"

namespace sdx::ops {

Result<std::unique_ptr<KernelState>> prepare_tree_regressor(const Attributes& attributes, DType x);
Status run_tree_regressor(KernelContext& ctx, const KernelState& state);
Result<std::unique_ptr<KernelState>> prepare_tree_classifier(const Attributes& attributes, DType x);
Status run_tree_classifier(KernelContext& ctx, const KernelState& state);
Result<std::unique_ptr<KernelState>> prepare_tree_ensemble(const Attributes& attributes, DType x);
Status run_tree_ensemble(KernelContext& ctx, const KernelState& state);

}  // namespace sdx::ops
