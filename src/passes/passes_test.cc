// Each rewrite as text before and after, and what must stay as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "ops/linalg/gemm_bf16.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(fold_constants, computes_chains_of_known_values) {
  EXPECT_EQ(ops_after("fold_constants", R"(graph "g" {
    input x: f32[2]
    init w: f32[2] = {1, 2}
    a: f32[?] = Mul(w, w)
    b: f32[?] = Exp(a)
    y: f32[?] = Add(x, b)
    output y
  })"),
            "Add");
}

TEST(fold_constants, knows_the_elements_of_shapes) {
  EXPECT_EQ(ops_after("fold_constants", R"(graph "g" {
    input x: f32[2, n, 3]
    s: i64[?] = Shape(x) {start = 2}
    t: i64[?] = Shape(x)
    y: f32[?] = Expand(x, s)
    z: f32[?] = Expand(x, t)
    output y
    output z
  })"),
            "Shape Expand Expand");
}

TEST(fold_constants, keeps_what_a_caller_may_change_or_asks_for) {
  EXPECT_EQ(after("fold_constants", R"(graph "g" {
    input w: f32[2] = {1, 2}
    init v: f32[2] = {1, 2}
    a: f32[?] = Exp(w)
    b: f32[?] = Exp(v)
    output a
    output b
  })")
                .rewrites,
            0u)
      << "an initializer that is an input, and a graph output";
}

TEST(fold_constants, fills_weights_that_only_products_take) {
  const auto filled = [](std::string_view users) {
    return ops_after("fold_constants", formatted(R"(graph "g" {{
      input x: f32[2, 1024]
      init s: i64[2] = {{1024, 1024}}
      w: f32[?] = ConstantOfShape(s)
      {}
    }})",
                                                 users));
  };
  EXPECT_EQ(filled("y: f32[?] = MatMul(x, w)\n output y"), "MatMul");
  EXPECT_EQ(filled("y: f32[?] = Gemm(x, w) {transB = 1}\n output y"), "Gemm");
  EXPECT_EQ(filled("y: f32[?] = MatMul(w, w)\n output y"), "ConstantOfShape MatMul");
  EXPECT_EQ(filled("y: f32[?] = MatMul(x, w)\n z: f32[?] = Exp(w)\n output y\n output z"),
            "ConstantOfShape MatMul Exp");
}

TEST(fold_constants, keeps_random_numbers_and_what_would_grow) {
  EXPECT_EQ(after("fold_constants", R"(graph "g" {
    init s: i64[2] = {2048, 2048}
    a: f32[?] = RandomNormal() {shape = ints[2]}
    b: f32[?] = ConstantOfShape(s)
    y: f32[?] = Exp(a)
    z: f32[?] = Exp(b)
    output y
    output z
  })")
                .rewrites,
            0u);
}

// What these give is their input `a`, of shape [2, 3].
constexpr std::string_view kNoOps[] = {"Identity(a)",
                                       "Dropout(a)",
                                       "Cast(a) {to = 1}",
                                       "Transpose(a) {perm = ints[0, 1]}",
                                       "Concat(a) {axis = 0}",
                                       "Mul(a, one)",
                                       "Mul(one, a)",
                                       "Div(a, one)",
                                       "Pow(a, one)",
                                       "Add(a, minus_zero)",
                                       "Sub(a, zero)",
                                       "Sum(a)",
                                       "Mean(a)",
                                       "Max(a)",
                                       "Min(a)",
                                       "Clip(a)",
                                       "Reshape(a, shape)",
                                       "Expand(a, ones)",
                                       "Tile(a, ones)",
                                       "Pad(a, zeros)",
                                       "Slice(a, none, two)",
                                       "Flatten(a)"};
constexpr std::string_view kNoOpWeights = R"(
      init one: f32[1] = {1}
      init zero: f32[1] = {0}
      init minus_zero: f32[1] = {-0}
      init shape: i64[2] = {2, 3}
      init ones: i64[2] = {1, 1}
      init two: i64[2] = {2, 3}
      init none: i64[2] = {0, 0}
      init zeros: i64[4] = {0, 0, 0, 0})";

TEST(eliminate_no_ops, forwards_inputs) {
  for (const std::string_view node : kNoOps) {
    EXPECT_EQ(ops_after("eliminate_no_ops", formatted(R"(graph "g" {{
      input x: f32[2, 3]{}
      a: f32[?] = Exp(x)
      b: f32[?] = {}
      y: f32[?] = Neg(b)
      output y
    }})",
                                                      kNoOpWeights, node)),
              "Exp Neg")
        << node;
  }
}

