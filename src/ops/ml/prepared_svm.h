// What the kernels of SVMClassifier and SVMRegressor keep for a session, and how they run with it.
#pragma once

#include "ops/ml/row_products.h"

namespace sdx::ops {

template <typename Form>
struct PreparedSvm : KernelState {
  Attributes attributes;  // what the form points into
  Form form;
  FeatureColumns vectors;
};

// kRead: the form of attributes.
template <auto kRead>
Result<std::unique_ptr<KernelState>> prepare_svm(const NodeFacts& facts) {
  using Form = std::remove_cvref_t<decltype(kRead(facts.attributes()).value())>;
  auto prepared = std::make_unique<PreparedSvm<Form>>();
  prepared->attributes = facts.attributes();
  SDX_ASSIGN(prepared->form, kRead(prepared->attributes));
  const auto vectors = prepared->form.all_vectors();
  const size_t count = prepared->form.vector_count(), features = count > 0 ? vectors.size() / count : 0;
  if (features > 0) prepared->vectors = feature_columns(vectors.data(), count, features);
  return std::unique_ptr<KernelState>(std::move(prepared));
}

template <typename Form>
Status run_prepared_svm(KernelContext& ctx) {
  const auto& prepared = ctx.state<PreparedSvm<Form>>();
  const Form& form = prepared.form;
  const FeatureColumns& vectors = prepared.vectors;
  SDX_ASSIGN(const FeatureRows rows, feature_rows(ctx.input(0)));
  if (vectors.count == 0 || static_cast<size_t>(rows.features) != vectors.features) return reference_svm(ctx, form);
  const RowProducts& kernels = row_products();
  const SvmForm kernel = form.vectors_form();
  const auto values = [&](const float* row, double* to) { kernels.svm_values(kernel, row, vectors, to); };
  return run_svm(ctx, form, {values, kernels.weighted_sum, vectors.lanes});
}

}  // namespace sdx::ops
