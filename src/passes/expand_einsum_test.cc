// What an Einsum becomes, and what stays one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(expand_einsum, makes_products_of_matrices) {
  const auto expanded = [](std::string_view equation, std::string_view operands) {
    return after("expand_einsum", formatted(R"(graph "g" {{
      input x: f32[2, 3, 4]
      input v: f32[4]
      input m: f32[4, 5]
      input s: f32[2, 4, 3]
      input n: f32[a, 7]
      input k: i8[4]
      input q: f32[2, 3, 3]
      y: ? = Einsum({}) {{equation = "{}"}}
      output y
    }})",
                                            operands, equation));
  };
  const auto ops = [&](std::string_view equation, std::string_view operands) {
    return expanded(equation, operands).text;
  };
  EXPECT_EQ(ops("bij,jk->bik", "x, m"), "MatMul");
  EXPECT_EQ(ops("bij,bjk->bik", "x, s"), "MatMul");
  EXPECT_EQ(ops("...ij,...jk", "x, s"), "MatMul");
  EXPECT_EQ(ops("bij,jk->bki", "x, m"), "Transpose Transpose MatMul") << "the columns come first: the other way round";
  EXPECT_EQ(ops("bij,bki->bjk", "x, s"), "Transpose Transpose MatMul");
  EXPECT_EQ(ops("bij,bji->b", "x, s"), "Transpose Unsqueeze Reshape Transpose Unsqueeze Reshape MatMul Squeeze");
  EXPECT_EQ(ops("i,i->", "v, v"), "Unsqueeze Unsqueeze MatMul Squeeze");
  EXPECT_EQ(ops("i,j->ij", "v, v"), "Unsqueeze Mul");
  EXPECT_EQ(ops("bij,j->bij", "x, v"), "Mul");
  EXPECT_EQ(ops("bij,k->kb", "x, v"), "Unsqueeze Mul ReduceSum") << "products before sums";
  EXPECT_EQ(ops("bij->jb", "x"), "ReduceSum Transpose");
  EXPECT_EQ(ops("bij->bij", "x"), "Einsum") << "an input as an output needs a node";

  const auto declined = [&](std::string_view equation, std::string_view operands) {
    const Outcome outcome = expanded(equation, operands);
    EXPECT_EQ(outcome.text, "Einsum");
    return outcome.declined;
  };
  using testing::HasSubstr;
  EXPECT_THAT(declined("i,i,i->i", "v, v, v"), HasSubstr("more than two operands"));
  EXPECT_THAT(declined("i,i->", "k, k"), HasSubstr("no product of matrices has this type"));
  EXPECT_THAT(declined("bii->b", "q"), HasSubstr("a letter twice in one operand"));
  EXPECT_THAT(declined("ij,ik->jk", "m, n"), HasSubstr("a summed letter may have different sizes"));
  EXPECT_THAT(declined("ij,ij->", "n, n"), HasSubstr("the sizes of several summed letters are not known"));
}

}  // namespace
}  // namespace sdx::passes