TEST(eliminate_no_ops, forwards_what_the_reference_would_give) {
  for (const std::string_view node : kNoOps) {
    if (node == "Dropout(a)") continue;  // may be random: never folded
    const Outcome outcome = after("fold_constants", formatted(R"(graph "g" {{
      input x: f32[2, 3]
      init a: f32[2, 3] = {{-0, 0, 1, inf, -inf, 1e-40}}{}
      b: f32[?] = {}
      y: f32[?] = Add(x, b)
      output y
    }})",
                                                              kNoOpWeights, node));
    EXPECT_EQ(outcome.text, "Add") << node;
    EXPECT_THAT(outcome.graph, testing::HasSubstr("init b: f32[2, 3] = {-0, 0, 1, inf, -inf, 1e-40}")) << node;
  }
}

TEST(eliminate_no_ops, keeps_what_changes_something) {
  for (const std::string_view node :
       {"Add(a, zero)" /* -0 becomes 0 */, "Sub(zero, a)", "Div(one, a)", "Mul(a, wide)", "Transpose(a)",
        "Slice(a, last, first, axes, back)", "Pad(a, shift)", "Cast(a) {to = 11}", "Add(wide, a)"}) {
    const Outcome outcome = after("eliminate_no_ops", formatted(R"(graph "g" {{
      input x: f32[3, 3]
      init one: f32[1] = {{1}}
      init zero: f32[1] = {{0}}
      init wide: f32[2, 1, 1] = {{1, 1}}
      init last: i64[1] = {{2}}
      init first: i64[1] = {{-9}}
      init axes: i64[1] = {{0}}
      init back: i64[1] = {{-1}}
      init shift: i64[4] = {{1, 0, -1, 0}}
      a: f32[?] = Exp(x)
      b: ? = {}
      y: ? = Neg(b)
      output y
    }})",
                                                                node));
    EXPECT_EQ(outcome.rewrites, 0u) << node;
  }
}

TEST(eliminate_no_ops, keeps_the_names_of_outputs) {
  const std::string_view text = R"(graph "g" {
    input x: f32[2]
    a: f32[?] = Exp(x)
    y: f32[?] = Identity(a)
    z: f32[?] = Identity(a)
    w: f32[?] = Identity(x)
    output y
    output z
    output w
  })";
  EXPECT_EQ(ops_after("eliminate_no_ops", text), "Exp Identity Identity")
      << "two outputs cannot be one value, and an input has its own name";
}

TEST(merge_chains, casts_that_lose_nothing) {
  const auto casts = [](std::string_view from, int between, int to) {
    return ops_after("merge_chains remove_dead_nodes", formatted(R"(graph "g" {{
      input x: {}[2]
      a: ? = Cast(x) {{to = {}}}
      b: ? = Cast(a) {{to = {}}}
      output b
    }})",
                                                                 from, between, to));
  };
  EXPECT_EQ(casts("f16", 1, 16), "Cast");       // float, then bfloat16
  EXPECT_EQ(casts("i32", 7, 1), "Cast");        // int64, then float
  EXPECT_EQ(casts("bool", 1, 7), "Cast");       // float, then int64
  EXPECT_EQ(casts("f32", 10, 1), "Cast Cast");  // float16 rounds
  EXPECT_EQ(casts("i32", 1, 7), "Cast Cast");   // float rounds large ones
  EXPECT_EQ(casts("f32", 7, 1), "Cast Cast");   // int64 truncates
  EXPECT_EQ(casts("i64", 6, 7), "Cast Cast");   // int32 wraps
  EXPECT_EQ(casts("u8", 3, 6), "Cast Cast");    // int8 wraps
  EXPECT_EQ(casts("f32", 9, 1), "Cast Cast");   // bool forgets
  EXPECT_EQ(casts("f16", 11, 8), "Cast Cast");  // as text, a double has more digits
  EXPECT_EQ(casts("u8", 1, 8), "Cast Cast");
  EXPECT_EQ(casts("f32", 1, 8), "Cast");
}

