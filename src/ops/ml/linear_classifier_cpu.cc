// LinearClassifier: attributes read once a session, products summed in double by vectors.
#include "ops/ml/linear_classifier.h"
#include "ops/ml/row_products.h"

namespace sdx::ops {
namespace {

struct PreparedClassifier : KernelState {
  LinearClassifierForm form;
  std::vector<float> coefficients, intercepts;  // what the form points to
};

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) {
  auto prepared = std::make_unique<PreparedClassifier>();
  LinearClassifierForm& form = prepared->form;
  SDX_ASSIGN(form, linear_classifier_form(facts.attributes()));
  prepared->coefficients.assign(form.coefficients.begin(), form.coefficients.end());
  prepared->intercepts.assign(form.intercepts.begin(), form.intercepts.end());
  form.coefficients = prepared->coefficients;
  form.intercepts = prepared->intercepts;
  return std::unique_ptr<KernelState>(std::move(prepared));
}

}  // namespace

SDX_CPU_KERNELS(linear_classifier, {.name = "linear_classifier",
                                    .can_run = [](const NodeFacts&) { return yes(); },
                                    .prepare = prepare,
                                    .run =
                                        [](KernelContext& ctx) {
                                          return run_linear_classifier(ctx, ctx.state<PreparedClassifier>().form,
                                                                       row_products().dots);
                                        }});

}  // namespace sdx::ops
