#include "onnx/exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/model_file.h"
#include "onnx/testing/model_builder.h"
#include "onnx/value_proto.h"
#include "onnx/writer.h"
#include "ops/graph_inference.h"

namespace sdx::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A model that was imported, to be worked on and exported.
struct Loaded {
  std::shared_ptr<Model> model;
  Imported imported;

  Graph& graph() { return imported.graph; }
  NodeId find(std::string_view op) {
    for (NodeId id = 0; id < graph().node_slots(); ++id)
      if (graph().node(id).alive && graph().node(id).op == op) return id;
    ADD_FAILURE() << "no " << op;
    return 0;
  }
  Exported exported(const ExportOptions& options = {}) {
    auto made = export_model(*model, imported, options);
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? std::move(made).value() : Exported();
  }
};

Loaded load(const ModelProto& proto) {
  const auto bytes = write_model_to_string(proto);
  EXPECT_TRUE(bytes.ok());
  auto model = model_from_bytes(std::as_bytes(std::span(*bytes)), Ownership::copy);
  EXPECT_TRUE(model.ok()) << model.status().message();
  auto imported = import_model(**model);
  EXPECT_TRUE(imported.ok()) << imported.status().message();
  if (!imported.ok()) return {*model, {}};
  return {*model, std::move(imported).value()};
}

std::vector<std::string> ops_of(const GraphProto& graph) {
  std::vector<std::string> ops;
  for (const NodeProto& node : graph.node) ops.emplace_back(node.op_type);
  return ops;
}
std::vector<std::string> names_of(const auto& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.emplace_back(item.name);
  return names;
}
int64_t opset_of(const Exported& exported) { return exported.opsets.at(""); }

// x -> Softmax (flattening before opset 13) -> Clip (bounds are attributes before opset 11) -> y
ModelBuilder old_model(int64_t opset) {
  ModelBuilder builder(opset);
  builder.input("x", DType::f32, {"batch", "3"});
  builder.node("Softmax", {"x"}, {"s"}, {attr("axis", 0)}, "soft");
  builder.node("Clip", {"s"}, {"y"}, {attr("max", 0.5f), attr("min", 0.25f)}, "clip");
  builder.output("y", DType::f32, {"batch", "3"});
  return builder;
}

TEST(exporter, shows_untouched_groups_as_the_nodes_they_came_from) {
  const auto builder = old_model(9);
  auto loaded = load(builder.model());
  const auto exported = loaded.exported();
  EXPECT_EQ(opset_of(exported), 9);
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Softmax", "Clip"));
  EXPECT_EQ(exported.proto.graph->node[0].name, "soft");
  EXPECT_THAT(names_of(exported.proto.graph->node[1].attribute), ElementsAre("max", "min"));
  EXPECT_THAT(names_of(exported.proto.graph->value_info), ElementsAre("s"));
  EXPECT_THAT(exported.proto.graph->initializer, IsEmpty());
}

TEST(exporter, gives_the_same_bytes_again) {
  const auto builder = old_model(9);
  auto first = load(builder.model()), second = load(builder.model());
  const auto a = write_model_to_string(first.exported().proto), b = write_model_to_string(second.exported().proto);
  EXPECT_EQ(*a, *b);
}

TEST(exporter, rewrites_step_by_step_to_a_later_opset) {
  const auto builder = old_model(6);
  auto loaded = load(builder.model());
  const auto exported = loaded.exported({.nodes = {}, .least_opset = 11});
  EXPECT_EQ(opset_of(exported), 11);
  EXPECT_EQ(exported.proto.ir_version, 8) << "the model's own is newer than the opset's";
  const GraphProto& graph = *exported.proto.graph;
  EXPECT_THAT(ops_of(graph), ElementsAre("Softmax", "Clip")) << "only Clip has changed by then";
  EXPECT_THAT(graph.node[1].attribute, IsEmpty());
  EXPECT_THAT(graph.node[1].input, ElementsAre("s", "clip/constant#2", "clip/constant#3"));
  EXPECT_EQ(graph.initializer.size(), 2u);
}

TEST(exporter, raises_the_opset_to_the_lowest_that_says_every_node) {
  const auto builder = old_model(9);
  auto loaded = load(builder.model());
  Node gelu;  // younger than the model
  gelu.op = "HardSwish";
  gelu.opset = kNewestOpset;
  gelu.name = "new";
  gelu.inputs = {loaded.graph().node(loaded.find("Clip")).outputs[0]};
  gelu.outputs = {loaded.graph().add_value("z")};
  const NodeId id = loaded.graph().add_node(gelu);
  ops::InferenceBudget budget;
  ASSERT_TRUE(ops::infer_node(loaded.graph(), id, budget).ok());
  loaded.graph().set_output(0, gelu.outputs[0]);
  const auto exported = loaded.exported();
  EXPECT_EQ(opset_of(exported), 14);
  EXPECT_EQ(ops_of(*exported.proto.graph).back(), "HardSwish");
  EXPECT_THAT(names_of(exported.proto.graph->output), ElementsAre("z"));
}