TEST(merge_chains, transposes_and_reshapings) {
  EXPECT_EQ(ops_after("merge_chains remove_dead_nodes", R"(graph "g" {
    input x: f32[2, 3, 4]
    a: f32[?] = Transpose(x) {perm = ints[1, 2, 0]}
    y: f32[?] = Transpose(a) {perm = ints[1, 0, 2]}
    output y
  })"),
            "Transpose");
  EXPECT_EQ(ops_after("merge_chains remove_dead_nodes", R"(graph "g" {
    input x: f32[n, 3, 4]
    init axes: i64[1] = {0}
    a: f32[?] = Flatten(x)
    y: f32[?] = Unsqueeze(a, axes)
    output y
  })"),
            "Reshape");
  EXPECT_EQ(after("merge_chains remove_dead_nodes", R"(graph "g" {
    input x: f32[n, m, 4]
    init axes: i64[1] = {0}
    init more: i64[1] = {1}
    a: f32[?] = Unsqueeze(x, axes)
    y: f32[?] = Unsqueeze(a, more)
    output y
  })")
                .declined,
            "Reshape + Reshape: more than one dimension is not known\n");
}

TEST(share_equal_nodes, computes_once) {
  EXPECT_EQ(ops_after("share_equal_nodes", R"(graph "g" {
    input x: f32[2]
    init one: f32[1] = {1}
    init uno: f32[1] = {1}
    init two: f32[1] = {2}
    a: f32[?] = Add(x, one)
    b: f32[?] = Add(x, uno)
    c: f32[?] = Add(x, two)
    d: f32[?] = Mul(a, b)
    y: f32[?] = Mul(d, c)
    output y
  })"),
            "Add Add Mul Mul");
  EXPECT_EQ(after("share_equal_nodes", R"(graph "g" {
    a: f32[?] = RandomNormal() {shape = ints[2]}
    b: f32[?] = RandomNormal() {shape = ints[2]}
    y: f32[?] = Add(a, b)
    output y
  })")
                .rewrites,
            0u);
}

TEST(remove_dead_nodes, keeps_what_is_seen) {
  EXPECT_EQ(ops_after("remove_dead_nodes", R"(graph "g" {
    input x: f32[2]
    a: f32[?] = Exp(x)
    b: f32[?] = Log(a)
    y: f32[?] = Neg(x)
    output y
  })"),
            "Neg");
}

TEST(pipeline, stops_after_the_nth_rewrite) {
  const std::string_view text = R"(graph "g" {
    input x: f32[2]
    a: f32[?] = Identity(x)
    b: f32[?] = Identity(a)
    c: f32[?] = Identity(b)
    y: f32[?] = Neg(c)
    output y
  })";
  for (uint64_t last = 0; last <= 3; ++last) {
    const Outcome outcome = after("eliminate_no_ops", text, last);
    EXPECT_EQ(outcome.rewrites, last);
    EXPECT_EQ(std::ranges::count(outcome.text, 'I'), static_cast<int64_t>(3 - last));
  }
}

