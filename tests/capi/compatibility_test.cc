// What is answered about devices, compiled models and places of external data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::ort_api;
using testing::HasSubstr;

TEST(compatibility, external_initializer_info_keeps_its_place) {
  OrtExternalInitializerInfo* info = nullptr;
  check(ort_api().CreateExternalInitializerInfo("weights.bin", 4096, 12, &info));
  EXPECT_STREQ(ort_api().ExternalInitializerInfo_GetFilePath(info), "weights.bin");
  EXPECT_EQ(ort_api().ExternalInitializerInfo_GetFileOffset(info), 4096);
  EXPECT_EQ(ort_api().ExternalInitializerInfo_GetByteSize(info), 12u);
  ort_api().ReleaseExternalInitializerInfo(info);
}

TEST(compatibility, of_a_compiled_model_is_in_its_metadata) {
  ModelMaker maker;
  maker.proto.metadata_props.push_back({"ep_compatibility_info.Some", "needs v3", {}});
  maker.input({"x", DType::f32, {1}}).output({"y", DType::f32, {1}}).node({"Relu", {"x"}, {"y"}});
  const std::string bytes = maker.bytes();
  OrtAllocator* allocator = nullptr;
  check(ort_api().GetAllocatorWithDefaultOptions(&allocator));
  const auto asked = [&](const char* provider) {
    char* text = nullptr;
    check(ort_api().GetCompatibilityInfoFromModelBytes(bytes.data(), bytes.size(), provider, allocator, &text));
    const std::string copy = text == nullptr ? "nothing" : text;
    if (text != nullptr) allocator->Free(allocator, text);
    return copy;
  };
  EXPECT_EQ(asked("Some"), "needs v3");
  EXPECT_EQ(asked("Other"), "nothing");
  char* text = nullptr;
  EXPECT_THROW(check(ort_api().GetCompatibilityInfoFromModel("nowhere.onnx", "Some", allocator, &text)),
               sardonyx::Error);
}

TEST(compatibility, of_the_cpu) {
  OrtEnv* env = nullptr;
  check(ort_api().CreateEnv(ORT_LOGGING_LEVEL_ERROR, "devices", &env));
  const OrtEpDevice* const* devices = nullptr;
  size_t count = 0;
  check(ort_api().GetEpDevices(env, &devices, &count));
  ASSERT_GT(count, 0u);
  OrtCompiledModelCompatibility status = OrtCompiledModelCompatibility_EP_UNSUPPORTED;
  check(ort_api().GetModelCompatibilityForEpDevices(devices, 1, "needs v3", &status));
  EXPECT_EQ(status, OrtCompiledModelCompatibility_EP_NOT_APPLICABLE);
  OrtDeviceEpIncompatibilityDetails* details = nullptr;
  const OrtHardwareDevice* cpu = ort_api().EpDevice_Device(devices[0]);
  check(ort_api().GetHardwareDeviceEpIncompatibilityDetails(env, "CPUExecutionProvider", cpu, &details));
  uint32_t reasons = 9;
  int32_t code = 9;
  const char* notes = nullptr;
  check(ort_api().DeviceEpIncompatibilityDetails_GetReasonsBitmask(details, &reasons));
  check(ort_api().DeviceEpIncompatibilityDetails_GetErrorCode(details, &code));
  check(ort_api().DeviceEpIncompatibilityDetails_GetNotes(details, &notes));
  EXPECT_EQ(reasons, 0u);
  EXPECT_EQ(code, 0);
  EXPECT_STREQ(notes, "");
  ort_api().ReleaseDeviceEpIncompatibilityDetails(details);
  OrtStatus* refused = ort_api().GetHardwareDeviceEpIncompatibilityDetails(env, "Nobody's", cpu, &details);
  EXPECT_THAT(ort_api().GetErrorMessage(refused), HasSubstr("Nobody's"));
  ort_api().ReleaseStatus(refused);
  ort_api().ReleaseEnv(env);
}

}  // namespace
}  // namespace sdx::test
