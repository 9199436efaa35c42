#include "ops/testing/op_case.h"

using sdx::Attribute;
using sdx::DType;
using sdx::Map;
using sdx::Sequence;
using sdx::Value;
using sdx::ops::attr;
using sdx::ops::testing::f32;
using sdx::ops::testing::f64;
using sdx::ops::testing::i64;
using sdx::ops::testing::kNaN;
using sdx::ops::testing::u8;
using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;
using Strings = std::vector<std::string>;

#define ML_CASES(op, ...) OP_CASES_IN("ai.onnx.ml", op, __VA_ARGS__)
#define ML_REJECTS(op, ...) OP_REJECTS_IN("ai.onnx.ml", op, __VA_ARGS__)

namespace {

Value map_of(Value keys, Value values) { return Map{keys.tensor(), std::move(values)}; }

}  // namespace

ML_CASES(ArrayFeatureExtractor,
         {"columns", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({2}, {2, 0})}, {f32({2, 2}, {3, 1, 6, 4})}},
         {"vector_gives_a_row", {f32({3}, {1, 2, 3}), i64({2}, {2, 0})}, {f32({1, 2}, {3, 1})}},
         {"strings", {str({1, 2}, {"a", "b"}), i64({1}, {1})}, {str({1, 1}, {"b"})}});
ML_REJECTS(ArrayFeatureExtractor, "index -1 is outside [0, 3)", {f32({1, 3}, {0}), i64({1}, {-1})});
ML_CASES(Binarizer, {"threshold", {f32({3}, {0.5, 0.75, kNaN})}, {f32({3}, {0, 1, 0})}, {attr("threshold", 0.5f)}});
ML_CASES(CastMap, {"dense_by_key", {map_of(i64({2}, {5, 1}), f32({2}, {2.5, -1}))}, {f32({1, 2}, {-1, 2.5})}},
         {"sparse_to_text",
          {map_of(i64({2}, {2, 0}), f32({2}, {2.5, -1}))},
          {str({1, 4}, {"-1", "", "2.5", ""})},
          {attr("map_form", "SPARSE"), attr("max_map", 4), attr("cast_to", "TO_STRING")}},
         {"from_text", {map_of(i64({1}, {2}), str({1}, {"7"}))}, {i64({1, 1}, {7})}, {attr("cast_to", "TO_INT64")}});
ML_REJECTS(CastMap, "key 4 is outside [0, 4)", {map_of(i64({1}, {4}), f32({1}, {0}))},
           {attr("map_form", "SPARSE"), attr("max_map", 4)});
ML_REJECTS(CastMap, "no number", {map_of(i64({1}, {4}), str({1}, {"x"}))});
ML_CASES(CategoryMapper,
         {"to_numbers",
          {str({2}, {"x", "y"})},
          {i64({2}, {5, -1})},
          {{"cats_strings", Strings{"x", "z"}}, {"cats_int64s", Ints{5, 6}}}},
         {"to_strings",
          {i64({2}, {6, 7})},
          {str({2}, {"z", "_Unused"})},
          {{"cats_strings", Strings{"x", "z"}}, {"cats_int64s", Ints{5, 6}}}});
ML_CASES(DictVectorizer,
         {"strings",
          {map_of(str({2}, {"c", "a"}), f32({2}, {8, 4}))},
          {f32({1, 4}, {4, 8, 0, 0})},
          {{"string_vocabulary", Strings{"a", "c", "b", "z"}}}},
         {"numbers",
          {map_of(i64({2}, {7, 3}), f64({2}, {8, 4}))},
          {f64({1, 2}, {4, 8})},
          {{"int64_vocabulary", Ints{3, 7}}}});
ML_CASES(FeatureVectorizer, {"side_by_side",
                             {f32({2, 2}, {1, 2, 3, 4}), f32({2, 1}, {5, 6})},
                             {f32({2, 4}, {1, 2, 0, 5, 3, 4, 0, 6})},
                             {{"inputdimensions", Ints{3, 1}}}});
