// Entries of the C ABI that the C++ header and other tests do without: each with its effect.
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

template <typename T, auto release>
using Handle = sardonyx::detail::Handle<T, release>;
using EnvHandle = Handle<OrtEnv, &OrtApi::ReleaseEnv>;
using TypeHandle = Handle<OrtTypeInfo, &OrtApi::ReleaseTypeInfo>;
using PairsHandle = Handle<OrtKeyValuePairs, &OrtApi::ReleaseKeyValuePairs>;

std::string failure_of(OrtStatus* status) {
  const std::string message = ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return message;
}

EnvHandle make_env() {
  OrtEnv* env = nullptr;
  check(ort_api().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "entries", &env));
  return EnvHandle(env);
}
Handle<OrtMemoryInfo, &OrtApi::ReleaseMemoryInfo> cpu_memory() {
  OrtMemoryInfo* memory = nullptr;
  check(ort_api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory));
  return Handle<OrtMemoryInfo, &OrtApi::ReleaseMemoryInfo>(memory);
}

TEST(entries, options_keep_what_they_are_given) {
  sardonyx::RunOptions run;
  check(ort_api().RunOptionsSetRunLogVerbosityLevel(run.handle(), 3));
  check(ort_api().RunOptionsSetRunLogSeverityLevel(run.handle(), 1));
  run.tag("a run");
  int number = 0;
  const char* text = nullptr;
  check(ort_api().RunOptionsGetRunLogVerbosityLevel(run.handle(), &number));
  EXPECT_EQ(number, 3);
  check(ort_api().RunOptionsGetRunLogSeverityLevel(run.handle(), &number));
  EXPECT_EQ(number, 1);
  check(ort_api().RunOptionsGetRunTag(run.handle(), &text));
  EXPECT_STREQ(text, "a run");

  sardonyx::SessionOptions options;
  check(ort_api().DisableMemPattern(options.handle()));
  check(ort_api().GetMemPatternEnabled(options.handle(), &number));
  EXPECT_EQ(number, 0);
  check(ort_api().SetSessionExecutionMode(options.handle(), ORT_PARALLEL));
  ExecutionMode mode = ORT_SEQUENTIAL;
  check(ort_api().GetSessionExecutionMode(options.handle(), &mode));
  EXPECT_EQ(mode, ORT_PARALLEL);
  options.config("sardonyx.seed", "7");
  OrtKeyValuePairs* pairs = nullptr;
  check(ort_api().GetSessionOptionsConfigEntries(options.handle(), &pairs));
  EXPECT_STREQ(ort_api().GetKeyValue(pairs, "sardonyx.seed"), "7");
  ort_api().ReleaseKeyValuePairs(pairs);
}

TEST(entries, allocators) {
  const std::string bytes = clip_model();
  const Session session = Session::from_bytes(as_bytes(bytes));
  const auto memory = cpu_memory();
  OrtAllocator* allocator = nullptr;
  check(ort_api().CreateAllocator(session.handle(), memory.get(), &allocator));
  void* block = nullptr;
  check(ort_api().AllocatorAlloc(allocator, 64, &block));
  std::memset(block, 1, 64);
  check(ort_api().AllocatorFree(allocator, block));
  const OrtMemoryInfo* info = nullptr;
  int differ = 1;
  check(ort_api().AllocatorGetInfo(allocator, &info));
  check(ort_api().CompareMemoryInfo(info, memory.get(), &differ));
  EXPECT_EQ(differ, 0);

  const EnvHandle env = make_env();
  check(ort_api().RegisterAllocator(env.get(), allocator));
  OrtAllocator* shared = nullptr;
  check(ort_api().GetSharedAllocator(env.get(), memory.get(), &shared));
  EXPECT_EQ(shared, allocator);
  check(ort_api().UnregisterAllocator(env.get(), memory.get()));
  check(ort_api().GetSharedAllocator(env.get(), memory.get(), &shared));
  EXPECT_NE(shared, allocator);
  ort_api().ReleaseAllocator(allocator);

  const OrtEpDevice* device = nullptr;
  check(ort_api().SessionGetEpDeviceForOutputs(session.handle(), &device, 1));
  EXPECT_STREQ(ort_api().EpDevice_EpName(device), "CPUExecutionProvider");
  OrtAllocator* made = nullptr;
  check(ort_api().CreateSharedAllocator(env.get(), device, OrtDeviceMemoryType_DEFAULT, OrtDeviceAllocator, nullptr,
                                        &made));
  EXPECT_EQ(made, shared);
  check(ort_api().ReleaseSharedAllocator(env.get(), device, OrtDeviceMemoryType_DEFAULT));

  OrtArenaCfg* arena = nullptr;
  check(ort_api().CreateArenaCfg(1 << 20, 0, 256, 128, &arena));
  check(ort_api().CreateAndRegisterAllocator(env.get(), memory.get(), arena));
  ort_api().ReleaseArenaCfg(arena);
}

