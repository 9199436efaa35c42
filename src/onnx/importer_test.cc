#include "onnx/importer.h"

#include <gtest/gtest.h>

#include "onnx/model_file.h"
#include "onnx/testing/model_builder.h"
#include "onnx/writer.h"

namespace sdx::onnx {
namespace {

TEST(importer, infers_the_body_of_a_loop_for_what_it_carries) {
  ModelBuilder body(21);
  body.input("i", DType::i64, {});
  body.input("go", DType::boolean, {});
  body.input("v", DType::f32, {"", ""});
  body.node("Identity", {"go"}, {"go_on"});
  body.node("Neg", {"v"}, {"next"});
  body.node("Transpose", {"v"}, {"turned"});
  body.output("go_on", DType::boolean, {});
  body.output("next", DType::f32, {"", ""});
  body.output("turned", DType::f32, {"", ""});
  ModelBuilder builder(21);
  builder.input("trips", DType::i64, {});
  builder.input("x", DType::f32, {"n", "2"});
  builder.node_with_graphs("Loop", {"trips", "", "x"}, {"y", "all"}, {{"body", body}});
  builder.output("y", DType::f32, {"", ""});
  builder.output("all", DType::f32, {"", "", ""});
  const auto bytes = write_model_to_string(builder.model());
  ASSERT_TRUE(bytes.ok());
  const auto model = model_from_bytes(std::as_bytes(std::span(*bytes)), Ownership::copy);
  ASSERT_TRUE(model.ok()) << model.status().message();
  const auto imported = import_model(**model);
  ASSERT_TRUE(imported.ok()) << imported.status().message();
  const Graph& graph = imported->graph;
  EXPECT_EQ(to_text(graph.fact(graph.outputs()[0]), graph.symbols()), "f32[n, 2]");
  const Fact& all = graph.fact(graph.outputs()[1]);
  ASSERT_EQ(all.rank(), 3);
  EXPECT_EQ(graph.symbols().to_text(all.dim(1)), "2");
  EXPECT_EQ(graph.symbols().to_text(all.dim(2)), "n");
}

}  // namespace
}  // namespace sdx::onnx
