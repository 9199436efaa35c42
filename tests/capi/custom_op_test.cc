// Custom operators through the C ABI: what a kernel sees of its node and its run, and what goes wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

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

constexpr uint32_t kVersion = 24;

struct Kernel {
  float factor = 0;
  std::string node, names;
  bool second_is_constant = false;
};
struct Seen {
  int made = 0, ended = 0;
  Kernel last;
} seen;

std::string name_of(const OrtKernelInfo* info, OrtStatus* (*read)(const OrtKernelInfo*, size_t, char*, size_t*),
                    size_t index) {
  size_t size = 0;
  check(read(info, index, nullptr, &size));
  std::string text(size, '\0');
  check(read(info, index, text.data(), &size));
  text.pop_back();
  return text;
}

// y = x * factor, or x * the second input where there is one.
OrtStatus* make_kernel(const OrtCustomOp*, const OrtApi* api, const OrtKernelInfo* info, void** out) {
  auto* kernel = new Kernel();
  if (OrtStatus* status = api->KernelInfoGetAttribute_float(info, "factor", &kernel->factor); status != nullptr) {
    delete kernel;
    return status;
  }
  kernel->node.resize(100);
  size_t size = kernel->node.size();
  check(api->KernelInfo_GetNodeName(info, kernel->node.data(), &size));
  kernel->node.resize(size - 1);
  size_t count = 0;
  check(api->KernelInfo_GetInputCount(info, &count));
  for (size_t i = 0; i < count; ++i) kernel->names += name_of(info, api->KernelInfo_GetInputName, i) + ",";
  if (count > 1) {
    int constant = 0;
    const OrtValue* value = nullptr;
    check(api->KernelInfoGetConstantInput_tensor(info, 1, &constant, &value));
    kernel->second_is_constant = constant == 1 && value != nullptr;
  }
  ++seen.made;
  seen.last = *kernel;
  *out = kernel;
  return nullptr;
}

OrtStatus* compute(void* self, OrtKernelContext* context) {
  const OrtApi& api = ort_api();
  const auto* kernel = static_cast<const Kernel*>(self);
  size_t inputs = 0;
  check(api.KernelContext_GetInputCount(context, &inputs));
  const OrtValue *x = nullptr, *by = nullptr;
  check(api.KernelContext_GetInput(context, 0, &x));
  if (inputs > 1) check(api.KernelContext_GetInput(context, 1, &by));
  ONNXTensorElementDataType type{};
  const int64_t* dims = nullptr;
  size_t rank = 0;
  check(api.GetTensorElementTypeAndShapeDataReference(x, &type, &dims, &rank));
  OrtValue* y = nullptr;
  check(api.KernelContext_GetOutput(context, 0, dims, rank, &y));
  const void *from = nullptr, *factor = nullptr;
  void* to = nullptr;
  check(api.GetTensorData(x, &from));
  check(api.GetTensorMutableData(y, &to));
  float scale = kernel->factor;
  if (by != nullptr) {
    check(api.GetTensorData(by, &factor));
    scale = *static_cast<const float*>(factor);
  }
  size_t bytes = 0;
  check(api.GetTensorSizeInBytes(x, &bytes));
  struct Job {
    const float* from;
    float* to;
    float scale;
  } job{static_cast<const float*>(from), static_cast<float*>(to), scale};
  for (size_t i = 0; i < bytes / sizeof(float); ++i)
    if (job.from[i] == 13) return api.CreateStatus(ORT_FAIL, "13 is unlucky");
  const auto work = [](void* param, size_t i) {
    auto* j = static_cast<Job*>(param);
    j->to[i] = j->from[i] * j->scale;
  };
  return api.KernelContext_ParallelFor(context, work, bytes / sizeof(float), 0, &job);
}

struct ScaleOp : OrtCustomOp {
  explicit ScaleOp(ONNXTensorElementDataType output_type = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) : OrtCustomOp{} {
    type = output_type;
    version = kVersion;
    GetName = [](const OrtCustomOp*) { return "Scale"; };
    GetExecutionProviderType = [](const OrtCustomOp*) -> const char* { return nullptr; };
    GetInputTypeCount = [](const OrtCustomOp*) { return size_t{2}; };
    GetInputType = [](const OrtCustomOp*, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; };
    GetInputCharacteristic = [](const OrtCustomOp*, size_t i) {
      return i == 0 ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_OPTIONAL;
    };
    GetOutputTypeCount = [](const OrtCustomOp*) { return size_t{1}; };
    GetOutputType = [](const OrtCustomOp* self, size_t) { return static_cast<const ScaleOp*>(self)->type; };
    GetOutputCharacteristic = [](const OrtCustomOp*, size_t) { return INPUT_OUTPUT_REQUIRED; };
    CreateKernelV2 = make_kernel;
    KernelComputeV2 = compute;
    KernelDestroy = [](void* kernel) {
      ++seen.ended;
      delete static_cast<Kernel*>(kernel);
    };
  }
  ONNXTensorElementDataType type;
};