TEST(exporter, gives_a_name_of_the_model_to_one_of_the_nodes_made_from_it) {
  const auto builder = old_model(9);
  auto loaded = load(builder.model());
  Graph& graph = loaded.graph();
  const NodeId clip = loaded.find("Clip");
  const ValueId y = graph.node(clip).outputs[0], x = graph.node(clip).inputs[0];
  graph.remove_node(clip);
  ValueId last = x;
  for (const ValueId made : {graph.add_value("between"), y}) {
    Node node;
    node.op = "Neg";
    node.opset = kNewestOpset;
    node.name = "clip";
    node.inputs = {last};
    node.outputs = {made};
    graph.add_node(node);
    last = made;
  }
  const auto exported = loaded.exported();
  EXPECT_THAT(names_of(exported.proto.graph->node), ElementsAre("soft", "clip", "clip#2"));
}

TEST(exporter, sees_that_a_group_was_changed) {
  const auto builder = old_model(9);
  auto loaded = load(builder.model());
  Graph& graph = loaded.graph();
  const NodeId clip = loaded.find("Clip");
  graph.set_input(clip, 1, graph.add_initializer("bound", scalar_f32(0.125f)));
  const auto exported = loaded.exported();
  EXPECT_EQ(opset_of(exported), 11) << "the first with bounds as inputs";
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Softmax", "Clip"));
  EXPECT_THAT(exported.proto.graph->node[1].input, ElementsAre("s", "bound", "clip/constant#7"));
  EXPECT_EQ(exported.proto.graph->node[1].name, "clip");
}

TEST(exporter, follows_a_group_whose_input_became_another_value) {
  ModelBuilder builder(9);
  builder.input("x", DType::f32, {"n"});
  builder.node("Identity", {"x"}, {"i"});
  builder.node("Clip", {"i"}, {"y"}, {attr("max", 0.5f)});
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  Graph& graph = loaded.graph();
  graph.replace_uses(*graph.find_value("i"), *graph.find_value("x"));
  graph.remove_node(loaded.find("Identity"));
  const auto exported = loaded.exported();
  EXPECT_EQ(opset_of(exported), 9);
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Clip"));
  EXPECT_THAT(exported.proto.graph->node[0].input, ElementsAre("x"));
}

// A node that nothing in the model stands for, in its newest form.
int64_t lowest_opset_of(std::string_view op, std::vector<Attribute> attributes, std::vector<SymShape> shapes) {
  ModelBuilder builder(1);
  builder.input("x", DType::f32, {"4"});
  builder.node("Relu", {"x"}, {"r"});
  builder.output("r", DType::f32, {"4"});
  auto loaded = load(builder.model());
  Node node;
  node.op = op;
  node.opset = kNewestOpset;
  node.attributes.list() = std::move(attributes);
  for (SymShape& shape : shapes) node.inputs.push_back(loaded.graph().add_input("", Fact::tensor(DType::f32, shape)));
  node.outputs = {loaded.graph().add_value("made")};
  const NodeId id = loaded.graph().add_node(std::move(node));
  ops::InferenceBudget budget;
  EXPECT_TRUE(ops::infer_node(loaded.graph(), id, budget).ok());
  return opset_of(loaded.exported({.nodes = std::vector<NodeId>{id}, .least_opset = 0}));
}

TEST(exporter, reads_newest_forms_backwards) {
  const SymShape a = {Dim(2), Dim(3)}, b = {Dim(3)};
  EXPECT_EQ(lowest_opset_of("Relu", {}, {a}), 1);
  EXPECT_EQ(lowest_opset_of("Clip", {}, {a}), 1);
  EXPECT_EQ(lowest_opset_of("Add", {}, {a, a}), 1);
  EXPECT_EQ(lowest_opset_of("Add", {}, {a, b}), 7) << "operands broadcast";
  EXPECT_EQ(lowest_opset_of("Softmax", {attr("axis", -1)}, {a}), 11) << "the last axis alone";
  EXPECT_EQ(lowest_opset_of("Softmax", {attr("axis", 0)}, {a}), 13) << "before, all axes from this one on";
  EXPECT_EQ(lowest_opset_of("Concat", {attr("axis", 0)}, {a, a}), 1);
  EXPECT_EQ(lowest_opset_of("Concat", {attr("axis", -1)}, {a, a}), 11) << "axes count from the end";
  EXPECT_EQ(lowest_opset_of("Flatten", {attr("axis", 1)}, {a}), 1);
  EXPECT_EQ(lowest_opset_of("Gelu", {}, {a}), 20);
}

