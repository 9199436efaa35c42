// A custom operator that calls standard ones, infers its shapes, and reads attributes of every kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::ort_api;
using sardonyx::Session;
using testing::ElementsAre;
using testing::HasSubstr;
using XValue = sardonyx::Value;

std::string failure_of(OrtStatus* status) {
  const std::string message = ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return message;
}

// y, k = TopK(x, 2), largest first; the sum of y comes from ReduceSum over memory of the caller's.
struct Kernel {
  OrtOp *top = nullptr, *sum = nullptr;
  ~Kernel() {
    ort_api().ReleaseOp(top);
    ort_api().ReleaseOp(sum);
  }
};

OrtStatus* make_kernel(const OrtCustomOp*, const OrtApi* api, const OrtKernelInfo* info, void** out) {
  auto kernel = std::make_unique<Kernel>();
  const int64_t axis = 0, largest = 1, keep = 0;
  OrtOpAttr* attributes[3] = {};
  check(api->CreateOpAttr("axis", &axis, 1, ORT_OP_ATTR_INT, &attributes[0]));
  check(api->CreateOpAttr("largest", &largest, 1, ORT_OP_ATTR_INT, &attributes[1]));
  check(api->CreateOpAttr("keepdims", &keep, 1, ORT_OP_ATTR_INT, &attributes[2]));
  const char* constraints[] = {"T"};
  const ONNXTensorElementDataType types[] = {ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT};
  check(api->CreateOp(info, "TopK", "", 11, constraints, types, 1, attributes, 2, 2, 2, &kernel->top));
  check(api->CreateOp(info, "ReduceSum", "ai.onnx", 11, constraints, types, 1, attributes + 2, 1, 1, 1, &kernel->sum));
  for (OrtOpAttr* attribute : attributes) api->ReleaseOpAttr(attribute);
  OrtOp* none = nullptr;
  EXPECT_THAT(failure_of(api->CreateOp(info, "NoSuchOp", "", 11, nullptr, nullptr, 0, nullptr, 0, 1, 1, &none)),
              HasSubstr("NoSuchOp"));
  *out = kernel.release();
  return nullptr;
}

OrtStatus* compute(void* self, OrtKernelContext* context) {
  const auto* kernel = static_cast<const Kernel*>(self);
  const OrtApi& api = ort_api();
  const OrtValue* x = nullptr;
  check(api.KernelContext_GetInput(context, 0, &x));
  const int64_t two = 2;
  OrtValue *top = nullptr, *sum = nullptr;
  check(api.KernelContext_GetOutput(context, 0, &two, 1, &top));
  check(api.KernelContext_GetOutput(context, 1, nullptr, 0, &sum));
  int64_t k = 2;
  XValue k_value = XValue::tensor<int64_t>({&k, 1}, {1});
  XValue places = XValue::tensor<int64_t>(std::vector<int64_t>{0, 0}, {2});
  const OrtValue* inputs[] = {x, k_value.handle()};
  OrtValue* outputs[] = {top, places.handle()};
  if (OrtStatus* status = api.InvokeOp(context, kernel->top, inputs, 2, outputs, 2); status != nullptr) return status;
  const OrtValue* again[] = {top};
  EXPECT_THAT(failure_of(api.InvokeOp(context, kernel->sum, again, 1, &top, 1)), HasSubstr("ReduceSum: output 0"));
  EXPECT_THAT(failure_of(api.InvokeOp(context, kernel->sum, again, 1, &top, 0)), HasSubstr("1 and 1"));
  return api.InvokeOp(context, kernel->sum, again, 1, &sum, 1);
}

