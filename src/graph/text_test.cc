#include "graph/text.h"

#include <gtest/gtest.h>

#include "graph/verify.h"

namespace sdx {
namespace {

constexpr std::string_view kGraph = R"(graph "main" {
  input x: f32[batch, 3]
  input "odd name": i64[2] <batch, 2*batch + 1>
  input y: f32[1] = {0.5}
  init w: f32[2] = {1, -inf}
  init s: string[2] = {"a\"b", ""}
  init k: i4[3] = {-8, 7, 0}
  init c: bool[] = {1}
  a: f32[batch, 3], _ = Clip(x, _, w) {axis = 1, alpha = 0.25, one = 1.0, mode = "linear", axes = ints [1, -2], names = strings ["u", "v"], t = tensor f16[2] {1.5, nan}, ty = type seq(f32[...])} #"node/1"
  b: seq(f32[...]) = com.microsoft.Foo(a, "odd name")
  d: f32[?1, 3] = If(c) {then_branch = graph "then" {
    capture a as a: f32[batch, 3]
    e: f32[batch, 3] = Neg(a)
    output e
  }, else_branch = graph "else" {
    init z: f32[0, 3] = {}
    output z
  }} #"choice"
  output b
  output d
}
)";

TEST(graph_text, prints_what_it_parsed) {
  const std::string text(kGraph);
  const auto graph = parse_graph(text);
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  EXPECT_TRUE(verify(*graph).ok()) << verify(*graph).message();
  EXPECT_EQ(to_text(*graph), text);
  const Graph copy = *graph;
  EXPECT_EQ(to_text(copy), text);
}

TEST(graph_text, elides_large_constants_on_request) {
  const auto graph = parse_graph("graph \"g\" { init w: f32[3] = {1, 2, 3} output w }");
  ASSERT_TRUE(graph.ok());
  EXPECT_NE(to_text(*graph, {.max_elements = 2}).find("= ..."), std::string::npos);
}

TEST(graph_text, says_what_is_wrong_and_where) {
  for (const auto& [text, message] :
       {std::pair("graph \"g\" {\n  y: f32[2] = Neg(x)\n}", "line 2: no value is named x"),
        std::pair("graph \"g\" {", "line 1"), std::pair("graph \"g\" { init w: f32[n] = {1} }", "symbolic shape"),
        std::pair("graph \"g\" { input x: foo[2] }", "unknown element type foo")}) {
    const auto graph = parse_graph(text);
    ASSERT_FALSE(graph.ok());
    EXPECT_NE(graph.status().message().find(message), std::string::npos) << graph.status().message();
  }
}

TEST(verify, names_the_value_that_nothing_makes) {
  Graph graph;
  const ValueId x = graph.add_value("x", Fact::tensor(DType::f32)), y = graph.add_value("y");
  Node node;
  node.op = "Neg";
  node.name = "n";
  node.inputs = {x};
  node.outputs = {y};
  graph.add_node(node);
  EXPECT_NE(verify(graph).message().find("n (Neg): nothing makes its input \"x\""), std::string::npos);
}

TEST(verify, names_the_nodes_of_a_cycle) {
  Graph graph;
  const ValueId x = graph.add_value("x"), y = graph.add_value("y");
  for (const auto& [name, in, out] : {std::tuple("a", x, y), std::tuple("b", y, x)}) {
    Node node;
    node.op = "Neg";
    node.name = name;
    node.inputs = {in};
    node.outputs = {out};
    graph.add_node(node);
  }
  EXPECT_NE(verify(graph).message().find("a (Neg), b (Neg)"), std::string::npos) << verify(graph).message();
}

TEST(graph, replacing_uses_keeps_users_and_captures_right) {
  auto graph = parse_graph(R"(graph "g" {
    input x: f32[2]
    input c: bool[]
    a: f32[2] = Neg(x)
    b: f32[2] = If(c) {then_branch = graph "t" { capture a as a: f32[2] output a }}
    d: f32[2] = Add(a, a)
    output a
    output d
  })");
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  graph->replace_uses(*graph->find_value("a"), *graph->find_value("x"));
  EXPECT_TRUE(verify(*graph).ok()) << verify(*graph).message();
  EXPECT_TRUE(graph->value(*graph->find_value("a")).users.empty());
  EXPECT_EQ(graph->value(*graph->find_value("x")).users.size(), 4u);
  EXPECT_EQ(graph->outputs()[0], *graph->find_value("x"));
}

}  // namespace
}  // namespace sdx