TEST(entries, cleared_inputs_are_bound_no_more) {
  const std::string bytes = clip_model();
  const Session session = Session::from_bytes(as_bytes(bytes));
  OrtIoBinding* binding = nullptr;
  check(ort_api().CreateIoBinding(session.handle(), &binding));
  const XValue x = XValue::tensor<float>(std::vector<float>{1, 2, 3}, {1, 3});
  const auto memory = cpu_memory();
  check(ort_api().BindInput(binding, "x", x.handle()));
  check(ort_api().BindOutputToDevice(binding, "y", memory.get()));
  check(ort_api().RunWithBinding(session.handle(), nullptr, binding));
  ort_api().ClearBoundInputs(binding);
  EXPECT_THAT(failure_of(ort_api().RunWithBinding(session.handle(), nullptr, binding)), HasSubstr("x"));
  ort_api().ReleaseIoBinding(binding);
}

TEST(entries, affinities_of_the_environments_threads_are_read) {
  OrtThreadingOptions* threading = nullptr;
  check(ort_api().CreateThreadingOptions(&threading));
  check(ort_api().SetGlobalIntraOpNumThreads(threading, 2));
  check(ort_api().SetGlobalIntraOpThreadAffinity(threading, "nonsense"));
  OrtEnv* env = nullptr;
  check(ort_api().CreateEnvWithGlobalThreadPools(ORT_LOGGING_LEVEL_ERROR, "affinity", threading, &env));
  const EnvHandle owner(env);
  ort_api().ReleaseThreadingOptions(threading);
  sardonyx::SessionOptions options;
  check(ort_api().DisablePerSessionThreads(options.handle()));
  const std::string bytes = clip_model();
  OrtSession* session = nullptr;
  EXPECT_THAT(failure_of(ort_api().CreateSessionFromArray(env, bytes.data(), bytes.size(), options.handle(), &session)),
              HasSubstr("nonsense"));
}

TEST(entries, tensors_are_copied) {
  const EnvHandle env = make_env();
  const XValue from = XValue::tensor<float>(std::vector<float>{1, 2}, {2});
  const XValue to = XValue::tensor<float>(std::vector<float>{0, 0}, {2}), shorter = XValue::scalar<float>(0);
  const OrtValue* sources[] = {from.handle()};
  OrtValue *targets[] = {to.handle()}, *wrong[] = {shorter.handle()};
  check(ort_api().CopyTensors(env.get(), sources, targets, nullptr, 1));
  EXPECT_EQ(to.values<float>()[1], 2);
  EXPECT_THAT(failure_of(ort_api().CopyTensors(env.get(), sources, wrong, nullptr, 1)), HasSubstr("tensor 0"));
}

TEST(entries, elements_of_string_tensors) {
  const std::vector<std::string> texts{"a", "bcd"};
  const XValue value = XValue::strings(texts, {2});
  int is_tensor = 0;
  check(ort_api().IsTensor(value.handle(), &is_tensor));
  EXPECT_EQ(is_tensor, 1);
  char text[4] = {};
  check(ort_api().GetStringTensorElement(value.handle(), 3, 1, text));
  EXPECT_STREQ(text, "bcd");
}