TEST(exporter, keeps_a_function_while_its_body_is_untouched) {
  ModelBuilder builder(9);
  builder.input("x", DType::f32, {"n"});
  builder.import_opset("local", 1);
  builder.function("local", "Twice", {"a"}, {"b"}, {{"Relu", {"a"}, {"c"}}, {"Clip", {"c"}, {"b"}}}, 9);
  builder.node("Twice", {"x"}, {"t"}, {}, "call", "local");
  builder.node("Abs", {"t"}, {"y"});
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  const auto whole = loaded.exported();
  EXPECT_THAT(ops_of(*whole.proto.graph), ElementsAre("Twice", "Abs"));
  EXPECT_EQ(whole.proto.functions.size(), 1u);
  EXPECT_EQ(whole.opsets.at("local"), 1);

  loaded.graph().node(loaded.find("Relu")).op = "Sigmoid";
  const auto changed = loaded.exported();
  EXPECT_THAT(ops_of(*changed.proto.graph), ElementsAre("Sigmoid", "Clip", "Identity", "Abs"));
  EXPECT_THAT(changed.proto.functions, IsEmpty());
  EXPECT_EQ(opset_of(changed), 9);
}

TEST(exporter, keeps_an_inner_call_of_a_body_that_was_changed) {
  ModelBuilder builder(9);
  builder.input("x", DType::f32, {"n"});
  builder.import_opset("local", 1);
  builder.function("local", "Inner", {"a"}, {"b"}, {{"Relu", {"a"}, {"c"}}, {"Abs", {"c"}, {"b"}}}, 9);
  builder.function("local", "Outer", {"a"}, {"b"}, {{"Inner", {"a"}, {"c"}, "local"}, {"Neg", {"c"}, {"b"}}}, 9);
  builder.node("Outer", {"x"}, {"y"}, {}, "call", "local");
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  auto exported = loaded.exported();
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Outer"));
  EXPECT_THAT(names_of(exported.proto.functions), ElementsAre("Inner", "Outer"));
  loaded.graph().node(loaded.find("Neg")).op = "Exp";
  exported = loaded.exported();
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Inner", "Exp", "Identity"));
  EXPECT_THAT(names_of(exported.proto.functions), ElementsAre("Inner"));
  const auto part =
      loaded.exported({.nodes = std::vector<NodeId>{loaded.find("Relu"), loaded.find("Exp")}, .least_opset = 0});
  EXPECT_THAT(ops_of(*part.proto.graph), ElementsAre("Relu", "Exp")) << "a call that is not whole";
  EXPECT_THAT(part.proto.functions, IsEmpty());
}

TEST(exporter, sees_a_node_put_between_two_of_a_body) {
  ModelBuilder builder(9);
  builder.input("x", DType::f32, {"n"});
  builder.import_opset("local", 1);
  builder.function("local", "Twice", {"a"}, {"b"}, {{"Relu", {"a"}, {"c"}}, {"Abs", {"c"}, {"b"}}}, 9);
  builder.node("Twice", {"x"}, {"y"}, {}, "call", "local");
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  Graph& graph = loaded.graph();
  Node neg;
  neg.op = "Neg";
  neg.opset = kNewestOpset;
  neg.inputs = {graph.node(loaded.find("Relu")).outputs[0]};
  neg.outputs = {graph.add_value("between", Fact::tensor(DType::f32))};
  graph.set_input(loaded.find("Abs"), 0, neg.outputs[0]);
  graph.add_node(neg);
  EXPECT_THAT(ops_of(*loaded.exported().proto.graph), ElementsAre("Relu", "Neg", "Abs", "Identity"));
}

TEST(exporter, writes_subgraphs_with_what_they_capture) {
  ModelBuilder builder(11);
  builder.input("c", DType::boolean, {});
  builder.input("x", DType::f32, {"n"});
  builder.node("Relu", {"x"}, {"r"});
  ModelBuilder then_branch(11), else_branch(11);
  then_branch.node("Clip", {"r"}, {"t"});
  then_branch.output("t", DType::f32, {"n"});
  else_branch.node("Neg", {"x"}, {"e"});
  else_branch.output("e", DType::f32, {"n"});
  builder.node_with_graphs("If", {"c"}, {"y"}, {{"then_branch", then_branch}, {"else_branch", else_branch}});
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  const auto exported = loaded.exported();
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Relu", "If"));
  const NodeProto& branch = exported.proto.graph->node[1];
  ASSERT_EQ(branch.attribute.size(), 2u);
  EXPECT_THAT(branch.attribute[0].g->node[0].input, ElementsAre("r"));
  EXPECT_THAT(branch.attribute[1].g->node[0].input, ElementsAre("x"));
}

