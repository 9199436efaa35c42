// IoBinding, options and devices through the C ABI.
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

std::string text_of(OrtStatus* status) {
  const std::string text = status == nullptr ? "OK" : ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return text;
}

class io_binding : public testing::Test {
 protected:
  io_binding() {
    OrtIoBinding* binding = nullptr;
    check(ort_api().CreateIoBinding(session_.handle(), &binding));
    binding_.reset(binding);
  }
  std::vector<XValue> results() const {
    OrtValue** values = nullptr;
    size_t count = 0;
    check(ort_api().GetBoundOutputValues(binding_.get(), allocator_, &values, &count));
    std::vector<XValue> list;
    for (size_t i = 0; i < count; ++i) list.emplace_back(values[i]);
    check(ort_api().AllocatorFree(allocator_, values));
    return list;
  }
  OrtStatus* run() const { return ort_api().RunWithBinding(session_.handle(), nullptr, binding_.get()); }

  std::string model_ = clip_model();
  Session session_ = Session::from_bytes(as_bytes(model_));
  OrtAllocator* allocator_ = sardonyx::detail::allocator();
  sardonyx::detail::Handle<OrtIoBinding, &OrtApi::ReleaseIoBinding> binding_;
};

TEST_F(io_binding, writes_bound_memory) {
  std::vector<float> x{-1, 2, -3}, y(3, 7);
  const XValue input = XValue::borrow(std::span(x), {1, 3}), output = XValue::borrow(std::span(y), {1, 3});
  check(ort_api().BindInput(binding_.get(), "x", input.handle()));
  check(ort_api().BindOutput(binding_.get(), "y", output.handle()));
  check(run());
  EXPECT_THAT(y, ElementsAre(0, 2, 0));
  x = {5, 5, 5};
  check(run());
  EXPECT_THAT(y, ElementsAre(5, 5, 5));
  EXPECT_EQ(results()[0].bytes().data(), reinterpret_cast<const std::byte*>(y.data()));
}

TEST_F(io_binding, makes_outputs_bound_to_a_device) {
  const XValue input = XValue::tensor<float>(std::vector<float>{-1, 2, -3}, {1, 3});
  OrtMemoryInfo* info = nullptr;
  check(ort_api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &info));
  check(ort_api().BindInput(binding_.get(), "x", input.handle()));
  check(ort_api().BindOutputToDevice(binding_.get(), "y", info));
  ort_api().ReleaseMemoryInfo(info);
  check(run());
  check(run());
  EXPECT_THAT(results()[0].values<float>(), ElementsAre(0, 2, 0));

  char* names = nullptr;
  size_t* lengths = nullptr;
  size_t count = 0;
  check(ort_api().GetBoundOutputNames(binding_.get(), allocator_, &names, &lengths, &count));
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(std::string(names, lengths[0]), "y");
  check(ort_api().AllocatorFree(allocator_, names));
  check(ort_api().AllocatorFree(allocator_, lengths));
}

TEST_F(io_binding, refuses_what_the_session_lacks) {
  const XValue input = XValue::tensor<float>(std::vector<float>{-1, 2, -3}, {1, 3});
  EXPECT_EQ(text_of(ort_api().BindInput(binding_.get(), "qq", input.handle())),
            "Failed to find NodeArg with name: qq in the def list");
  EXPECT_EQ(text_of(run()), "At least one output should be requested.");
  check(ort_api().BindOutput(binding_.get(), "qq", input.handle()));
  EXPECT_EQ(text_of(run()), "Invalid output name:qq");
  ort_api().ClearBoundOutputs(binding_.get());
  EXPECT_TRUE(results().empty());
}

TEST(session_options, keep_every_configuration_entry) {
  sardonyx::SessionOptions options;
  options.config("session.no_such_key", "a value");
  OrtSessionOptions* copy = nullptr;
  check(ort_api().CloneSessionOptions(options.handle(), &copy));
  int has = 0;
  check(ort_api().HasSessionConfigEntry(copy, "session.no_such_key", &has));
  EXPECT_EQ(has, 1);
  size_t size = 0;
  check(ort_api().GetSessionConfigEntry(copy, "session.no_such_key", nullptr, &size));
  ASSERT_EQ(size, 8u);
  std::string value(size, 'x');
  check(ort_api().GetSessionConfigEntry(copy, "session.no_such_key", value.data(), &size));
  EXPECT_STREQ(value.c_str(), "a value");
  size = 3;
  EXPECT_EQ(text_of(ort_api().GetSessionConfigEntry(copy, "session.no_such_key", value.data(), &size)),
            "there is room for 3 bytes, the text takes 8");
  EXPECT_EQ(text_of(ort_api().GetSessionConfigEntry(copy, "no.key", nullptr, &size)),
            "SessionOptions does not have configuration with key: no.key");
  ort_api().ReleaseSessionOptions(copy);
}