ML_CASES(Imputer,
         {"nan",
          {f32({2, 2}, {kNaN, 1, 2, kNaN})},
          {f32({2, 2}, {8, 1, 2, 9})},
          {{"imputed_value_floats", Floats{8, 9}}, attr("replaced_value_float", kNaN)}},
         {"integers", {i64({2}, {0, 3})}, {i64({2}, {7, 3})}, {{"imputed_value_int64s", Ints{7}}}});
ML_REJECTS(Imputer, "1 or 2 are wanted", {f32({1, 2}, {0})}, {{"imputed_value_floats", Floats{1, 2, 3}}});
ML_CASES(LabelEncoder,
         {"last_key_counts",
          {i64({3}, {1, 2, 5})},
          {str({3}, {"c", "b", "_Unused"})},
          {{"keys_int64s", Ints{1, 2, 1}}, {"values_strings", Strings{"a", "b", "c"}}}},
         {"nan_and_zero",
          {f32({3}, {1, kNaN, -0.0})},
          {i64({3}, {-1, 7, 8})},
          {{"keys_floats", Floats{kNaN, 0}}, {"values_int64s", Ints{7, 8}}}},
         {"tensors",
          {tensor_i64_values(DType::i16, {2}, {3, 4})},
          {f64({2}, {0.5, 9})},
          {{"keys_tensor", tensor_i64_values(DType::i16, {1}, {3}).tensor()},
           {"values_tensor", f64({1}, {0.5}).tensor()},
           {"default_tensor", f64({1}, {9}).tensor()}}});
ML_REJECTS(LabelEncoder, "exactly one is wanted", {i64({1}, {1})}, {{"keys_int64s", Ints{1}}});
ML_REJECTS(LabelEncoder, "2 keys are given for 1 values", {i64({1}, {1})},
           {{"keys_int64s", Ints{1, 2}}, {"values_int64s", Ints{1}}});
ML_CASES(LinearRegressor,
         {"two_targets",
          {f32({1, 2}, {1, 2})},
          {f32({1, 2}, {5.5, 11.25})},
          {{"coefficients", Floats{1, 2, 3, 4}}, {"intercepts", Floats{0.5, 0.25}}, attr("targets", 2)}});
ML_REJECTS(LinearRegressor, "need more", {f32({1, 2}, {1, 2})}, {{"coefficients", Floats{1}}});
namespace {

std::vector<sdx::Shape> feature_matrix(uint32_t round) {
  return {sdx::Shape{1 + static_cast<int64_t>(round % 6), 1 + static_cast<int64_t>(round * 7 % 75)}};
}

std::vector<sdx::Shape> five_features(uint32_t round) { return {sdx::Shape{1 + static_cast<int64_t>(round % 6), 5}}; }

// Coefficients of four scores for as many features as the sweep may ask for; or of so many values.
Floats many_coefficients(size_t count = 4 * 75) {
  Floats values(count);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 37 % 101) / 50 - 1;
  return values;
}

}  // namespace
OP_SWEEP_IN("ai.onnx.ml", LinearClassifier, .outputs = 2,
            .attributes = {{"coefficients", many_coefficients()},
                           {"intercepts", Floats{0.5, -0.25, 0, 0.125}},
                           {"classlabels_ints", Ints{3, 5, 7, 9}},
                           attr("post_transform", "SOFTMAX")},
            .special_values = false, .shapes = feature_matrix);
OP_SWEEP_IN("ai.onnx.ml", LinearRegressor,
            .attributes = {{"coefficients", many_coefficients()},
                           {"intercepts", Floats{0.5, -0.25, 0}},
                           attr("targets", 3)},
            .special_values = false, .shapes = feature_matrix);
OP_SWEEP_IN("ai.onnx.ml", SVMRegressor,
            .attributes = {{"coefficients", many_coefficients(70)},
                           {"support_vectors", many_coefficients(350)},
                           {"rho", Floats{0.5}},
                           {"kernel_params", Floats{0.25, 0, 0}},
                           attr("kernel_type", "RBF"),
                           attr("n_supports", 70)},
            .special_values = false, .shapes = five_features);
