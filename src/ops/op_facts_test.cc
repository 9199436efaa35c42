// Expected values are those of the ONNX operator pages.
#include "ops/op_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace sdx::ops {
namespace {

constexpr uint64_t bit(int dtype) { return uint64_t{1} << dtype; }

TEST(op_facts, takes_the_version_in_force) {
  EXPECT_EQ(find_facts("", "Clip", 5)->since, 1);
  EXPECT_EQ(find_facts("", "Clip", 11)->since, 11);
  EXPECT_EQ(find_facts("ai.onnx", "Clip", 28)->since, 13);
  EXPECT_EQ(find_facts("", "LayerNormalization", 16), nullptr);
  EXPECT_EQ(find_facts("", "NoSuchOperator", 28), nullptr);
  EXPECT_EQ(find_facts("com.example", "Clip", 28), nullptr);
}

TEST(op_facts, knows_inputs_and_types) {
  const OpFacts& clip = *find_facts("", "Clip", 28);
  ASSERT_EQ(clip.inputs.size(), 3u);
  EXPECT_EQ(clip.min_inputs, 1);
  EXPECT_EQ(clip.max_inputs, 3);
  EXPECT_EQ(clip.inputs[1].name, "min");
  EXPECT_EQ(clip.inputs[1].option, FormalOption::optional);
  const TypeConstraint& t = clip.constraints[clip.inputs[0].constraint];
  EXPECT_EQ(t.name, "T");
  EXPECT_TRUE(t.tensor_types & bit(16)) << "bfloat16";
  EXPECT_FALSE(t.tensor_types & bit(8)) << "string";
  EXPECT_TRUE(clip.newest);
  EXPECT_TRUE(clip.has_function);
}

TEST(op_facts, knows_variadic_and_concrete_formals) {
  const OpFacts& concat = *find_facts("", "Concat", 28);
  EXPECT_EQ(concat.max_inputs, kUnbounded);
  EXPECT_EQ(concat.inputs[0].option, FormalOption::variadic);
  const OpFacts& loop = *find_facts("", "Loop", 28);
  EXPECT_FALSE(loop.inputs[2].homogeneous);
  EXPECT_EQ(loop.inputs[2].min_arity, 0);
  EXPECT_TRUE(loop.constraints[loop.inputs[2].constraint].optional_sequence_types & bit(1));
  const OpFacts& selection = *find_facts("", "NonMaxSuppression", 28);
  EXPECT_EQ(selection.constraints[selection.inputs[0].constraint].tensor_types, bit(1));
  EXPECT_EQ(selection.constraints[selection.inputs[2].constraint].tensor_types, bit(7));
}

TEST(op_facts, knows_attributes) {
  const OpFacts& norm = *find_facts("", "LayerNormalization", 17);
  EXPECT_EQ(find_attribute(norm, "axis")->default_value, "-1");
  EXPECT_EQ(find_attribute(norm, "epsilon")->kind, AttributeKind::f);
  EXPECT_EQ(find_attribute(norm, "no_such"), nullptr);
  EXPECT_TRUE(find_attribute(*find_facts("", "Concat", 28), "axis")->required);
  const OpFacts& lstm = *find_facts("", "RNN", 28);
  EXPECT_EQ(find_attribute(lstm, "activations")->default_value, "Tanh,Tanh");
  EXPECT_FALSE(find_attribute(lstm, "clip")->has_default);
}

TEST(op_facts, tables_are_sorted_and_whole) {
  const auto key = [](const OpFacts& f) { return std::tuple(f.domain, f.name, f.since); };
  EXPECT_TRUE(std::ranges::is_sorted(all_facts(), {}, key));
  EXPECT_TRUE(std::ranges::is_sorted(all_ops(), {}, [](const OpEntry& e) { return std::tuple(e.domain, e.name); }));
  for (const OpFacts& facts : all_facts()) {
    EXPECT_EQ(find_facts(facts.domain, facts.name, facts.since), &facts);
    for (const auto formals : {facts.inputs, facts.outputs})
      for (const Formal& formal : formals) {
        ASSERT_LT(static_cast<size_t>(formal.constraint), facts.constraints.size()) << facts.name;
        EXPECT_EQ(facts.constraints[formal.constraint].name, formal.type);
      }
  }
  for (const OpEntry& entry : all_ops()) EXPECT_EQ(find_op(entry.domain, entry.name), &entry);
}

}  // namespace
}  // namespace sdx::ops