class custom_op : public testing::Test {
 protected:
  custom_op() {
    seen = {};
    OrtCustomOpDomain* domain = nullptr;
    check(ort_api().CreateCustomOpDomain("mine", &domain));
    domain_.reset(domain);
    check(ort_api().CustomOpDomain_Add(domain, &op_));
    check(ort_api().AddCustomOpDomain(options_.handle(), domain));
  }
  // x -> Scale -> Relu -> Scale -> y; nothing is declared of the values between.
  static ModelMaker chain(bool with_factor = true, bool with_input = false) {
    ModelMaker maker;
    auto& import = maker.proto.opset_import.emplace_back();
    import.domain = "mine";
    import.version = 1;
    maker.input({"x", DType::f32, {"n"}}).output({"y", DType::f32, {"n"}});
    if (with_input) maker.initializer("by", scalar_f32(10));
    maker.node({"Scale", with_input ? std::vector<const char*>{"x", "by"} : std::vector<const char*>{"x"}, {"a"}});
    maker.node({"Relu", {"a"}, {"b"}}).node({"Scale", {"b"}, {"y"}});
    for (auto& node : maker.proto.graph->node) {
      if (node.op_type != "Scale") continue;
      node.domain = "mine";
      if (!with_factor) continue;
      auto& attribute = node.attribute.emplace_back();
      attribute.name = "factor";
      attribute.type = 1;
      attribute.f = 2.0F;
    }
    return maker;
  }
  std::vector<float> run(const std::string& model, std::vector<float> x) {
    const Session session = Session::from_bytes(as_bytes(model), options_);
    const auto outputs = session.run({{"x", XValue::tensor<float>(x, {static_cast<int64_t>(x.size())})}});
    const auto values = outputs[0].values<float>();
    return {values.begin(), values.end()};
  }
  std::string failure(const std::string& model, std::vector<float> x = {1}) {
    try {
      run(model, std::move(x));
    } catch (const sardonyx::Error& error) {
      return error.what();
    }
    return "no error";
  }

  ScaleOp op_;
  sardonyx::detail::Handle<OrtCustomOpDomain, &OrtApi::ReleaseCustomOpDomain> domain_;
  sardonyx::SessionOptions options_;
};

TEST_F(custom_op, runs_between_other_nodes) {
  EXPECT_THAT(run(chain().bytes(), {1, -2, 3}), ElementsAre(4, 0, 12));
  EXPECT_THAT(run(chain().bytes(), {}), ElementsAre());
  EXPECT_EQ(seen.made, seen.ended);
  EXPECT_EQ(seen.made, 4);
}

TEST_F(custom_op, sees_its_node_and_its_constants) {
  EXPECT_THAT(run(chain(true, true).bytes(), {1, -2, 3}), ElementsAre(20, 0, 60));
  EXPECT_TRUE(seen.last.node == "a" || seen.last.node == "y");
  EXPECT_TRUE(seen.last.names == "x,by," || seen.last.names == "b,");
}

TEST_F(custom_op, names_itself_in_its_errors) {
  EXPECT_THAT(failure(chain().bytes(), {13}), AllOf(HasSubstr("13 is unlucky"), HasSubstr("a (")));
  EXPECT_THAT(failure(chain(false).bytes()), AllOf(HasSubstr("factor"), HasSubstr("Scale")));
}

TEST_F(custom_op, is_refused_where_types_do_not_fit) {
  ModelMaker maker = chain();
  maker.proto.graph->input[0].type->tensor_type->elem_type = static_cast<int32_t>(DType::i32);
  maker.proto.graph->node.resize(1);
  maker.proto.graph->output[0].name = "a";
  EXPECT_THAT(failure(maker.bytes()), HasSubstr("no provider takes these nodes"));
}

TEST_F(custom_op, of_an_older_version_is_asked_less) {
  op_.version = 1;  // no statuses, no optional inputs
  op_.GetInputTypeCount = [](const OrtCustomOp*) { return size_t{1}; };
  op_.CreateKernel = [](const OrtCustomOp*, const OrtApi*, const OrtKernelInfo*) -> void* {
    ++seen.made;
    return new Kernel{3, {}, {}, false};
  };
  op_.KernelCompute = [](void* kernel, OrtKernelContext* context) { check(compute(kernel, context)); };
  op_.GetInputCharacteristic = nullptr;
  op_.GetOutputCharacteristic = nullptr;
  op_.CreateKernelV2 = nullptr;
  op_.KernelComputeV2 = nullptr;
  EXPECT_THAT(run(chain().bytes(), {1, -2, 3}), ElementsAre(9, 0, 27));
}

}  // namespace
}  // namespace sdx::test