TEST(entries, environments_are_made_from_options) {
  struct Log {
    int lines = 0;
    std::string last;
  } log;
  const OrtLoggingFunction function = [](void* param, OrtLoggingLevel, const char*, const char*, const char*,
                                         const char* message) {
    auto* to = static_cast<Log*>(param);
    ++to->lines;
    to->last = message;
  };
  OrtKeyValuePairs* pairs = nullptr;
  ort_api().CreateKeyValuePairs(&pairs);
  const PairsHandle entries(pairs);
  OrtEnvCreationOptions options{};
  options.version = ORT_API_VERSION;
  options.logging_severity_level = ORT_LOGGING_LEVEL_WARNING;
  options.log_id = "mine";
  options.custom_logging_function = function;
  options.custom_logging_param = &log;
  options.config_entries = pairs;
  OrtEnv* env = nullptr;
  check(ort_api().CreateEnvWithOptions(&options, &env));
  const EnvHandle owner(env);
  sardonyx::SessionOptions session_options;
  session_options.config("session.no_such_entry", "1");
  const std::string bytes = clip_model();
  OrtSession* session = nullptr;
  check(ort_api().CreateSessionFromArray(env, bytes.data(), bytes.size(), session_options.handle(), &session));
  ort_api().ReleaseSession(session);
  EXPECT_EQ(log.lines, 1);
  EXPECT_THAT(log.last, HasSubstr("no_such_entry"));

  Log own;  // of one session alone
  check(ort_api().SetUserLoggingFunction(session_options.handle(), function, &own));
  check(ort_api().CreateSessionFromArray(env, bytes.data(), bytes.size(), session_options.handle(), &session));
  ort_api().ReleaseSession(session);
  EXPECT_EQ(log.lines, 1);
  EXPECT_EQ(own.lines, 1);

  const OrtThreadPoolCallbacksConfig none{};
  check(ort_api().SetPerSessionThreadPoolCallbacks(env, &none));
}

TEST(entries, prepacked_containers_are_accepted) {
  OrtPrepackedWeightsContainer* container = nullptr;
  check(ort_api().CreatePrepackedWeightsContainer(&container));
  const EnvHandle env = make_env();
  const std::string bytes = clip_model();
  OrtSession* session = nullptr;
  check(ort_api().CreateSessionFromArrayWithPrepackedWeightsContainer(env.get(), bytes.data(), bytes.size(), nullptr,
                                                                      container, &session));
  size_t inputs = 0;
  check(ort_api().SessionGetInputCount(session, &inputs));
  EXPECT_EQ(inputs, 1u);
  ort_api().ReleaseSession(session);
  EXPECT_THAT(failure_of(ort_api().CreateSessionWithPrepackedWeightsContainer(env.get(), "nowhere.onnx", nullptr,
                                                                              container, &session)),
              HasSubstr("nowhere.onnx"));
  ort_api().ReleasePrepackedWeightsContainer(container);
}

