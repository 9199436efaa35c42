#include "ops/ml/ml_common.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/element.h"

namespace sdx::ops {

Result<FeatureRows> feature_rows(const Tensor& x) {
  if (x.rank() == 1) return FeatureRows{1, x.dim(0)};
  if (x.rank() == 2) return FeatureRows{x.dim(0), x.dim(1)};
  return invalid_argument("x has shape {}, [rows, features] is wanted", to_text(x.shape()));
}

Result<std::optional<FeatureDims>> feature_dims(const InferContext& ctx, size_t input) {
  if (!ctx.has_rank(input)) return std::optional<FeatureDims>();
  if (ctx.rank(input) == 1) return std::optional(FeatureDims{Dim(1), ctx.dim(input, 0)});
  if (ctx.rank(input) == 2) return std::optional(FeatureDims{ctx.dim(input, 0), ctx.dim(input, 1)});
  return ctx.fail("x has rank {}, [rows, features] is wanted", ctx.rank(input));
}

template <typename T>
const T* load_rows(const Tensor& x, int64_t features, int64_t begin, int64_t end, std::vector<T>& buffer) {
  constexpr DType kOwn = sizeof(T) == sizeof(float) ? DType::f32 : DType::f64;
  const bool aligned = reinterpret_cast<uintptr_t>(x.raw()) % alignof(T) == 0;
  if (x.dtype() == kOwn && aligned) return x.data<T>() + begin * features;
  buffer.resize(static_cast<size_t>((end - begin) * features));
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer[i] = static_cast<T>(load_double(x, begin * features + static_cast<int64_t>(i)));
  return buffer.data();
}
template const float* load_rows(const Tensor&, int64_t, int64_t, int64_t, std::vector<float>&);
template const double* load_rows(const Tensor&, int64_t, int64_t, int64_t, std::vector<double>&);

Result<PostTransform> post_transform(const Attributes& attributes) {
  const std::string_view name = attributes.get_string("post_transform", "NONE");
  if (name == "NONE") return PostTransform::none;
  if (name == "SOFTMAX") return PostTransform::softmax;
  if (name == "LOGISTIC") return PostTransform::logistic;
  if (name == "SOFTMAX_ZERO") return PostTransform::softmax_zero;
  if (name == "PROBIT") return PostTransform::probit;
  return invalid_argument("post_transform is {}, not NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT", name);
}

Result<PostTransform> post_transform_of(int64_t number) {
  if (number < 0 || number > 4) return invalid_argument("post_transform is {}, outside [0, 4]", number);
  return static_cast<PostTransform>(number);
}

float logistic(float x) {
  const float v = 1.0f / (1.0f + std::exp(-std::fabs(x)));
  return x < 0 ? 1.0f - v : v;
}

// sqrt(2) * erf_inv(2x - 1), with the closed approximation of erf_inv that the standard's implementations share:
// l = log(1 - z^2), b = 2 / (pi a) + l / 2, erf_inv(z) = sign(z) sqrt(sqrt(b^2 - l / a) - b), a = 0.147
float probit(float x) {
  constexpr float kA = 0.147f, kPi = 3.14159f;
  const float z = 2.0f * x - 1.0f;
  const float l = std::log((1.0f - z) * (1.0f + z));
  const float b = 2.0f / (kPi * kA) + 0.5f * l;
  const float magnitude = std::sqrt(-b + std::sqrt(b * b - l / kA));
  return 1.41421356f * (z < 0 ? -magnitude : magnitude);
}

namespace {

void softmax(std::span<float> scores) {
  const float top = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& s : scores) {
    s = std::exp(s - top);
    sum += s;
  }
  for (float& s : scores) s /= sum;
}

// Scores of zero keep no share: softmax over the others.
void softmax_zero(std::span<float> scores) {
  const float top = *std::max_element(scores.begin(), scores.end());
  const float scale = std::exp(-top);
  float sum = 0;
  for (float& s : scores) {
    if (s > 0.0000001f || s < -0.0000001f) {
      s = std::exp(s - top);
      sum += s;
    } else {
      s *= scale;
    }
  }
  for (float& s : scores) s /= sum;
}

}  // namespace

