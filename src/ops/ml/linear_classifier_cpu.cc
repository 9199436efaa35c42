// LinearClassifier: attributes read once a session, products summed in double by vectors.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/ml/linear_classifier.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

double dot(const float* a, const float* b, size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const size_t lanes = hn::Lanes(d);
  const auto product = [&](auto sum, size_t i, size_t n) HWY_ATTR {
    return hn::MulAdd(hn::PromoteTo(d, load_n(half, a + i, n)), hn::PromoteTo(d, load_n(half, b + i, n)), sum);
  };
  auto even = hn::Zero(d), odd = hn::Zero(d);
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    even = product(even, i, lanes);
    odd = product(odd, i + lanes, lanes);
  }
  for (; i < count; i += lanes) even = product(even, i, count - i);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
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
                                                                       SDX_DISPATCH(dot));
                                        }});

}  // namespace sdx::ops
#endif