TEST(absorb_scales, no_weight_overflows_or_vanishes) {
  const auto product = [](std::string_view type, std::string_view weight, std::string_view scale,
                          std::string_view bias) {
    return ops_after("absorb_scales", formatted(R"(graph "g" {{
      input x: {0}[2, 2]
      init w: {0}[2, 2] = {{{1}}}
      init s: {0}[2] = {{{2}}}
      init b: {0}[2] = {{{3}}}
      a: {0}[?] = Gemm(x, w, b)
      y: {0}[?] = Mul(a, s)
      output y
    }})",
                                                type, weight, scale, bias));
  };
  EXPECT_EQ(product("f16", "1, 2, 3, 4", "2, 0.5", "1, 2"), "Gemm");
  EXPECT_EQ(product("f16", "1, 1000, 3, 4", "1, 100", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f16", "1, 0.001, 1, 0", "1, 0.001", "1, 2"), "Gemm Mul") << "a channel of which no digit is left";
  EXPECT_EQ(product("f16", "1, 0.001, 1, 1", "1, 0.001", "1, 2"), "Gemm") << "a weight that counts for nothing";
  EXPECT_EQ(product("f16", "1, 2, 3, 4", "1, 2", "1, 60000"), "Gemm Mul") << "the bias overflows";
  EXPECT_EQ(product("f32", "1, 1e30, 3, 4", "1, 1e10", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f32", "1, 1e-30, 3, 1e-30", "1, 1e-18", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f64", "1, 1e30, 3, 4", "1, 1e10", "1, 2"), "Gemm");
  EXPECT_EQ(product("f32", "1, 2, 3, 4", "1, 0", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f32", "1, 2, 3, 4", "1, nan", "1, 2"), "Gemm Mul");
}

TEST(absorb_scales, a_normalization_takes_in_what_is_behind_it) {
  const auto normalized = [](std::string_view form, std::string_view behind) {
    return ops_after("absorb_scales", formatted(R"(graph "g" {{
      input x: f32[1, 2, 3, 3]
      init s: f32[2] = {{1, 2}}
      init b: f32[2] = {{3, 4}}
      init m: f32[2] = {{5, 6}}
      init v: f32[2] = {{7, 8}}
      init c: f32[2, 1, 1] = {{2, 3}}
      init r: f32[3] = {{2, 3, 4}}
      a: f32[?] = BatchNormalization(x, s, b, m, v){}
      {}
      output y
    }})",
                                                form, behind));
  };
  EXPECT_EQ(normalized("", "y: f32[?] = Mul(a, c)"), "BatchNormalization");
  EXPECT_EQ(normalized("", "d: f32[?] = Mul(a, c)\n y: f32[?] = Add(d, c)"), "BatchNormalization");
  EXPECT_EQ(normalized("", "y: f32[?] = BatchNormalization(a, s, b, m, v)"), "BatchNormalization");
  EXPECT_EQ(normalized("", "y: f32[?] = Mul(a, r)"), "BatchNormalization Mul") << "along the last axis";
  EXPECT_EQ(normalized(" {training_mode = 1}", "y: f32[?] = Mul(a, c)"), "BatchNormalization Mul");
}

TEST(fuse_hard_swish, in_the_forms_of_exporters) {
  const auto swish = [](std::string_view three, std::string_view six, std::string_view body) {
    return ops_after("fuse_hard_swish", formatted(R"(graph "g" {{
      input x: f32[2]
      init three: f32[] = {{{}}}
      init zero: f32[] = {{0}}
      init six: f32[] = {{{}}}
      init sixth: f32[] = {{0.16666667}}
      a: f32[?] = Add(x, three)
      c: f32[?] = Clip(a, zero, six)
      {}
      output y
    }})",
                                                  three, six, body));
  };
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Mul(x, c)\n y: f32[?] = Div(m, six)"), "HardSwish");
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Mul(c, x)\n y: f32[?] = Mul(sixth, m)"), "HardSwish");
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Div(c, six)\n y: f32[?] = Mul(m, x)"), "HardSwish");
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Div(c, six)\n y: f32[?] = Mul(m, x)\n output c"), "Add Clip Div Mul");
  EXPECT_EQ(swish("3", "5", "m: f32[?] = Mul(x, c)\n y: f32[?] = Div(m, six)"), "Add Clip Mul Div");
  EXPECT_EQ(swish("2", "6", "m: f32[?] = Mul(x, c)\n y: f32[?] = Div(m, six)"), "Add Clip Mul Div");
  EXPECT_EQ(swish("3", "6", "y: f32[?] = Div(c, six)"), "Add Clip Div") << "a HardSigmoid";
}

TEST(fuse_gelu, only_with_its_own_numbers) {
  const auto gelu = [](std::string_view type, std::string_view root, std::string_view exponent, std::string_view half) {
    return ops_after("fuse_gelu", formatted(R"(graph "g" {{
      input x: {0}[2]
      init r: {0}[] = {{{1}}}
      init k: {0}[] = {{0.044715}}
      init e: {0}[] = {{{2}}}
      init one: {0}[] = {{1}}
      init half: {0}[] = {{{3}}}
      a: {0}[?] = Pow(x, e)
      b: {0}[?] = Mul(a, k)
      c: {0}[?] = Add(x, b)
      d: {0}[?] = Mul(c, r)
      t: {0}[?] = Tanh(d)
      p: {0}[?] = Add(t, one)
      m: {0}[?] = Mul(x, p)
      y: {0}[?] = Mul(m, half)
      output y
    }})",
                                            type, root, exponent, half));
  };
  const std::string left = "Pow Mul Add Mul Tanh Add Mul Mul";
  EXPECT_EQ(gelu("f32", "0.797885", "3", "0.5"), "FastGelu") << "six digits, as exporters print them";
  EXPECT_EQ(gelu("f16", "0.797885", "3", "0.5"), "FastGelu");
  EXPECT_EQ(gelu("f64", "0.7978845608028654", "3", "0.5"), "FastGelu");
  EXPECT_EQ(gelu("f64", "0.797884583473206", "3", "0.5"), left) << "a float's digits";
  EXPECT_EQ(gelu("f32", "0.7979", "3", "0.5"), left);
  EXPECT_EQ(gelu("f32", "0.797885", "3.0002", "0.5"), left) << "a power that has no negative numbers";
  EXPECT_EQ(gelu("f32", "0.797885", "3", "0.50001"), left);
}

