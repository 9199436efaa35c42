// Models built through the C ABI: run, saved, and refused where they are wrong; sessions whose model is changed first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::ort_api;
using testing::ElementsAre;
using testing::HasSubstr;
using XValue = sardonyx::Value;

const OrtModelEditorApi& editor() { return *ort_api().GetModelEditorApi(); }

std::string failure_of(OrtStatus* status) {
  const std::string message = ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return message;
}

OrtValueInfo* port(const char* name, std::vector<int64_t> dims, std::vector<const char*> symbols = {}) {
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(ort_api().CreateTensorTypeAndShapeInfo(&info));
  check(ort_api().SetTensorElementType(info, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT));
  check(ort_api().SetDimensions(info, dims.data(), dims.size()));
  if (!symbols.empty()) check(ort_api().SetSymbolicDimensions(info, symbols.data(), symbols.size()));
  OrtTypeInfo* type = nullptr;
  check(editor().CreateTensorTypeInfo(info, &type));
  OrtValueInfo* made = nullptr;
  check(editor().CreateValueInfo(name, type, &made));
  ort_api().ReleaseTypeInfo(type);
  ort_api().ReleaseTensorTypeAndShapeInfo(info);
  return made;
}

OrtNode* node(const char* op, std::vector<const char*> inputs, const char* output,
              std::vector<OrtOpAttr*> attributes = {}) {
  OrtNode* made = nullptr;
  check(editor().CreateNode(op, "", output, inputs.data(), inputs.size(), &output, 1, attributes.data(),
                            attributes.size(), &made));
  return made;
}

OrtModel* model(OrtGraph* graph, int opset = 18) {
  const char* domain = "";
  OrtModel* made = nullptr;
  check(editor().CreateModel(&domain, &opset, 1, &made));
  if (graph != nullptr) check(editor().AddGraphToModel(made, graph));
  return made;
}

OrtValue* weight(float* values, int64_t rows, int64_t columns) {
  OrtMemoryInfo* memory = nullptr;
  check(ort_api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory));
  const int64_t shape[] = {rows, columns};
  OrtValue* value = nullptr;
  check(ort_api().CreateTensorWithDataAsOrtValue(memory, values, static_cast<size_t>(rows * columns) * sizeof(float),
                                                 shape, 2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &value));
  ort_api().ReleaseMemoryInfo(memory);
  return value;
}

// y = Gemm(x, w), with beta and transB by attributes.
OrtGraph* gemm_graph(float* values, bool external) {
  OrtGraph* graph = nullptr;
  check(editor().CreateGraph(&graph));
  OrtValueInfo *x = port("x", {-1, 2}, {"batch", ""}), *y = port("y", {-1, 3}, {"batch", ""});
  check(editor().SetGraphInputs(graph, &x, 1));
  check(editor().SetGraphOutputs(graph, &y, 1));
  const float alpha = 2;
  const int64_t transposed = 1;
  OrtOpAttr *alpha_attribute = nullptr, *transposed_attribute = nullptr;
  check(ort_api().CreateOpAttr("alpha", &alpha, 1, ORT_OP_ATTR_FLOAT, &alpha_attribute));
  check(ort_api().CreateOpAttr("transB", &transposed, 1, ORT_OP_ATTR_INT, &transposed_attribute));
  check(editor().AddNodeToGraph(graph, node("Gemm", {"x", "w"}, "y", {alpha_attribute, transposed_attribute})));
  check(editor().AddInitializerToGraph(graph, "w", weight(values, 3, 2), external));
  return graph;
}

using SessionHandle = sardonyx::detail::Handle<OrtSession, &OrtApi::ReleaseSession>;

std::vector<float> run(OrtSession* session, const char* input, std::vector<float> x, std::vector<int64_t> shape,
                       const char* output) {
  const XValue value = XValue::tensor<float>(x, shape);
  const OrtValue* in = value.handle();
  OrtValue* out = nullptr;
  check(ort_api().Run(session, nullptr, &input, &in, 1, &output, 1, &out));
  const void* data = nullptr;
  size_t bytes = 0;
  check(ort_api().GetTensorData(out, &data));
  check(ort_api().GetTensorSizeInBytes(out, &bytes));
  const auto* floats = static_cast<const float*>(data);
  std::vector<float> list(floats, floats + bytes / sizeof(float));
  ort_api().ReleaseValue(out);
  return list;
}

class model_editor : public testing::Test {
 protected:
  model_editor() {
    OrtEnv* env = nullptr;
    check(ort_api().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "editor", &env));
    env_.reset(env);
  }
  sardonyx::detail::Handle<OrtEnv, &OrtApi::ReleaseEnv> env_;
};

TEST_F(model_editor, builds_models_that_run) {
  for (const bool external : {false, true}) {
    std::vector<float> values{1, 0, 0, 1, 1, 1};
    OrtModel* built = model(gemm_graph(values.data(), external));
    OrtSession* session = nullptr;
    check(editor().CreateSessionFromModel(env_.get(), built, nullptr, &session));
    const SessionHandle owner(session);
    ort_api().ReleaseModel(built);
    if (!external) values.assign(6, 99);  // a copy was taken
    EXPECT_THAT(run(session, "x", {1, 2, 3, 4}, {2, 2}, "y"), ElementsAre(2, 4, 6, 6, 8, 14));
    int opset = 0;
    check(editor().SessionGetOpsetForDomain(session, "ai.onnx", &opset));
    EXPECT_EQ(opset, 18);
    EXPECT_THAT(failure_of(editor().SessionGetOpsetForDomain(session, "other", &opset)), HasSubstr("other"));
    EXPECT_THAT(failure_of(editor().FinalizeModelEditorSession(session, nullptr, nullptr)), HasSubstr("finalized"));
  }
}

