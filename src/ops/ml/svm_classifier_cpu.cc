// SVMClassifier: attributes read once a session, rows against all vectors at once.
#include "ops/ml/row_products.h"
#include "ops/ml/svm_classifier.h"

namespace sdx::ops {
namespace {

struct PreparedSvm : KernelState {
  Attributes attributes;  // what the form points into
  SvmClassifier form;
  FeatureColumns vectors;
};

Result<std::unique_ptr<KernelState>> prepare_svm_classifier(const NodeFacts& facts) {
  auto prepared = std::make_unique<PreparedSvm>();
  prepared->attributes = facts.attributes();
  SDX_ASSIGN(prepared->form, svm_classifier_form(prepared->attributes));
  const auto vectors = prepared->form.all_vectors();
  const size_t count = prepared->form.vector_count();
  if (count > 0) prepared->vectors = feature_columns(vectors.data(), count, vectors.size() / count);
  return std::unique_ptr<KernelState>(std::move(prepared));
}

Status run_prepared(KernelContext& ctx) {
  const auto& [attributes, form, vectors] = ctx.state<PreparedSvm>();
  SDX_ASSIGN(const FeatureRows rows, feature_rows(ctx.input(0)));
  if (vectors.count == 0 || static_cast<size_t>(rows.features) != vectors.features)
    return svm_classifier_reference(ctx, form);
  const RowProducts& kernels = row_products();
  const SvmForm kernel = form.vectors_form();
  const auto values = [&](const float* row, double* to) { kernels.svm_values(kernel, row, vectors, to); };
  return run_svm_classifier(ctx, form, {values, kernels.weighted_sum, vectors.lanes});
}

}  // namespace

SDX_CPU_KERNELS(svm_classifier, {.name = "svm_classifier",
                                 .can_run = [](const NodeFacts&) { return yes(); },
                                 .prepare = prepare_svm_classifier,
                                 .run = run_prepared});

}  // namespace sdx::ops