TEST(fuse_normalization, only_with_an_epsilon_that_the_attribute_can_say) {
  const auto norm = [](std::string_view type, std::string_view epsilon) {
    return ops_after("fuse_normalization", formatted(R"(graph "g" {{
      input x: {0}[2, 3]
      init axes: i64[1] = {{-1}}
      init two: {0}[] = {{2}}
      init e: {0}[] = {{{1}}}
      init w: {0}[3] = {{1, 2, 3}}
      a: {0}[?] = Pow(x, two)
      b: {0}[?] = ReduceMean(a, axes)
      c: {0}[?] = Add(b, e)
      d: {0}[?] = Sqrt(c)
      n: {0}[?] = Div(x, d)
      y: {0}[?] = Mul(n, w)
      output y
    }})",
                                                     type, epsilon));
  };
  EXPECT_EQ(norm("f32", "1e-5"), "SimplifiedLayerNormalization");
  EXPECT_EQ(norm("f64", "0.125"), "SimplifiedLayerNormalization");
  EXPECT_EQ(norm("f64", "1e-5"), "Pow ReduceMean Add Sqrt Div Mul");
}

TEST(fuse_activations, bounds_that_are_not_there_let_infinity_through) {
  const auto clip = [](std::string_view bounds, std::string_view before) {
    return after("fuse_activations", formatted(R"(graph "g" {{
      input x: f32[1, 1]
      input z: f32[1, 1, 3]
      init w: f32[1, 1] = {{2}}
      init v: f32[1, 1, 1] = {{2}}
      init low: f32[] = {{0}}
      init high: f32[] = {{6}}
      a: f32[?] = {}
      y: f32[?] = Clip(a{})
      output y
    }})",
                                               before, bounds));
  };
  EXPECT_THAT(clip("", "Conv(z, v)").graph, testing::HasSubstr("[-inf, inf]"));
  EXPECT_THAT(clip(", low", "Conv(z, v)").graph, testing::HasSubstr("[0.0, inf]"));
  EXPECT_THAT(clip(", _, high", "Conv(z, v)").graph, testing::HasSubstr("[-inf, 6.0]"));
  EXPECT_EQ(clip(", low", "Gemm(x, w)").text, "Gemm Clip") << "onnxruntime could not load a FusedGemm with Clip";
}

TEST(fuse_bias, only_one_number_a_column) {
  const auto sum = [](std::string_view bias, std::string_view order) {
    return ops_after("fuse_bias", formatted(R"(graph "g" {{
      input x: f32[n, 2, 3]
      init w: f32[3, 2] = {{1, 2, 3, 4, 5, 6}}
      init b: f32[{}
      a: f32[?] = MatMul(x, w)
      y: f32[?] = Add({})
      output y
    }})",
                                            bias, order));
  };
  EXPECT_EQ(sum("2] = {1, 2}", "a, b"), "BiasMatMul");
  EXPECT_EQ(sum("2] = {1, 2}", "b, a"), "BiasMatMul");
  EXPECT_EQ(sum("1] = {1}", "a, b"), "MatMul Add");
  EXPECT_EQ(sum("2, 1] = {1, 2}", "a, b"), "MatMul Add") << "one number a row";
  EXPECT_EQ(sum("2] = {1, 2}", "a, a"), "MatMul Add");
}