// The first output: [2], or [] where the attribute "wrong" is set; the second: as named by "texts".
OrtStatus* infer(const OrtCustomOp*, OrtShapeInferContext* context) {
  const OrtApi& api = ort_api();
  size_t count = 0;
  check(api.ShapeInferContext_GetInputCount(context, &count));
  EXPECT_EQ(count, 1u);
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(api.ShapeInferContext_GetInputTypeShape(context, 0, &info));
  size_t rank = 0;
  check(api.GetDimensionsCount(info, &rank));
  EXPECT_EQ(rank, 1u);
  const char* symbol = nullptr;
  check(api.GetSymbolicDimensions(info, &symbol, 1));
  EXPECT_STREQ(symbol, "n");
  const OrtOpAttr *texts = nullptr, *wrong = nullptr;
  check(api.ShapeInferContext_GetAttribute(context, "texts", &texts));
  char buffer[16] = {};
  size_t size = 0;
  EXPECT_THAT(failure_of(api.ReadOpAttr(texts, ORT_OP_ATTR_STRINGS, nullptr, 0, &size)), HasSubstr("5 are wanted"));
  EXPECT_EQ(size, 5u);
  check(api.ReadOpAttr(texts, ORT_OP_ATTR_STRINGS, buffer, sizeof buffer, &size));
  EXPECT_EQ(std::string(buffer, size), std::string("a\0bc\0", 5));
  EXPECT_THAT(failure_of(api.ReadOpAttr(texts, ORT_OP_ATTR_INT, buffer, sizeof buffer, &size)), HasSubstr("strings"));
  const bool is_wrong = failure_of(api.ShapeInferContext_GetAttribute(context, "wrong", &wrong)).empty();
  int64_t dims[] = {is_wrong ? 3 : 2};
  check(api.SetDimensions(info, dims, 1));
  check(api.ShapeInferContext_SetOutputTypeShape(context, 0, info));
  check(api.SetDimensions(info, dims, 0));
  check(api.ShapeInferContext_SetOutputTypeShape(context, 1, info));
  EXPECT_THAT(failure_of(api.ShapeInferContext_SetOutputTypeShape(context, 2, info)), HasSubstr("has 2"));
  api.ReleaseTensorTypeAndShapeInfo(info);
  return nullptr;
}

struct TopTwo : OrtCustomOp {
  TopTwo() : OrtCustomOp{} {
    version = 24;
    GetName = [](const OrtCustomOp*) { return "TopTwo"; };
    GetExecutionProviderType = [](const OrtCustomOp*) -> const char* { return nullptr; };
    GetInputTypeCount = [](const OrtCustomOp*) { return size_t{1}; };
    GetInputType = [](const OrtCustomOp*, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; };
    GetInputCharacteristic = [](const OrtCustomOp*, size_t) { return INPUT_OUTPUT_REQUIRED; };
    GetOutputTypeCount = [](const OrtCustomOp*) { return size_t{2}; };
    GetOutputType = [](const OrtCustomOp*, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; };
    GetOutputCharacteristic = [](const OrtCustomOp*, size_t) { return INPUT_OUTPUT_REQUIRED; };
    CreateKernelV2 = make_kernel;
    KernelComputeV2 = compute;
    KernelDestroy = [](void* kernel) { delete static_cast<Kernel*>(kernel); };
    InferOutputShapeFn = infer;
  }
};

class standalone_op : public testing::Test {
 protected:
  standalone_op() {
    OrtCustomOpDomain* domain = nullptr;
    check(ort_api().CreateCustomOpDomain("mine", &domain));
    domain_.reset(domain);
    check(ort_api().CustomOpDomain_Add(domain, &op_));
    check(ort_api().AddCustomOpDomain(options_.handle(), domain));
  }
  static std::string model(bool wrong = false) {
    ModelMaker maker;
    auto& import = maker.proto.opset_import.emplace_back();
    import.domain = "mine";
    import.version = 1;
    maker.input({"x", DType::f32, {"n"}});
    maker.node({"TopTwo", {"x"}, {"top", "sum"}}).node({"Neg", {"top"}, {"y"}});
    for (const char* name : {"y", "sum"}) maker.proto.graph->output.emplace_back().name = name;
    auto& node = maker.proto.graph->node[0];
    node.domain = "mine";
    auto& texts = node.attribute.emplace_back();
    texts.name = "texts";
    texts.type = 8;
    texts.strings = {"a", "bc"};
    if (wrong) {
      auto& attribute = node.attribute.emplace_back();
      attribute.name = "wrong";
      attribute.type = 2;
      attribute.i = 1;
    }
    return maker.bytes();
  }

  TopTwo op_;
  sardonyx::detail::Handle<OrtCustomOpDomain, &OrtApi::ReleaseCustomOpDomain> domain_;
  sardonyx::SessionOptions options_;
};