TEST(exporter, says_shapes_in_symbols) {
  ModelBuilder builder(13);
  builder.input("x", DType::f32, {"batch", "3"});
  builder.initializer("shape", vector_i64(std::vector<int64_t>{-1}));
  builder.node("Reshape", {"x", "shape"}, {"flat"});
  builder.node("NonZero", {"flat"}, {"found"});
  builder.node("Relu", {"flat"}, {"y"});
  builder.output("y", DType::f32, {"total"});
  builder.output("found", DType::i64, {"", ""});
  auto loaded = load(builder.model());
  const auto exported = loaded.exported();
  const GraphProto& graph = *exported.proto.graph;
  ASSERT_EQ(graph.value_info.size(), 1u);
  EXPECT_EQ(graph.value_info[0].name, "flat");
  EXPECT_EQ(graph.value_info[0].type->tensor_type->shape->dim[0].dim_param, "3*batch");
  EXPECT_EQ(graph.output[0].type->tensor_type->shape->dim[0].dim_param, "total") << "the model's own name";
  const auto& found = graph.output[1].type->tensor_type->shape->dim;
  EXPECT_EQ(found[0].dim_value, 1);
  EXPECT_EQ(found[1].dim_param.data(), nullptr);
}

TEST(exporter, keeps_constant_nodes_and_weights_as_they_were) {
  ModelBuilder builder(13);
  builder.input("x", DType::f32, {"2"});
  builder.node("Constant", {}, {"k"}, {attr("value", scalar_f32(2))}, "constant");
  builder.initializer("w", scalar_f32(3));
  builder.initializer("unused", scalar_f32(4));
  builder.node("Mul", {"x", "k"}, {"m"});
  builder.node("Add", {"m", "w"}, {"y"});
  builder.output("y", DType::f32, {"2"});
  auto loaded = load(builder.model());
  auto exported = loaded.exported();
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Constant", "Mul", "Add"));
  EXPECT_THAT(names_of(exported.proto.graph->initializer), ElementsAre("w"));
  loaded.graph().value(*loaded.graph().find_value("k")).fact.constant = scalar_f32(5);
  exported = loaded.exported();
  EXPECT_THAT(ops_of(*exported.proto.graph), ElementsAre("Mul", "Add"));
  EXPECT_THAT(names_of(exported.proto.graph->initializer), ElementsAre("w", "k"));
}

TEST(exporter, keeps_sparse_weights_sparse) {
  ModelBuilder builder(13);
  builder.input("x", DType::f32, {"4"});
  SparseTensorProto& sparse = builder.graph().sparse_initializer.emplace_back();
  const Tensor values = make_tensor<float>(DType::f32, Shape{1}, std::vector<float>{2.5f});
  const Tensor indices = vector_i64(std::vector<int64_t>{3});
  sparse.values.make() = tensor_message(values, "w");
  sparse.indices.make() = tensor_message(indices, "");
  sparse.dims = Numbers<int64_t>({4});
  builder.node("Add", {"x", "w"}, {"y"});
  builder.output("y", DType::f32, {"4"});
  auto loaded = load(builder.model());
  const auto exported = loaded.exported();
  EXPECT_THAT(exported.proto.graph->initializer, IsEmpty());
  ASSERT_EQ(exported.proto.graph->sparse_initializer.size(), 1u);
  EXPECT_EQ(exported.proto.graph->sparse_initializer[0].values->name, "w");
}

TEST(exporter, says_types_of_sequences_and_optionals) {
  ModelBuilder builder(16);
  builder.input("x", DType::f32, {"n"});
  builder.node("SequenceConstruct", {"x", "x"}, {"s"});
  builder.node("Optional", {"s"}, {"o"});
  builder.node("OptionalGetElement", {"o"}, {"t"});
  builder.node("ConcatFromSequence", {"t"}, {"y"}, {attr("axis", 0)});
  builder.output("y", DType::f32, {""});
  auto loaded = load(builder.model());
  const auto exported = loaded.exported();
  const auto& info = exported.proto.graph->value_info;
  ASSERT_THAT(names_of(info), ElementsAre("s", "o", "t"));
  EXPECT_EQ(info[0].type->sequence_type->elem_type->tensor_type->elem_type, 1);
  EXPECT_EQ(info[1].type->optional_type->elem_type->sequence_type->elem_type->tensor_type->elem_type, 1);
}

