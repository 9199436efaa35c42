#include "runtime/count_operations.h"

#include <gtest/gtest.h>

#include "ops/upgrade.h"

namespace sdx::runtime {
namespace {

using Shapes = std::vector<Shape>;

std::optional<int64_t> counted(std::string_view op, std::string_view domain, const Shapes& inputs,
                               const Shapes& outputs, std::initializer_list<Attribute> attributes = {}) {
  Node node;
  node.op = op;
  node.domain = domain;
  for (const Attribute& attribute : attributes) node.attributes.set(attribute.name, attribute.content);
  TensorList in, out;
  for (const Shape& shape : inputs) in.add(DType::f32, shape, 0, false);
  for (const Shape& shape : outputs) out.add(DType::f32, shape, 0, false);
  return count_operations(node, in, out);
}

TEST(count_operations, two_for_each_product) {
  EXPECT_EQ(counted("BiasMatMul", "sardonyx", {{4, 3}, {3, 5}, {5}}, {{4, 5}}), 2 * 4 * 3 * 5);
  EXPECT_EQ(counted("FusedConv", "com.microsoft", {{1, 2, 8, 8}, {4, 2, 3, 3}}, {{1, 4, 6, 6}}), 2 * 4 * 36 * 18);
  EXPECT_EQ(counted("DynamicQuantizeLSTM", "com.microsoft", {{7, 1, 3}, {1, 3, 8}, {1, 2, 8}}, {{7, 1, 1, 2}}),
            2 * 7 * (24 + 16));
  EXPECT_EQ(counted("BiasGelu", "com.microsoft", {{4, 3}, {3}}, {{4, 3}}), std::nullopt);
}

TEST(count_operations, attention_meets_all_keys) {
  const int64_t both = 2 * (2 * 3 * 4 * 7) * (5 + 6);  // batch, heads, queries, keys; channels of keys and of values
  EXPECT_EQ(
      counted("ScaledDotProductAttention", "sardonyx", {{2, 3, 4, 5}, {2, 3, 7, 5}, {2, 3, 7, 6}}, {{2, 3, 4, 6}}),
      both);
  EXPECT_EQ(counted("ScaledDotProductAttention", "sardonyx", {{2, 3, 4, 5}, {2, 7, 3, 5}, {2, 7, 3, 6}}, {{2, 3, 4, 6}},
                    {ops::attr("k_by_position", 1), ops::attr("v_by_position", 1)}),
            both);
  EXPECT_EQ(counted("MultiHeadAttention", "com.microsoft", {{2, 4, 15}, {2, 7, 15}, {2, 7, 18}}, {{2, 4, 18}}), both);
  EXPECT_EQ(counted("GroupQueryAttention", "com.microsoft", {{1, 1, 8}, {1, 1, 4}, {1, 1, 4}},
                    {{1, 1, 8}, {1, 2, 9, 2}, {1, 2, 9, 2}}),
            2 * 9 * (8 + 8));
  EXPECT_EQ(counted("Attention", "com.microsoft", {{1, 2, 8}, {8, 24}, {24}}, {{1, 2, 8}}), std::nullopt);
}

}  // namespace
}  // namespace sdx::runtime
