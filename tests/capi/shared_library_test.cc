// A program of ONNX Runtime's: loads libonnxruntime.so.1 by name and knows nothing but the C header.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "model_bytes.h"
#include "onnxruntime_c_api.h"

namespace sdx::test {
namespace {

class client : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    const auto path = program.parent_path().parent_path() / "lib" / GetParam();
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not built";
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    const auto base = reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library_, "OrtGetApiBase"));
    ASSERT_NE(base, nullptr);
    constexpr uint32_t kVersionOfTheClient = 17;
    api_ = base()->GetApi(kVersionOfTheClient);
    ASSERT_NE(api_, nullptr);
  }
  void check(OrtStatus* status) {
    if (status == nullptr) return;
    ADD_FAILURE() << api_->GetErrorMessage(status);
    api_->ReleaseStatus(status);
  }

  void* library_ = nullptr;
  const OrtApi* api_ = nullptr;
};

TEST_P(client, runs_a_model) {
  const std::string model = clip_model();
  OrtEnv* env = nullptr;
  OrtSessionOptions* options = nullptr;
  OrtSession* session = nullptr;
  OrtMemoryInfo* memory = nullptr;
  OrtValue *x = nullptr, *y = nullptr;
  check(api_->CreateEnv(ORT_LOGGING_LEVEL_WARNING, "client", &env));
  check(api_->CreateSessionOptions(&options));
  check(api_->SetIntraOpNumThreads(options, 1));
  check(api_->CreateSessionFromArray(env, model.data(), model.size(), options, &session));
  ASSERT_NE(session, nullptr);
  check(api_->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
  float elements[] = {-1, 2, 3};
  const int64_t shape[] = {1, 3};
  check(api_->CreateTensorWithDataAsOrtValue(memory, elements, sizeof elements, shape, 2,
                                             ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &x));
  const char* const input_names[] = {"x"};
  const char* const output_names[] = {"y"};
  check(api_->Run(session, nullptr, input_names, &x, 1, output_names, 1, &y));
  ASSERT_NE(y, nullptr);
  void* result = nullptr;
  check(api_->GetTensorMutableData(y, &result));
  EXPECT_EQ(static_cast<float*>(result)[0], 0);
  EXPECT_EQ(static_cast<float*>(result)[2], 3);
  api_->ReleaseValue(y);
  api_->ReleaseValue(x);
  api_->ReleaseMemoryInfo(memory);
  api_->ReleaseSession(session);
  api_->ReleaseSessionOptions(options);
  api_->ReleaseEnv(env);
}

INSTANTIATE_TEST_SUITE_P(libraries, client, testing::Values("libonnxruntime.so.1", "libsardonyx.so.0"));

}  // namespace
}  // namespace sdx::test