TEST(exporter, keeps_names_of_subgraphs_apart_from_those_around_them) {
  ModelBuilder builder(11), then_branch(11), else_branch(11);
  builder.input("c", DType::boolean, {});
  builder.input("x", DType::f32, {"n"});
  builder.node("Relu", {"x"}, {"r"});
  then_branch.node("Neg", {"x"}, {"r"});  // a value of its own
  then_branch.output("r", DType::f32, {"n"});
  else_branch.node("Abs", {"r"}, {"e"});
  else_branch.output("e", DType::f32, {"n"});
  builder.node_with_graphs("If", {"c"}, {"y"}, {{"then_branch", then_branch}, {"else_branch", else_branch}});
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  const auto exported = loaded.exported();
  const NodeProto& branch = exported.proto.graph->node[1];
  EXPECT_THAT(branch.attribute[0].g->node[0].output, ElementsAre("r#2"));
  EXPECT_THAT(names_of(branch.attribute[0].g->output), ElementsAre("r#2"));
  EXPECT_THAT(branch.attribute[1].g->node[0].input, ElementsAre("r"));
}

TEST(exporter, lists_weights_as_inputs_where_the_ir_version_wants_it) {
  ModelBuilder builder(7);
  builder.input("x", DType::f32, {"2"});
  builder.input("w", DType::f32, {"2"});
  builder.initializer("w", *clone(Tensor::allocate(DType::f32, Shape{2}).value()));
  builder.node("Add", {"x", "w"}, {"y"});
  builder.output("y", DType::f32, {"2"});
  auto proto = builder.model();
  proto.ir_version = 3;
  auto loaded = load(proto);
  auto exported = loaded.exported();
  EXPECT_EQ(exported.proto.ir_version, 3);
  EXPECT_THAT(names_of(exported.proto.graph->input), ElementsAre("x", "w"));
  loaded.graph().set_input(loaded.find("Add"), 0, loaded.graph().add_initializer("v", scalar_f32(1)));
  exported = loaded.exported();
  EXPECT_EQ(exported.proto.ir_version, 4);
  EXPECT_THAT(names_of(exported.proto.graph->input), ElementsAre("x"));
  EXPECT_THAT(names_of(exported.proto.graph->initializer), ElementsAre("w", "v"));
}

TEST(exporter, writes_some_nodes_as_a_graph_of_their_own) {
  ModelBuilder builder(13);
  builder.input("x", DType::f32, {"n"});
  builder.initializer("w", scalar_f32(3));
  builder.node("Relu", {"x"}, {"r"});
  builder.node("Mul", {"r", "w"}, {"m"});
  builder.node("Add", {"m", "x"}, {"a"});
  builder.node("Neg", {"a"}, {"y"});
  builder.output("y", DType::f32, {"n"});
  auto loaded = load(builder.model());
  const auto exported =
      loaded.exported({.nodes = std::vector<NodeId>{loaded.find("Mul"), loaded.find("Add")}, .least_opset = 0});
  const GraphProto& graph = *exported.proto.graph;
  EXPECT_THAT(ops_of(graph), ElementsAre("Mul", "Add"));
  EXPECT_THAT(names_of(graph.input), ElementsAre("r", "x"));
  EXPECT_THAT(names_of(graph.output), ElementsAre("a"));
  EXPECT_THAT(names_of(graph.initializer), ElementsAre("w"));
  EXPECT_EQ(graph.input[0].type->tensor_type->shape->dim[0].dim_param, "n");
}

TEST(exporter, refuses_nodes_that_are_not_there) {
  auto loaded = load(old_model(9).model());
  const auto none = export_model(*loaded.model, loaded.imported, {.nodes = std::vector<NodeId>{}, .least_opset = 0});
  EXPECT_THAT(none.status().message(), HasSubstr("no node is given"));
  const auto far = export_model(*loaded.model, loaded.imported, {.nodes = std::vector<NodeId>{99}, .least_opset = 0});
  EXPECT_THAT(far.status().message(), HasSubstr("node 99 is none of the graph's"));
  const auto late = export_model(*loaded.model, loaded.imported, {.nodes = {}, .least_opset = 99});
  EXPECT_THAT(late.status().message(), HasSubstr("opset 99 is not known: 1 to 28 are"));
}

}  // namespace
}  // namespace sdx::onnx