TEST_F(model_editor, refuses_what_is_wrong_in_the_models_names) {
  OrtSession* session = nullptr;
  OrtModel* built = model(nullptr);
  EXPECT_THAT(failure_of(editor().CreateSessionFromModel(env_.get(), built, nullptr, &session)), HasSubstr("no graph"));
  ort_api().ReleaseModel(built);
  float values[6] = {};
  OrtGraph* graph = gemm_graph(values, false);
  check(editor().AddNodeToGraph(graph, node("Gemm", {"x", "nowhere"}, "z")));
  built = model(graph);
  EXPECT_THAT(failure_of(editor().CreateSessionFromModel(env_.get(), built, nullptr, &session)), HasSubstr("nowhere"));
  ort_api().ReleaseModel(built);
  EXPECT_EQ(session, nullptr);
}

TEST_F(model_editor, adds_to_a_loaded_model) {
  const std::string bytes = clip_model();
  OrtSession* session = nullptr;
  check(editor().CreateModelEditorSessionFromArray(env_.get(), bytes.data(), bytes.size(), nullptr, &session));
  const SessionHandle owner(session);
  OrtSession* none = nullptr;
  EXPECT_THAT(failure_of(editor().CreateModelEditorSession(env_.get(), "nowhere.onnx", nullptr, &none)),
              HasSubstr("nowhere.onnx"));
  int opset = 0;
  check(editor().SessionGetOpsetForDomain(session, "", &opset));
  EXPECT_EQ(opset, 17);
  const char *x = "x", *y = "y";
  const OrtValue* in = nullptr;
  OrtValue* out = nullptr;
  const XValue value = XValue::tensor<float>(std::vector<float>{1, 2, 3}, {1, 3});
  in = value.handle();
  EXPECT_THAT(failure_of(ort_api().Run(session, nullptr, &x, &in, 1, &y, 1, &out)), HasSubstr("Finalize"));

  OrtGraph* graph = nullptr;
  check(editor().CreateGraph(&graph));
  float one[] = {1, 1, 1};
  check(editor().AddInitializerToGraph(graph, "ones", weight(one, 1, 3), true));
  check(editor().AddNodeToGraph(graph, node("Add", {"y", "ones"}, "z")));
  OrtValueInfo* z = port("z", {-1, 3}, {"batch", ""});
  check(editor().SetGraphOutputs(graph, &z, 1));
  OrtModel* addition = model(graph, 16);
  EXPECT_THAT(failure_of(editor().ApplyModelToModelEditorSession(session, addition)), HasSubstr("opset 17"));
  ort_api().ReleaseModel(addition);

  check(editor().CreateGraph(&graph));
  check(editor().AddInitializerToGraph(graph, "ones", weight(one, 1, 3), true));
  check(editor().AddNodeToGraph(graph, node("Add", {"y", "ones"}, "z")));
  z = port("z", {-1, 3}, {"batch", ""});
  check(editor().SetGraphOutputs(graph, &z, 1));
  addition = model(graph, 17);
  check(editor().ApplyModelToModelEditorSession(session, addition));
  ort_api().ReleaseModel(addition);
  check(editor().FinalizeModelEditorSession(session, nullptr, nullptr));
  EXPECT_THAT(run(session, "x", {-1, 2, 3}, {1, 3}, "z"), ElementsAre(1, 3, 4));
  size_t outputs = 0;
  check(ort_api().SessionGetOutputCount(session, &outputs));
  EXPECT_EQ(outputs, 1u);
}

TEST_F(model_editor, a_model_that_cannot_be_loaded_may_be_changed_further) {
  const std::string bytes = clip_model();
  OrtSession* session = nullptr;
  check(editor().CreateModelEditorSessionFromArray(env_.get(), bytes.data(), bytes.size(), nullptr, &session));
  const SessionHandle owner(session);
  const auto add = [&](OrtNode* added) {
    OrtGraph* graph = nullptr;
    check(editor().CreateGraph(&graph));
    check(editor().AddNodeToGraph(graph, added));
    OrtValueInfo* w = port("w", {-1, 3});
    check(editor().SetGraphOutputs(graph, &w, 1));
    OrtModel* addition = model(graph, 17);
    check(editor().ApplyModelToModelEditorSession(session, addition));
    ort_api().ReleaseModel(addition);
  };
  add(node("Neg", {"later"}, "w"));
  EXPECT_THAT(failure_of(editor().FinalizeModelEditorSession(session, nullptr, nullptr)), HasSubstr("later"));
  size_t inputs = 0;
  check(ort_api().SessionGetInputCount(session, &inputs));
  EXPECT_EQ(inputs, 1u);
  add(node("Abs", {"x"}, "later"));
  check(editor().FinalizeModelEditorSession(session, nullptr, nullptr));
  EXPECT_THAT(run(session, "x", {-1, 2, -3}, {1, 3}, "w"), ElementsAre(-1, -2, -3));
}

TEST_F(model_editor, handles_that_nobody_took_are_released) {
  OrtGraph* graph = nullptr;
  check(editor().CreateGraph(&graph));
  ort_api().ReleaseGraph(graph);
  ort_api().ReleaseNode(node("Relu", {"x"}, "y"));
  ort_api().ReleaseValueInfo(port("x", {1}));
  ort_api().ReleaseModel(model(nullptr));
}

}  // namespace
}  // namespace sdx::test