std::vector<float> list(const XValue& value) {
  const auto values = value.values<float>();
  return {values.begin(), values.end()};
}

TEST_F(standalone_op, is_called_for_any_length) {
  const Session session = Session::from_bytes(as_bytes(model()), options_);
  for (int round = 0; round < 3; ++round) {
    std::vector<float> x(static_cast<size_t>(3 + round), 1);
    x[1] = 7, x[2] = 5;
    const auto outputs = session.run({{"x", XValue::tensor<float>(x, {static_cast<int64_t>(x.size())})}});
    EXPECT_THAT(list(outputs[0]), ElementsAre(-7, -5));
    EXPECT_THAT(list(outputs[1]), ElementsAre(12));
  }
}

TEST_F(standalone_op, error_of_a_called_operator_names_it) {
  const Session session = Session::from_bytes(as_bytes(model()), options_);
  try {
    session.run({{"x", XValue::tensor<float>(std::vector<float>{1}, {1})}});
    FAIL() << "TopK of one element gave two";
  } catch (const sardonyx::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("TopK"));
  }
}

TEST_F(standalone_op, shapes_that_it_infers_are_the_models) {
  const Session session = Session::from_bytes(as_bytes(model()), options_);
  OrtTypeInfo* type = nullptr;
  check(ort_api().SessionGetOutputTypeInfo(session.handle(), 0, &type));
  const OrtTensorTypeAndShapeInfo* info = nullptr;
  check(ort_api().CastTypeInfoToTensorInfo(type, &info));
  size_t rank = 9;
  int64_t dim = 0;
  check(ort_api().GetDimensionsCount(info, &rank));
  ASSERT_EQ(rank, 1u);
  check(ort_api().GetDimensions(info, &dim, 1));
  EXPECT_EQ(dim, 2);
  ort_api().ReleaseTypeInfo(type);
}

TEST_F(standalone_op, shapes_that_it_does_not_keep_are_an_error) {
  const Session session = Session::from_bytes(as_bytes(model(true)), options_);
  try {
    session.run({{"x", XValue::tensor<float>(std::vector<float>{1, 2, 3}, {3})}});
    FAIL() << "an output of another shape was taken";
  } catch (const sardonyx::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("was foreseen"));
  }
}

TEST(op_attr, returns_what_it_was_made_of) {
  const OrtApi& api = ort_api();
  const float floats[] = {1.5F, -2};
  OrtOpAttr* attribute = nullptr;
  check(api.CreateOpAttr("factors", floats, 2, ORT_OP_ATTR_FLOATS, &attribute));
  OrtOpAttrType type = ORT_OP_ATTR_UNDEFINED;
  const char* name = nullptr;
  check(api.OpAttr_GetType(attribute, &type));
  check(api.OpAttr_GetName(attribute, &name));
  EXPECT_EQ(type, ORT_OP_ATTR_FLOATS);
  EXPECT_STREQ(name, "factors");
  float back[2] = {};
  size_t size = 0;
  check(api.ReadOpAttr(attribute, type, back, sizeof back, &size));
  EXPECT_EQ(size, sizeof back);
  EXPECT_THAT(back, ElementsAre(1.5F, -2));
  OrtValue* value = nullptr;
  EXPECT_THAT(failure_of(api.OpAttr_GetTensorAttributeAsOrtValue(attribute, &value)), HasSubstr("floats"));
  api.ReleaseOpAttr(attribute);
  check(api.CreateOpAttr("text", "abc", 3, ORT_OP_ATTR_STRING, &attribute));
  char text[4] = {};
  check(api.ReadOpAttr(attribute, ORT_OP_ATTR_STRING, text, 3, &size));
  EXPECT_STREQ(text, "abc");
  api.ReleaseOpAttr(attribute);
  EXPECT_THAT(failure_of(api.CreateOpAttr("t", floats, 1, ORT_OP_ATTR_TENSOR, &attribute)), HasSubstr("tensor"));
  EXPECT_THAT(failure_of(api.CreateOpAttr("t", floats, -1, ORT_OP_ATTR_FLOATS, &attribute)), HasSubstr("-1"));
}

}  // namespace
}  // namespace sdx::test