void transform_scores(PostTransform transform, std::span<float> scores) {
  if (scores.empty()) return;
  switch (transform) {
    case PostTransform::none: return;
    case PostTransform::softmax: return softmax(scores);
    case PostTransform::softmax_zero: return softmax_zero(scores);
    case PostTransform::logistic:
      for (float& s : scores) s = logistic(s);
      return;
    case PostTransform::probit:
      for (float& s : scores) s = probit(s);
      return;
  }
}

void write_two_classes(PostTransform transform, SecondClass second, float score, float* out) {
  if (transform == PostTransform::logistic) {
    out[0] = logistic(-score);
    out[1] = logistic(score);
  } else {
    const float s = transform == PostTransform::probit ? probit(score) : score;
    out[0] = second == SecondClass::complement ? 1.0f - s : -s;
    out[1] = s;
  }
}

Result<ClassLabels> ClassLabels::from(const Attributes& attributes, std::string_view integers,
                                      std::string_view strings) {
  ClassLabels labels;
  const auto numbers = attributes.get_ints(integers);
  labels.numbers_.assign(numbers.begin(), numbers.end());
  if (const auto* texts = attributes.get<std::vector<std::string>>(strings)) labels.texts_ = *texts;
  if (!labels.numbers_.empty() && !labels.texts_.empty())
    return invalid_argument("both {} and {} are given, one is wanted", integers, strings);
  return labels;
}

Result<Tensor> ClassLabels::tensor_of(std::span<const int32_t> classes) const {
  const int64_t count = static_cast<int64_t>(classes.size());
  if (!texts_.empty()) {
    StringTensorBuilder builder;
    for (const int32_t c : classes) builder.append(texts_[static_cast<size_t>(c)]);
    return builder.finish({&count, 1});
  }
  SDX_ASSIGN(Tensor labels, Tensor::allocate(DType::i64, {&count, 1}));
  for (size_t i = 0; i < classes.size(); ++i) labels.data<int64_t>()[i] = numbers_[static_cast<size_t>(classes[i])];
  return labels;
}

Result<Tensor> ClassLabels::all() const {
  std::vector<int32_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  return tensor_of(order);
}

Result<Facts> infer_classifier(InferContext& ctx, DType label_type, Dim columns) {
  SDX_ASSIGN(const auto dims, feature_dims(ctx, 0));
  if (!dims) return Facts({tensor_fact(label_type, std::nullopt), tensor_fact(DType::f32, std::nullopt)});
  return Facts({tensor_fact(label_type, SymShape{dims->rows}),
                tensor_fact(DType::f32, SymShape{dims->rows, std::move(columns)})});
}

Result<Facts> infer_regressor(InferContext& ctx, int64_t targets, DType type) {
  if (targets < 1)
    return ctx.fail("attribute {} is {}, at least 1 is wanted",
                    ctx.attributes().has("n_targets") ? "n_targets" : "targets", targets);
  SDX_ASSIGN(const auto dims, feature_dims(ctx, 0));
  if (!dims) return tensor_fact(type, std::nullopt);
  return tensor_fact(type, SymShape{dims->rows, Dim(targets)});
}

void plain_dots(const float* rows, size_t row_count, const float* vectors, size_t count, size_t features,
                double* sums) {
  for (size_t r = 0; r < row_count; ++r) {
    for (size_t v = 0; v < count; ++v) {
      double sum = 0;
      for (size_t f = 0; f < features; ++f)
        sum += static_cast<double>(rows[r * features + f]) * static_cast<double>(vectors[v * features + f]);
      sums[r * count + v] = sum;
    }
  }
}

}  // namespace sdx::ops
