// What the ai.onnx.ml operators share: rows of features, score transforms, class labels.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// X as [rows, features]; a vector is one row.
struct FeatureRows {
  int64_t rows = 1, features = 0;
};
Result<FeatureRows> feature_rows(const Tensor& x);
// The same for shape rules: [rows, features], nullopt where the rank is unknown.
struct FeatureDims {
  Dim rows, features;
};
Result<std::optional<FeatureDims>> feature_dims(const InferContext& ctx, size_t input);

// Features of rows [begin, end) as T, through a buffer unless X holds T already.
template <typename T>
const T* load_rows(const Tensor& x, int64_t features, int64_t begin, int64_t end, std::vector<T>& buffer);

enum class PostTransform : uint8_t { none, softmax, logistic, softmax_zero, probit };
Result<PostTransform> post_transform(const Attributes& attributes);
Result<PostTransform> post_transform_of(int64_t number);  // TreeEnsemble's

float logistic(float x);
float probit(float x);
// Scores of one row, in place.
void transform_scores(PostTransform transform, std::span<float> scores);

// How one score of two classes becomes two: what onnxruntime's classifiers do.
enum class SecondClass : uint8_t {
  complement,  // 1 - s, s
  opposite,    // -s, s
};
// Writes two scores from one; LOGISTIC gives probabilities either way.
void write_two_classes(PostTransform transform, SecondClass second, float score, float* out);

// Labels of a classifier: integers or strings, by which attribute is there.
class ClassLabels {
 public:
  static Result<ClassLabels> from(const Attributes& attributes, std::string_view integers, std::string_view strings);
  size_t size() const { return texts_.empty() ? numbers_.size() : texts_.size(); }
  DType dtype() const { return texts_.empty() ? DType::i64 : DType::string; }
  // Labels of classes by index, as a vector. Indices are in [0, size()).
  Result<Tensor> tensor_of(std::span<const int32_t> classes) const;
  // All labels: a map's keys.
  Result<Tensor> all() const;

 private:
  std::vector<int64_t> numbers_;
  std::vector<std::string> texts_;
};

// Facts of a classifier: labels [rows] and scores [rows, columns].
Result<Facts> infer_classifier(InferContext& ctx, DType label_type, Dim columns);
Result<Facts> infer_regressor(InferContext& ctx, int64_t targets, DType type = DType::f32);

// sums[r * count + v] = rows[r] . vectors[v], in double.
using DotsOfRows = void (*)(const float* rows, size_t row_count, const float* vectors, size_t count, size_t features,
                            double* sums);
void plain_dots(const float* rows, size_t row_count, const float* vectors, size_t count, size_t features, double* sums);

inline constexpr int64_t kRowGrain = 64;  // rows a block

}  // namespace sdx::ops