OP_SWEEP_IN("ai.onnx.ml", SVMClassifier, .outputs = 2,
            .attributes = {{"coefficients", many_coefficients(140)},
                           {"support_vectors", many_coefficients(350)},
                           {"rho", Floats{0.5, -0.25, 0.125}},
                           {"kernel_params", Floats{0.25, 1, 2.5}},
                           {"vectors_per_class", Ints{30, 1, 39}},
                           {"prob_a", Floats{-1, -2, -1.5}},
                           {"prob_b", Floats{0.5, 0, -0.5}},
                           {"classlabels_ints", Ints{3, 5, 7}},
                           attr("kernel_type", "POLY")},
            .special_values = false, .shapes = five_features);
OP_SWEEP_IN("ai.onnx.ml", SVMClassifier, .outputs = 2,
            .attributes = {{"coefficients", many_coefficients(15)},
                           {"rho", Floats{0.5}},
                           {"classlabels_strings", Strings{"a", "b", "c"}}},
            .special_values = false, .shapes = five_features);
OP_SWEEP_IN("ai.onnx.ml", Imputer, .types = {DType::f32, DType::f64},
            .attributes = {{"imputed_value_floats", Floats{1, 2, 3, 4, 5}}, attr("replaced_value_float", kNaN)},
            .shapes = five_features);
OP_SWEEP_IN("ai.onnx.ml", Binarizer, .attributes = {attr("threshold", 0.25f)}, .shapes = feature_matrix);
ML_CASES(
    LinearClassifier,
    {"one_score_for_two_labels",
     {f32({2, 1}, {0.25, -1})},
     {str({2}, {"b", "a"}), f32({2, 2}, {0.75, 0.25, 2, -1})},
     {{"coefficients", Floats{1}}, {"intercepts", Floats{0}}, {"classlabels_strings", Strings{"a", "b"}}}},
    {"best_score",
     {f32({1, 1}, {2})},
     {i64({1}, {30}), f32({1, 3}, {2, -2, 4})},
     {{"coefficients", Floats{1, -1, 2}}, {"intercepts", Floats{0, 0, 0}}, {"classlabels_ints", Ints{10, 20, 30}}}});
ML_CASES(
    Normalizer, {"max", {f32({1, 3}, {1, -2, 4})}, {f32({1, 3}, {0.25, -0.5, 1})}},
    {"l1", {f32({2, 2}, {1, -3, 0, 0})}, {f32({2, 2}, {0.25, -0.75, 0, 0})}, {attr("norm", "L1")}},
    {"l2", {f32({2}, {3, -4})}, {f32({2}, {0.6, -0.8})}, {attr("norm", "L2")}},
    {"l2_beyond_float", {f32({3}, {3e38, 3e38, 0})}, {f32({3}, {0.70710678, 0.70710678, 0})}, {attr("norm", "L2")}},
    {"l1_below_float", {f32({2}, {0x1p-140, -0x3p-140})}, {f32({2}, {0.25, -0.75})}, {attr("norm", "L1")}},
    {"max_of_negative_zeros", {f32({2}, {-0.0, -2})}, {f32({2}, {-0.0, -2})}},
    {"max_leaves_nan_out", {f32({3}, {kNaN, 1, 2})}, {f32({3}, {kNaN, 0.5, 1})}});
OP_SWEEP_IN("ai.onnx.ml", Normalizer, .shapes = feature_matrix);
OP_SWEEP_IN("ai.onnx.ml", Normalizer, .attributes = {attr("norm", "L1")}, .shapes = feature_matrix);
OP_SWEEP_IN("ai.onnx.ml", Normalizer, .attributes = {attr("norm", "L2")}, .shapes = feature_matrix);
ML_CASES(OneHotEncoder,
         {"numbers_are_cast", {f32({2}, {1.7, 5})}, {f32({2, 2}, {1, 0, 0, 0})}, {{"cats_int64s", Ints{1, 2}}}},
         {"strings", {str({1, 1}, {"b"})}, {f32({1, 1, 2}, {0, 1})}, {{"cats_strings", Strings{"a", "b"}}}});
