// Graphs in double precision: which values become doubles, and what stays in its own type between casts.
#include "passes/widen_floats.h"

#include <gtest/gtest.h>

#include "graph/text.h"
#include "graph/verify.h"
#include "ops/graph_inference.h"

namespace sdx::passes {
namespace {

// "Cast Add Cast": the operators, in order, and the types of the outputs.
std::string widened(std::string_view text) {
  auto parsed = parse_graph(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  if (!parsed.ok()) return {};
  Graph graph = std::move(parsed).value();
  ops::InferenceBudget budget;
  EXPECT_TRUE(ops::infer_graph(graph, budget).ok());
  for (NodeId id = 0; id < graph.node_slots(); ++id)
    graph.node(id).opset = ops::find_op(graph.node(id).domain, graph.node(id).op)->contract->since;
  const Status status = widen_floats(graph);
  if (!status.ok()) return status.message();
  EXPECT_TRUE(verify(graph).ok()) << verify(graph).message() << to_text(graph);
  std::string operators;
  const auto order = graph.topological_order();
  for (const NodeId id : order.value()) operators += graph.node(id).op + " ";
  operators += "->";
  for (const ValueId output : graph.outputs()) operators += " " + std::string(name(graph.fact(output).dtype));
  return operators;
}

TEST(widen_floats, casts_inputs_and_widens_weights) {
  EXPECT_EQ(widened(R"(graph "g" {
    input x: f32[2]
    init w: f32[2] = {1, 2}
    a: f32[?] = Mul(x, w)
    y: f32[?] = Add(a, x)
    output y
  })"),
            "Cast Mul Add -> f64");
}

TEST(widen_floats, keeps_whole_numbers_and_doubles) {
  EXPECT_EQ(widened(R"(graph "g" {
    input x: i64[2]
    input z: f64[2]
    a: i64[?] = Neg(x)
    b: f64[?] = Neg(z)
    output a
    output b
  })"),
            "Neg Neg -> i64 f64");
}

TEST(widen_floats, runs_what_takes_no_double_in_its_own_type) {
  EXPECT_EQ(widened(R"(graph "g" {
    input x: f32[2]
    init scale: f32[] = {0.5}
    init zero: u8[] = {0}
    a: f32[?] = Neg(x)
    q: u8[?] = QuantizeLinear(a, scale, zero)
    b: f32[?] = DequantizeLinear(q, scale, zero)
    y: f32[?] = Neg(b)
    output y
  })"),
            "Cast Neg Cast QuantizeLinear DequantizeLinear Cast Neg -> f64");
}

TEST(widen_floats, only_casts_that_lose_digits_lose_them) {
  EXPECT_EQ(widened(R"(graph "g" {
    input x: f16[2]
    a: f32[?] = Cast(x) {to = 1}
    b: f16[?] = Cast(a) {to = 10}
    output a
    output b
  })"),
            "Cast Cast Cast Cast -> f64 f64");  // the input; to double; to half and back
}

TEST(widen_floats, sequences_that_the_caller_gives_stay) {
  EXPECT_EQ(widened(R"(graph "g" {
    input s: seq(f32[?])
    input x: f32[2]
    init i: i64[] = {0}
    a: f32[?] = SequenceAt(s, i)
    y: f32[?] = Add(a, x)
    output y
  })"),
            "SequenceAt Cast Cast Add -> f64");
}

TEST(widen_floats, fails_where_a_sequence_would_be_cast) {
  EXPECT_NE(widened(R"(graph "g" {
    input s: seq(f32[?])
    input x: f32[2]
    a: f32[?] = Neg(x)
    t: seq(f32[?]) = SequenceInsert(s, a)
    output t
  })")
                .find("t is no tensor"),
            std::string::npos);
}

}  // namespace
}  // namespace sdx::passes