TEST(entries, types_of_containers) {
  const OrtModelEditorApi& editor = *ort_api().GetModelEditorApi();
  OrtTensorTypeAndShapeInfo* shape = nullptr;
  check(ort_api().CreateTensorTypeAndShapeInfo(&shape));
  check(ort_api().SetTensorElementType(shape, ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE));
  OrtTypeInfo *tensor = nullptr, *map = nullptr, *sequence = nullptr, *optional = nullptr, *sparse = nullptr;
  check(editor.CreateTensorTypeInfo(shape, &tensor));
  check(editor.CreateSparseTensorTypeInfo(shape, &sparse));
  check(editor.CreateMapTypeInfo(ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, tensor, &map));
  check(editor.CreateSequenceTypeInfo(map, &sequence));
  check(editor.CreateOptionalTypeInfo(sequence, &optional));
  const TypeHandle owners[] = {TypeHandle(tensor), TypeHandle(map), TypeHandle(sequence), TypeHandle(optional),
                               TypeHandle(sparse)};
  ort_api().ReleaseTensorTypeAndShapeInfo(shape);

  const OrtOptionalTypeInfo* as_optional = nullptr;
  check(ort_api().CastTypeInfoToOptionalTypeInfo(optional, &as_optional));
  OrtTypeInfo* inner = nullptr;
  check(ort_api().GetOptionalContainedTypeInfo(as_optional, &inner));
  const TypeHandle inner_owner(inner);
  const OrtSequenceTypeInfo* as_sequence = nullptr;
  check(ort_api().CastTypeInfoToSequenceTypeInfo(inner, &as_sequence));
  OrtTypeInfo* element = nullptr;
  check(ort_api().GetSequenceElementType(as_sequence, &element));
  const TypeHandle element_owner(element);
  const OrtMapTypeInfo* as_map = nullptr;
  check(ort_api().CastTypeInfoToMapTypeInfo(element, &as_map));
  ONNXTensorElementDataType key{};
  check(ort_api().GetMapKeyType(as_map, &key));
  EXPECT_EQ(key, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
  OrtTypeInfo* value = nullptr;
  check(ort_api().GetMapValueType(as_map, &value));
  const TypeHandle value_owner(value);
  const OrtTensorTypeAndShapeInfo* info = nullptr;
  check(ort_api().CastTypeInfoToTensorInfo(value, &info));
  ONNXTensorElementDataType type{};
  check(ort_api().GetTensorElementType(info, &type));
  EXPECT_EQ(type, ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE);
  ONNXType kind{};
  check(ort_api().GetOnnxTypeFromTypeInfo(sparse, &kind));
  EXPECT_EQ(kind, ONNX_TYPE_SPARSETENSOR);
  const char* denotation = nullptr;
  size_t length = 9;
  check(ort_api().GetDenotationFromTypeInfo(tensor, &denotation, &length));
  EXPECT_EQ(length, 0u);
  OrtValueInfo* named = nullptr;
  check(editor.CreateValueInfo("name of it", tensor, &named));
  const char* name = nullptr;
  check(ort_api().GetValueInfoName(named, &name));
  EXPECT_STREQ(name, "name of it");
  ort_api().ReleaseValueInfo(named);
  ort_api().ReleaseMapTypeInfo(nullptr);
  ort_api().ReleaseSequenceTypeInfo(nullptr);
}

TEST(entries, tables_that_have_nothing_here_answer_by_name) {
  const OrtEpDevice* device = nullptr;
  OrtExternalResourceImporter* importer = nullptr;
  EXPECT_THAT(failure_of(ort_api().GetInteropApi()->CreateExternalResourceImporterForDevice(device, &importer)),
              HasSubstr("CreateExternalResourceImporterForDevice"));
  EXPECT_THAT(failure_of(ort_api().GetCompileApi()->CompileModel(nullptr, nullptr)), HasSubstr("CompileModel"));
  sardonyx::SessionOptions options;
  void* library = nullptr;
  EXPECT_THAT(failure_of(ort_api().RegisterCustomOpsLibrary(options.handle(), "nowhere.so", &library)),
              HasSubstr("nowhere.so"));
  EXPECT_THAT(failure_of(ort_api().RegisterCustomOpsUsingFunction(options.handle(), "no_such_function")),
              HasSubstr("no_such_function"));
}

// What a kernel is told of its node, and of a run.
struct Told {
  std::string texts, output, domain, op, config;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
  int64_t number = 0;
  int since = 0;
  size_t outputs = 0, run_outputs = 0;
  ONNXType input_type{}, output_type{};
  float tensor_element = 0;
} told;

OrtStatus* learn(const OrtCustomOp*, const OrtApi* api, const OrtKernelInfo* given, void** out) {
  told = {};
  OrtKernelInfo* info = nullptr;  // a copy says the same
  check(api->CopyKernelInfo(given, &info));
  char text[32] = {};
  size_t size = sizeof text;
  check(api->KernelInfoGetAttribute_string(info, "text", text, &size));
  told.texts = text;
  check(api->KernelInfoGetAttribute_int64(info, "number", &told.number));
  told.floats.resize(2), told.ints.resize(3);
  size_t count = 2;
  check(api->KernelInfoGetAttributeArray_float(info, "floats", told.floats.data(), &count));
  count = 3;
  check(api->KernelInfoGetAttributeArray_int64(info, "ints", told.ints.data(), &count));
  OrtAllocator* allocator = nullptr;
  check(api->KernelInfoGetAllocator(info, OrtMemTypeDefault, &allocator));
  char** texts = nullptr;
  check(api->KernelInfoGetAttributeArray_string(info, "strings", allocator, &texts, &count));
  for (size_t i = 0; i < count; ++i) {
    told.strings.emplace_back(texts[i]);
    allocator->Free(allocator, texts[i]);
  }
  allocator->Free(allocator, texts);
  OrtValue* tensor = nullptr;
  check(api->KernelInfoGetAttribute_tensor(info, "tensor", allocator, &tensor));
  const void* data = nullptr;
  check(api->GetTensorData(tensor, &data));
  told.tensor_element = *static_cast<const float*>(data);
  api->ReleaseValue(tensor);
  check(api->KernelInfo_GetOutputCount(info, &told.outputs));
  size = sizeof text;
  check(api->KernelInfo_GetOutputName(info, 0, text, &size));
  told.output = text;
  OrtTypeInfo* type = nullptr;
  check(api->KernelInfo_GetInputTypeInfo(info, 0, &type));
  check(api->GetOnnxTypeFromTypeInfo(type, &told.input_type));
  api->ReleaseTypeInfo(type);
  check(api->KernelInfo_GetOutputTypeInfo(info, 0, &type));
  check(api->GetOnnxTypeFromTypeInfo(type, &told.output_type));
  api->ReleaseTypeInfo(type);
  size = sizeof text;
  check(api->KernelInfo_GetOperatorDomain(info, text, &size));
  told.domain = text;
  size = sizeof text;
  check(api->KernelInfo_GetOperatorType(info, text, &size));
  told.op = text;
  check(api->KernelInfo_GetOperatorSinceVersion(info, &told.since));
  OrtKeyValuePairs* entries = nullptr;
  check(api->KernelInfo_GetConfigEntries(info, &entries));
  api->ReleaseKeyValuePairs(entries);
  const OrtLogger* logger = nullptr;
  check(api->KernelInfo_GetLogger(info, &logger));
  OrtLoggingLevel level{};
  check(api->Logger_GetLoggingSeverityLevel(logger, &level));
  check(api->Logger_LogMessage(logger, level, "a kernel is made", "file.cc", 1, "learn"));
  api->ReleaseKernelInfo(info);
  *out = nullptr;
  return nullptr;
}

OrtStatus* copy_through_scratch(void*, OrtKernelContext* context) {
  const OrtApi& api = ort_api();
  check(api.KernelContext_GetOutputCount(context, &told.run_outputs));
  const OrtLogger* logger = nullptr;
  check(api.KernelContext_GetLogger(context, &logger));
  EXPECT_NE(logger, nullptr);
  const auto memory = cpu_memory();
  OrtAllocator* allocator = nullptr;
  check(api.KernelContext_GetAllocator(context, memory.get(), &allocator));
  EXPECT_NE(allocator, nullptr);
  OrtValue* preallocated = nullptr;
  check(api.KernelContext_GetPreallocatedOutput(context, 0, &preallocated));
  EXPECT_EQ(preallocated, nullptr);
  const OrtValue* x = nullptr;
  check(api.KernelContext_GetInput(context, 0, &x));
  const void* from = nullptr;
  size_t bytes = 0;
  check(api.GetTensorData(x, &from));
  check(api.GetTensorSizeInBytes(x, &bytes));
  void* scratch = nullptr;
  check(api.KernelContext_GetScratchBuffer(context, memory.get(), bytes, &scratch));
  std::memcpy(scratch, from, bytes);
  const int64_t count = static_cast<int64_t>(bytes / sizeof(float));
  OrtValue* y = nullptr;
  void* to = nullptr;
  check(api.KernelContext_GetOutput(context, 0, &count, 1, &y));
  check(api.GetTensorMutableData(y, &to));
  std::memcpy(to, scratch, bytes);
  return nullptr;
}

TEST(entries, kernels_are_told_of_their_node_and_their_run) {
  OrtCustomOp op{};
  op.version = 24;
  op.GetName = [](const OrtCustomOp*) { return "Learn"; };
  op.GetExecutionProviderType = [](const OrtCustomOp*) -> const char* { return nullptr; };
  op.GetInputTypeCount = [](const OrtCustomOp*) { return size_t{1}; };
  op.GetInputType = [](const OrtCustomOp*, size_t) { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; };
  op.GetInputCharacteristic = [](const OrtCustomOp*, size_t) { return INPUT_OUTPUT_REQUIRED; };
  op.GetOutputTypeCount = op.GetInputTypeCount;
  op.GetOutputType = op.GetInputType;
  op.GetOutputCharacteristic = op.GetInputCharacteristic;
  op.CreateKernelV2 = learn;
  op.KernelComputeV2 = copy_through_scratch;
  op.KernelDestroy = [](void*) {};
  OrtCustomOpDomain* domain = nullptr;
  check(ort_api().CreateCustomOpDomain("mine", &domain));
  const Handle<OrtCustomOpDomain, &OrtApi::ReleaseCustomOpDomain> owner(domain);
  check(ort_api().CustomOpDomain_Add(domain, &op));
  sardonyx::SessionOptions options;
  check(ort_api().AddCustomOpDomain(options.handle(), domain));

  ModelMaker maker;
  auto& import = maker.proto.opset_import.emplace_back();
  import.domain = "mine";
  import.version = 3;
  maker.input({"x", DType::f32, {"n"}}).output({"y", DType::f32, {"n"}}).node({"Learn", {"x"}, {"y"}});
  auto& node = maker.proto.graph->node[0];
  node.domain = "mine";
  const Tensor element = scalar_f32(6);
  const auto attribute = [&](const char* name, int32_t type) -> onnx::AttributeProto& {
    auto& made = node.attribute.emplace_back();
    made.name = name;
    made.type = type;
    return made;
  };
  attribute("text", 3).s = "a text";
  attribute("number", 2).i = -5;
  attribute("floats", 6).floats = onnx::Numbers<float>({1.5F, 2.5F});
  attribute("ints", 7).ints = onnx::Numbers<int64_t>({1, 2, 3});
  attribute("strings", 8).strings = {"one", "two"};
  attribute("tensor", 4).t.make() = onnx::tensor_message(element, "t");
  const std::string bytes = maker.bytes();
  const Session session = Session::from_bytes(as_bytes(bytes), options);
  const auto outputs = session.run({{"x", XValue::tensor<float>(std::vector<float>{4, 5}, {2})}});
  EXPECT_EQ(outputs[0].values<float>()[1], 5);
  EXPECT_EQ(told.texts, "a text");
  EXPECT_EQ(told.number, -5);
  EXPECT_THAT(told.floats, ElementsAre(1.5F, 2.5F));
  EXPECT_THAT(told.ints, ElementsAre(1, 2, 3));
  EXPECT_THAT(told.strings, ElementsAre("one", "two"));
  EXPECT_EQ(told.tensor_element, 6);
  EXPECT_EQ(told.outputs, 1u);
  EXPECT_EQ(told.run_outputs, 1u);
  EXPECT_EQ(told.output, "y");
  EXPECT_EQ(told.input_type, ONNX_TYPE_TENSOR);
  EXPECT_EQ(told.output_type, ONNX_TYPE_TENSOR);
  EXPECT_EQ(told.domain, "mine");
  EXPECT_EQ(told.op, "Learn");
  EXPECT_EQ(told.since, 3);
}

}  // namespace
}  // namespace sdx::test