TEST(session_options, refuse_nonsense) {
  const sardonyx::SessionOptions options;
  EXPECT_THAT(text_of(ort_api().SetIntraOpNumThreads(options.handle(), -1)), HasSubstr("threads is -1"));
  EXPECT_THAT(
      text_of(ort_api().SetSessionGraphOptimizationLevel(options.handle(), static_cast<GraphOptimizationLevel>(7))),
      HasSubstr("level is 7"));
  EXPECT_THAT(text_of(ort_api().AddSessionConfigEntry(options.handle(), "", "x")), HasSubstr("0 characters"));
}

TEST(providers, the_cpus_is_the_only_one) {
  char** names = nullptr;
  int count = 0;
  check(ort_api().GetAvailableProviders(&names, &count));
  ASSERT_EQ(count, 1);
  EXPECT_STREQ(names[0], "CPUExecutionProvider");
  check(ort_api().ReleaseAvailableProviders(names, count));
  sardonyx::SessionOptions options;
  options.provider("CPUExecutionProvider");
  const auto append = [&](const char* name) {
    return text_of(ort_api().SessionOptionsAppendExecutionProvider(options.handle(), name, nullptr, nullptr, 0));
  };
  EXPECT_THAT(append("CUDAExecutionProvider"), HasSubstr("CUDA execution provider is not enabled in this build"));
  EXPECT_THAT(append("Nobody"), HasSubstr("Unknown provider name \"Nobody\""));
}

TEST(devices, the_cpu_is_listed) {
  const OrtEpDevice* const* devices = nullptr;
  size_t count = 0;
  OrtEnv* env = sardonyx::Environment::shared().handle();
  check(ort_api().GetEpDevices(env, &devices, &count));
  ASSERT_EQ(count, 1u);
  EXPECT_STREQ(ort_api().EpDevice_EpName(devices[0]), "CPUExecutionProvider");
  EXPECT_EQ(ort_api().HardwareDevice_Type(ort_api().EpDevice_Device(devices[0])), OrtHardwareDeviceType_CPU);
  const sardonyx::SessionOptions options;
  check(ort_api().SessionOptionsAppendExecutionProvider_V2(options.handle(), env, devices, 1, nullptr, nullptr, 0));
  EXPECT_EQ(text_of(ort_api().SessionOptionsAppendExecutionProvider_V2(options.handle(), env, devices, 0, nullptr,
                                                                       nullptr, 0)),
            "Must provide one or more OrtEpDevice instances.");
}

TEST(key_values, keep_texts) {
  OrtKeyValuePairs* pairs = nullptr;
  ort_api().CreateKeyValuePairs(&pairs);
  ort_api().AddKeyValuePair(pairs, "b", "2");
  ort_api().AddKeyValuePair(pairs, "a", "1");
  ort_api().AddKeyValuePair(pairs, "b", "3");
  const char* const* keys = nullptr;
  const char* const* values = nullptr;
  size_t count = 0;
  ort_api().GetKeyValuePairs(pairs, &keys, &values, &count);
  ASSERT_EQ(count, 2u);
  EXPECT_STREQ(keys[1], "b");
  EXPECT_STREQ(values[1], "3");
  ort_api().RemoveKeyValuePair(pairs, "a");
  EXPECT_EQ(ort_api().GetKeyValue(pairs, "a"), nullptr);
  ort_api().ReleaseKeyValuePairs(pairs);
}

TEST(logging, reaches_the_callers_function) {
  std::string lines;
  const OrtLoggingFunction function = [](void* param, OrtLoggingLevel, const char*, const char* id, const char*,
                                         const char* message) {
    *static_cast<std::string*>(param) += std::string(id) + ": " + message + "\n";
  };
  const sardonyx::Environment environment(function, &lines, ORT_LOGGING_LEVEL_WARNING, "mine");
  ModelMaker maker;
  maker.input({"a", DType::f32, {"n"}}).input({"b", DType::f32, {"n"}}).output({"c", DType::f32, {"n"}});
  maker.node({"Add", {"a", "b"}, {"c"}});
  const std::string model = maker.bytes();
  const Session session = Session::from_bytes(as_bytes(model), {}, environment);
  const XValue a = XValue::tensor<float>(std::vector<float>{1, 2}, {2}),
               b = XValue::tensor<float>(std::vector<float>{3}, {1});
  EXPECT_THAT(session.run({{"a", a}, {"b", b}})[0].values<float>(), ElementsAre(4, 5));
  EXPECT_THAT(lines, HasSubstr("mine: "));
  EXPECT_THAT(lines, HasSubstr("symbol n is"));
}

}  // namespace
}  // namespace sdx::test