ML_REJECTS(OneHotEncoder, "no category", {i64({1}, {5})}, {{"cats_int64s", Ints{1, 2}}, attr("zeros", 0)});
ML_CASES(Scaler, {"by_feature",
                  {f32({2, 2}, {1, 2, 3, 4})},
                  {f32({2, 2}, {0, 3, 4, 9})},
                  {{"offset", Floats{1, 1}}, {"scale", Floats{2, 3}}}});
ML_CASES(Scaler,
         {"one_offset", {f32({2}, {3, 4})}, {f32({2}, {4, 9})}, {{"offset", Floats{1}}, {"scale", Floats{2, 3}}}},
         {"one_scale", {f32({1, 2}, {3, 4})}, {f32({1, 2}, {4, 2})}, {{"offset", Floats{1, 3}}, {"scale", Floats{2}}}},
         {"nothing_given", {f32({2}, {3, -4})}, {f32({2}, {3, -4})}},
         {"double", {f64({2}, {3, -4})}, {f32({2}, {5, -9})}, {{"offset", Floats{0.5}}, {"scale", Floats{2}}}});
ML_REJECTS(Scaler, "1 or 2 are wanted", {f32({2, 2}, {0})}, {{"offset", Floats{1, 1, 1}}});
// d = x . 1 - x . -1 ... of one pair: coefficients 1 (class 0) and -1 (class 1), vectors 1 and -1: 2x + rho
ML_CASES(SVMClassifier, {"one_pair",
                         {f32({2, 1}, {1, -1})},
                         {i64({2}, {10, 20}), f32({2, 2}, {-2.5, 2.5, 1.5, -1.5})},
                         {{"coefficients", Floats{1, -1}},
                          {"support_vectors", Floats{1, -1}},
                          {"vectors_per_class", Ints{1, 1}},
                          {"rho", Floats{0.5}},
                          {"classlabels_ints", Ints{10, 20}}}});
// Two classes, kernels of a row (1, 2) and vectors (1, 0), (0, -1), (2, 1), in float64: numpy.
ML_CASES(SVMRegressor,
         {"rbf",
          {f32({1, 2}, {1, 2})},
          {f32({1, 1}, {1.50244950f})},
          {{"coefficients", Floats{1, 2, 3}},
           {"support_vectors", Floats{1, 0, 0, -1, 2, 1}},
           {"rho", Floats{0.25f}},
           {"kernel_params", Floats{0.5f, 0, 0}},
           attr("kernel_type", "RBF"),
           attr("n_supports", 3)}},
         {"poly",
          {f32({1, 2}, {1, 2})},
          {f32({1, 1}, {84.625f})},
          {{"coefficients", Floats{1, 2, 3}},
           {"support_vectors", Floats{1, 0, 0, -1, 2, 1}},
           {"rho", Floats{0.25f}},
           {"kernel_params", Floats{0.5f, 1, 3}},
           attr("kernel_type", "POLY"),
           attr("n_supports", 3)}},
         {"sigmoid",
          {f32({1, 2}, {1, 2})},
          {f32({1, 1}, {4.14031251f})},
          {{"coefficients", Floats{1, 2, 3}},
           {"support_vectors", Floats{1, 0, 0, -1, 2, 1}},
           {"rho", Floats{0.25f}},
           {"kernel_params", Floats{0.5f, 1, 0}},
           attr("kernel_type", "SIGMOID"),
           attr("n_supports", 3)}});
ML_REJECTS(SVMClassifier, "support_vectors has 2 values", {f32({1, 2}, {0})},
           {{"coefficients", Floats{1, -1}},
            {"support_vectors", Floats{1, -1}},
            {"vectors_per_class", Ints{1, 1}},
            {"rho", Floats{0.5}},
            {"classlabels_ints", Ints{10, 20}}});
ML_CASES(
    SVMRegressor,
    {"linear", {f32({1, 2}, {1, 2})}, {f32({1, 1}, {11.5})}, {{"coefficients", Floats{3, 4}}, {"rho", Floats{0.5}}}},
    {"one_class",
     {f32({1, 1}, {1})},
     {f32({1, 1}, {-1})},
     {{"coefficients", Floats{3}},
      {"support_vectors", Floats{-1}},
      {"rho", Floats{0.5}},
      attr("n_supports", 1),
      attr("one_class", 1)}});
