// Softmax: y = e^(x - max) / sum(e^(x - max)) along an axis. A line whose largest element is infinite, or that holds
// NaN, becomes NaN. In 16 bits every step is rounded to the type, as in the function by which the standard defines the
// operator; but a sum beyond the type's range is kept.
#include <cmath>

#include "base/element.h"
#include "ops/norm/softmax_family.h"

namespace sdx::ops {
namespace {

void softmax_line(std::span<double> x) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double v : x) top = std::isnan(v) || std::isnan(top) ? top + v : std::max(top, v);
  for (double& v : x) sum += v = std::exp(v - top);
  for (double& v : x) v /= sum;
}

template <DType kType>
double rounded(double value) {
  uint16_t code = 0;
  store_double(kType, &code, 0, value);
  return load_double(kType, &code, 0);
}

template <DType kType>
void softmax_line_of_16_bits(std::span<double> x) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double v : x) top = std::isnan(v) || std::isnan(top) ? top + v : std::max(top, v);
  for (double& v : x) sum += v = rounded<kType>(std::exp(rounded<kType>(v - top)));
  if (const double narrow = rounded<kType>(sum); !std::isinf(narrow)) sum = narrow;
  for (double& v : x) v /= sum;
}

Status softmax_reference(KernelContext& ctx) {
  const DType type = ctx.input(0).dtype();
  if (type == DType::f16) return reference_softmax(ctx, softmax_line_of_16_bits<DType::f16>);
  if (type == DType::bf16) return reference_softmax(ctx, softmax_line_of_16_bits<DType::bf16>);
  return reference_softmax(ctx, softmax_line);
}

}  // namespace

SDX_OP(softmax) = {
    .name = "Softmax",
    .since = 13,
    .infer = infer_softmax,
    .reference = softmax_reference,
    .upgrades = {{11, flatten_at_axis}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
