// Cases of other sizes made of a case: seeds for comparing kernels with the reference where nobody wrote a sweep.
#pragma once

#include <optional>
#include <random>

#include "ops/op.h"

namespace sdx::ops::testing {

// The inputs of a case with other dimensions and other values. Equal dimensions stay equal, multiples stay multiples
// now and then; a value is drawn from between those of its input, an integer from among them. Inputs that shapes depend
// on keep their elements, or follow the dimensions that they name. Whether the result is a valid case the reference
// says. Null where an input is no tensor.
std::optional<std::vector<Value>> resized(const Contract& contract, const std::vector<Value>& inputs,
                                          std::mt19937& random);

// Counts comparisons of a kernel with its reference. With SARDONYX_KERNEL_COVERAGE=FILE the sums, and the names of all
// kernels there are, are appended to FILE when the process ends: OPERATOR<tab>KERNEL<tab>COUNT.
void count_comparison(std::string_view domain, std::string_view op, std::string_view kernel);

}  // namespace sdx::ops::testing