ML_REJECTS(SVMRegressor, "attribute n_supports is -1", {f32({1, 1}, {1})},
           {{"coefficients", Floats{3}}, {"rho", Floats{0.5}}, attr("n_supports", -1)});
ML_REJECTS(SVMRegressor, "post_transform is no_such", {f32({1, 1}, {1})},
           {{"coefficients", Floats{3}}, {"rho", Floats{0.5}}, attr("post_transform", "no_such")});
ML_REJECTS(LinearRegressor, "attribute targets is 0", {f32({1, 1}, {1})}, {attr("targets", 0)});
ML_CASES(ZipMap,
         {"rows",
          {f32({2, 2}, {1, 2, 3, 4})},
          {Sequence{{sdx::ValueKind::map, DType::string, {sdx::tensor_type(DType::f32)}},
                    {map_of(str({2}, {"a", "b"}), f32({2}, {1, 2})), map_of(str({2}, {"a", "b"}), f32({2}, {3, 4}))}}},
          {{"classlabels_strings", Strings{"a", "b"}}}});
ML_REJECTS(ZipMap, "differ", {f32({1, 2}, {0})}, {{"classlabels_int64s", Ints{1}}});

namespace {

// One split of feature 0 at 0.5, then of feature 1 at 1 on the false side; leaves 1, 3, 4.
std::vector<Attribute> stump(std::string_view votes, std::vector<int64_t> targets, Floats weights,
                             std::vector<Attribute> more) {
  const std::string prefix(votes);
  std::vector<Attribute> list = {{"nodes_treeids", Ints{0, 0, 0, 0, 0}},
                                 {"nodes_nodeids", Ints{0, 1, 2, 3, 4}},
                                 {"nodes_featureids", Ints{0, 0, 1, 0, 0}},
                                 {"nodes_modes", Strings{"BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF"}},
                                 {"nodes_values", Floats{0.5, 0, 1, 0, 0}},
                                 {"nodes_truenodeids", Ints{1, 0, 3, 0, 0}},
                                 {"nodes_falsenodeids", Ints{2, 0, 4, 0, 0}},
                                 {"nodes_missing_value_tracks_true", Ints{1, 0, 0, 0, 0}},
                                 {prefix + "_treeids", Ints{0, 0, 0}},
                                 {prefix + "_nodeids", Ints{1, 3, 4}},
                                 {prefix + "_ids", std::move(targets)},
                                 {prefix + "_weights", std::move(weights)}};
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::vector<Attribute> with(std::vector<Attribute> list, std::string_view name, Attribute::Content content) {
  for (Attribute& attribute : list)
    if (attribute.name == name) attribute.content = content;
  return list;
}

std::vector<Attribute> ensemble(Ints on_true, Ints roots) {
  return {{"nodes_splits", f32({2}, {0.5, 0}).tensor()},
          {"nodes_modes", u8({2}, {0, 6}).tensor()},
          {"nodes_featureids", Ints{0, 1}},
          {"nodes_truenodeids", std::move(on_true)},
          {"nodes_trueleafs", Ints{1, 1}},
          {"nodes_falsenodeids", Ints{1, 2}},
          {"nodes_falseleafs", Ints{0, 1}},
          {"leaf_targetids", Ints{0, 1, 0}},
          {"leaf_weights", f32({3}, {1, 2, 3}).tensor()},
          {"membership_values", f32({3}, {4, 7, kNaN}).tensor()},
          {"tree_roots", std::move(roots)},
          attr("n_targets", 2)};
}

const auto kRows = [] { return f32({4, 2}, {0.5, 9, 0.75, 0, 0.75, 1, kNaN, 0}); };
const auto kRegressor = [] { return stump("target", {0, 0, 0}, {1, 2, 4}, {}); };

}  // namespace

namespace {

// The same splits, both by <= and with NaN on the false side: leaves 1, 3, 4, 4 in turn.
std::vector<Attribute> plain_stump(std::string_view votes, std::vector<int64_t> targets, std::vector<Attribute> more) {
  std::vector<Attribute> list = with(stump(votes, std::move(targets), {1, 2, 4}, std::move(more)), "nodes_modes",
                                     Strings{"BRANCH_LEQ", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"});
  return with(std::move(list), "nodes_missing_value_tracks_true", Ints{0, 0, 0, 0, 0});
}

// 19 rows: two walks of eight and three single ones.
Value in_turn(std::initializer_list<float> four_rows) {
  const int64_t width = static_cast<int64_t>(four_rows.size()) / 4, shape[] = {19, width};
  std::vector<float> values;
  for (size_t i = 0; i < static_cast<size_t>(19 * width); ++i)
    values.push_back(four_rows.begin()[i % four_rows.size()]);
  return sdx::make_tensor<float>(DType::f32, shape, values);
}
Value many_rows() { return in_turn({0.5, 9, 0.75, 1, 0.75, 1.5, kNaN, kNaN}); }

}  // namespace

ML_CASES(TreeEnsembleRegressor,
         {"walks_together", {many_rows()}, {in_turn({1, 2, 4, 4})}, plain_stump("target", {0, 0, 0}, {})},
         {"walks_together_to_targets",
          {many_rows()},
          {in_turn({1, 0, 0, 2, 4, 0, 4, 0})},
          plain_stump("target", {0, 1, 0}, {attr("n_targets", 2)})},
         {"greatest_of_lone_votes",
          {many_rows()},
          {in_turn({1, 2, 4, 4})},
          plain_stump("target", {0, 0, 0}, {attr("aggregate_function", "MAX")})});
ML_CASES(TreeEnsembleRegressor, {"leaves", {kRows()}, {f32({4, 1}, {1, 2, 4, 1})}, kRegressor()},
         {"float64",
          {f64({1, 2}, {0.75, 1})},
          {f32({1, 1}, {4.5})},
          stump("target", {0, 0, 0}, {1, 2, 4}, {{"base_values", Floats{0.5}}})},
         {"no_rows", {f32({0, 2}, {})}, {f32({0, 1}, {})}, kRegressor()});
ML_REJECTS(TreeEnsembleRegressor, "in a circle", {kRows()},
           with(kRegressor(), "nodes_truenodeids", Ints{1, 0, 0, 0, 0}));
ML_REJECTS(TreeEnsembleRegressor, "has no node 9", {kRows()},
           with(kRegressor(), "nodes_falsenodeids", Ints{9, 0, 4, 0, 0}));
ML_REJECTS(TreeEnsembleRegressor, "votes for target 3", {kRows()}, with(kRegressor(), "target_ids", Ints{0, 3, 0}));
ML_REJECTS(TreeEnsembleRegressor, "has 1 features, the trees ask for 2", {f32({1, 1}, {0})}, kRegressor());
ML_REJECTS(TreeEnsembleRegressor, "has 2 entries", {kRows()}, with(kRegressor(), "nodes_values", Floats{1, 2}));
ML_CASES(TreeEnsembleClassifier,
         {"best_class",
          {kRows()},
          {i64({4}, {10, 20, 30, 10}), f32({4, 3}, {1, 0, 0, 0, 2, 0, 0, 0, 4, 1, 0, 0})},
          stump("class", {0, 1, 2}, {1, 2, 4}, {{"classlabels_int64s", Ints{10, 20, 30}}})},
         {"votes_for_one_of_two",
          {kRows()},
          {str({4}, {"a", "b", "b", "a"}), f32({4, 2}, {0.75, 0.25, 0.25, 0.75, 0, 1, 0.75, 0.25})},
          stump("class", {0, 0, 0}, {0.25, 0.75, 1}, {{"classlabels_strings", Strings{"a", "b"}}})});
ML_CASES(TreeEnsemble,
         {"membership", {f32({3, 2}, {0.5, 9, 1, 7, 1, 5})}, {f32({3, 2}, {1, 0, 0, 2, 3, 0})}, ensemble({0, 1}, {0})});
ML_REJECTS(TreeEnsemble, "root 5 is outside [0, 2)", {f32({1, 2}, {0})}, ensemble({0, 1}, {5}));
ML_REJECTS(TreeEnsemble, "has child -1", {f32({1, 2}, {0})}, ensemble({0, 7}, {0}));