TEST(round_products, only_products_by_constant_matrices) {
  const auto rounded = [](std::string_view product) {
    return after("round_products", formatted(R"(graph "g" {{
      input x: f32[n, 3]
      input z: f32[3, 2]
      init w: f32[3, 2] = {{1, 2, 3, 4, 5, 6}}
      init column: f32[3, 1] = {{1, 2, 3}}
      init b: f32[2] = {{1, 2}}
      init c: f32[1, 2] = {{1, 2}}
      y: f32[?] = {}
      output y
    }})",
                                             product));
  };
  const std::string_view made = ops::has_bf16_products() ? "BiasMatMul" : "";
  const auto ops_of = [&](std::string_view product) { return rounded(product).text; };
  EXPECT_EQ(ops_of("MatMul(x, w)"), made.empty() ? "MatMul" : made);
  EXPECT_EQ(ops_of("Gemm(x, w, b)"), made.empty() ? "Gemm" : made);
  EXPECT_EQ(rounded("MatMul(x, w)").declined.empty(), !made.empty());
  EXPECT_EQ(ops_of("Gemm(x, w, c)"), "Gemm");
  EXPECT_EQ(ops_of("Gemm(x, w, b) {alpha = 2.0}"), "Gemm");
  EXPECT_EQ(ops_of("MatMul(x, z)"), "MatMul");
  EXPECT_EQ(ops_of("MatMul(x, column)"), "MatMul");
}

TEST(scatter_rows, one_number_a_row) {
  const auto scattered = [](std::string_view index, std::string_view updates, std::string_view axis) {
    return ops_after("scatter_rows", formatted(R"(graph "g" {{
      input x: f32[8, 4, 3]
      input i: i64[{}]
      input u: f32[{}]
      s: i64[?] = Shape(u)
      e: i64[?] = Expand(i, s)
      y: f32[?] = ScatterElements(x, e, u) {{axis = {}, reduction = "add"}}
      output y
    }})",
                                               index, updates, axis));
  };
  constexpr std::string_view kSpelled = "Shape Expand ScatterElements";
  EXPECT_EQ(scattered("n, 1, 1", "n, 4, 3", "0"), "Shape ScatterRows");
  EXPECT_EQ(scattered("5, 1, 1", "5, 4, 3", "-3"), "Shape ScatterRows");
  EXPECT_EQ(scattered("2, 1", "8, 2, 3", "1"), "Shape ScatterRows") << "fewer dimensions";
  EXPECT_EQ(scattered("n, 1, 1", "m, 4, 3", "0"), kSpelled) << "the index may be one row, repeated";
  EXPECT_EQ(scattered("5, 1, 1", "5, 2, 3", "0"), kSpelled) << "a part of each row";
  EXPECT_EQ(scattered("5, 4, 1", "5, 4, 3", "0"), kSpelled) << "not the same along a row";
  EXPECT_EQ(scattered("1, 1, 1", "5, 4, 3", "0"), kSpelled) << "one number for all rows";
}

TEST(fuse_attention, products_and_softmax_over_heads) {
  const auto spelled = [](std::string_view perm, std::string_view scores, std::string_view axis,
                          std::string_view more) {
    return ops_after("fuse_attention remove_dead_nodes", formatted(R"(graph "g" {{
      input q: f32[b, 2, n, 4]
      input k: f32[b, 2, m, 4]
      input v: f32[b, 2, m, 5]
      input mask: f32[b, 1, 1, l]
      init scale: f32[] = {{0.5}}
      init two: f32[2, 1, 1] = {{0.5, 2}}
      t: f32[?] = Transpose(k) {{perm = ints[{}]}}
      p: f32[?] = MatMul(q, t)
      f: f32[?] = com.microsoft.FusedMatMul(q, k) {{alpha = 0.5, transB = 1}}
      s: f32[?] = Mul(p, scale)
      h: f32[?] = Mul(p, two)
      d: f32[?] = Add(s, mask)
      e: f32[?] = Add(h, mask)
      w: f32[?] = Softmax({}) {{axis = {}}}
      y: f32[?] = MatMul(w, v)
      output y
      {}
    }})",
                                                                   perm, scores, axis, more));
  };
  constexpr std::string_view kTurned = "0, 1, 3, 2", kSpelled = "Transpose MatMul Softmax MatMul";
  EXPECT_EQ(spelled(kTurned, "d", "-1", ""), "ScaledDotProductAttention");
  EXPECT_EQ(spelled(kTurned, "s", "3", ""), "ScaledDotProductAttention") << "no mask";
  EXPECT_EQ(spelled(kTurned, "p", "-1", ""), "ScaledDotProductAttention") << "no scale";
  EXPECT_EQ(spelled(kTurned, "f", "-1", ""), "ScaledDotProductAttention") << "the product transposes";
  EXPECT_EQ(spelled(kTurned, "p", "-2", ""), kSpelled) << "another axis";
  EXPECT_EQ(spelled(kTurned, "p", "-1", "output w"), kSpelled) << "the weights are wanted";
  EXPECT_EQ(spelled(kTurned, "e", "-1", ""), "Transpose MatMul Mul Add Softmax MatMul") << "a factor a head";
}

