#include "ops/ml/svm.h"

#include <cmath>

namespace sdx::ops {

Result<SvmForm> SvmForm::from(const Attributes& attributes) {
  SvmForm form;
  const std::string_view kernel = attributes.get_string("kernel_type", "LINEAR");
  if (kernel == "LINEAR") {
    form.kernel = SvmKernel::linear;
  } else if (kernel == "POLY") {
    form.kernel = SvmKernel::poly;
  } else if (kernel == "RBF") {
    form.kernel = SvmKernel::rbf;
  } else if (kernel == "SIGMOID") {
    form.kernel = SvmKernel::sigmoid;
  } else {
    return invalid_argument("kernel_type is {}, not LINEAR, POLY, RBF or SIGMOID", kernel);
  }
  const auto parameters = attributes.get_floats("kernel_params");
  if (!parameters.empty() && parameters.size() != 3)
    return invalid_argument("kernel_params has {} values, gamma, coef0 and degree are wanted", parameters.size());
  if (parameters.size() == 3) {
    form.gamma = parameters[0];
    form.coef0 = parameters[1];
    form.degree = parameters[2];
  }
  return form;
}

double SvmForm::apply(const float* a, const float* b, size_t count) const {
  double sum = 0;
  if (kernel == SvmKernel::rbf) {
    for (size_t i = 0; i < count; ++i) {
      const double d = static_cast<double>(a[i]) - b[i];
      sum += d * d;
    }
    return std::exp(-gamma * sum);
  }
  for (size_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
  switch (kernel) {
    case SvmKernel::poly: return std::pow(gamma * sum + coef0, degree);
    case SvmKernel::sigmoid: return std::tanh(gamma * sum + coef0);
    default: return sum;
  }
}

void SvmForm::apply_all(const float* row, const float* vectors, size_t count, size_t features, double* values) const {
  for (size_t i = 0; i < count; ++i) values[i] = apply(row, vectors + i * features, features);
}

double plain_weighted_sum(const float* weights, const double* values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += static_cast<double>(weights[i]) * values[i];
  return sum;
}

double pair_probability(double decision, double a, double b) {
  const double z = decision * a + b;
  return z >= 0 ? std::exp(-z) / (1 + std::exp(-z)) : 1 / (1 + std::exp(z));
}

std::vector<double> class_probabilities(size_t classes, const std::vector<double>& pair) {
  const size_t k = classes;
  std::vector<double> p(k, 1.0 / static_cast<double>(k)), q(k * k), qp(k);
  for (size_t t = 0; t < k; ++t) {
    for (size_t j = 0; j < k; ++j) {
      if (j == t) continue;
      q[t * k + t] += pair[j * k + t] * pair[j * k + t];
      q[t * k + j] = -pair[j * k + t] * pair[t * k + j];
    }
  }
  const double enough = 0.005 / static_cast<double>(k);
  const size_t steps = std::max<size_t>(100, k);
  for (size_t step = 0; step < steps; ++step) {
    double pqp = 0;
    for (size_t t = 0; t < k; ++t) {
      qp[t] = 0;
      for (size_t j = 0; j < k; ++j) qp[t] += q[t * k + j] * p[j];
      pqp += p[t] * qp[t];
    }
    double error = 0;
    for (size_t t = 0; t < k; ++t) error = std::max(error, std::fabs(qp[t] - pqp));
    if (error < enough) break;
    for (size_t t = 0; t < k; ++t) {
      const double change = (pqp - qp[t]) / q[t * k + t];
      p[t] += change;
      pqp = (pqp + change * (change * q[t * k + t] + 2 * qp[t])) / (1 + change) / (1 + change);
      for (size_t j = 0; j < k; ++j) {
        qp[j] = (qp[j] + change * q[t * k + j]) / (1 + change);
        p[j] /= 1 + change;
      }
    }
  }
  return p;
}

}  // namespace sdx::ops