TEST(absorb_pads, only_zeros_around_the_image) {
  const auto conv = [](std::string_view pads, std::string_view fill, std::string_view attributes) {
    return ops_after("absorb_pads", formatted(R"(graph "g" {{
      input x: f32[1, 1, 4, 4]
      init w: f32[1, 1, 2, 2] = {{1, 2, 3, 4}}
      init pads: i64[8] = {{{}}}
      init fill: f32[] = {{{}}}
      a: f32[?] = Pad(x, pads, fill)
      y: f32[?] = Conv(a, w){}
      output y
    }})",
                                              pads, fill, attributes));
  };
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "0", ""), "Conv");
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "0", " {pads = ints[1, 1, 1, 1]}"), "Conv");
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "1", ""), "Pad Conv");
  EXPECT_EQ(conv("0, 0, -1, 2, 0, 0, 3, 4", "0", ""), "Pad Conv");
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "0", " {auto_pad = \"SAME_UPPER\"}"), "Pad Conv");
}

std::string looked_up(std::string_view chain, std::string_view gather = "Gather(m, i)") {
  return ops_after("gather_first", formatted(R"(graph "g" {{
    input i: i64[n]
    input s: f32[4, 1]
    init t: i8[4, 2] = {{1, 2, 3, 4, 5, 6, 7, 8}}
    init r: f32[4, 1] = {{1, 2, 3, 4}}
    init c: f32[2] = {{1, 2}}
    {}
    y: f32[?] = {}
    output y
  }})",
                                             chain, gather));
}

TEST(gather_first, rows_are_looked_up_before_they_are_converted_and_scaled) {
  constexpr std::string_view kCast = "f: f32[?] = Cast(t) {to = 1}\n";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, r)", kCast)), "Gather Gather Cast Mul");
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, c)", kCast)), "Gather Cast Mul") << "a factor without rows stays";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, s)", kCast)), "Cast Mul Gather") << "no weight";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, r)\noutput m", kCast)), "Cast Mul Gather") << "others want it";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, r)", kCast), "Gather(m, i) {axis = 1}"), "Cast Mul Gather");
  EXPECT_EQ(looked_up("m: f32[?] = Cast(t) {to = 1}"), "Gather Cast");
}

TEST(widen_halves, computes_in_float32_from_one_product_to_the_next) {
  const auto with = [](std::string_view op) {
    return ops_after("widen_halves", formatted(R"(graph "g" {{
    input x: f16[1, 2, 4]
    init w: f16[2, 2, 1] = {{1, 2, 3, 4}}
    a: f16[?] = {}
    b: f16[?] = Relu(a)
    y: f16[?] = Add(b, x)
    output y
  }})",
                                               op));
  };
  EXPECT_EQ(with("Conv(x, w)"), "Cast Conv Relu Cast Add Cast");
  EXPECT_EQ(with("Identity(x)"), "Identity Relu Add") << "nothing multiplies matrices";
}

TEST(widen_halves, gives_a_cast_to_float32_what_was_not_rounded) {
  const auto with = [](std::string_view more) {
    return after("widen_halves", formatted(R"(graph "g" {{
    input x: f32[1, 2, 4]
    init w: f16[2, 2, 1] = {{1, 2, 3, 4}}
    h: f16[?] = Cast(x) {{to = 10}}
    a: f16[?] = Conv(h, w)
    y: f32[?] = Cast(a) {{to = 1}}
    z: f32[?] = Cast(h) {{to = 1}}
    output y
    {}
  }})",
                                           more));
  };
  EXPECT_EQ(with("").text, "Cast Cast Cast Conv") << "the model's own rounding stays";
  EXPECT_THAT(with("").graph, testing::HasSubstr("y: f32[1, 2, 4] = Conv(")) << "and the name of the output";
  EXPECT_EQ(with("output a").text, "Cast Cast Cast Conv Cast") << "float16 is an output too";
  EXPECT_EQ(with("output z").text, "Cast Cast Cast Conv") << "of what no product made";
}

}  // namespace
}  // namespace sdx::passes
