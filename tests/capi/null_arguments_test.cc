// Every entry of every table takes nulls and zeros, and empty things, without dying: an error, or nothing.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "api/tables.h"
#include "model_bytes.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace sdx::api {
namespace {

// Calls `use(name, function)` for every slot of a table.
template <typename Use>
void for_each_slot(Use use) {
#define SDX_SLOT(index, since, type, name, params) use(#name, kOrtApi.name);
#include "api/ort_api_slots.inc"
#undef SDX_SLOT
#define SDX_SLOT(index, since, type, name, params) use("ModelEditor " #name, kOrtModelEditorApi.name);
#include "api/model_editor_api_slots.inc"
#undef SDX_SLOT
#define SDX_SLOT(index, since, type, name, params) use("Compile " #name, kOrtCompileApi.name);
#include "api/compile_api_slots.inc"
#undef SDX_SLOT
#define SDX_SLOT(index, since, type, name, params) use("Interop " #name, kOrtInteropApi.name);
#include "api/interop_api_slots.inc"
#undef SDX_SLOT
#define SDX_SLOT(index, since, type, name, params) use("Ep " #name, kOrtEpApi.name);
#include "api/ep_api_slots.inc"
#undef SDX_SLOT
#define SDX_SLOT(index, since, type, name, params) use("ModelPackage " #name, kOrtModelPackageApi.name);
#include "api/model_package_api_slots.inc"
#undef SDX_SLOT
}

struct Call {
  int called = 0, refused = 0;

  template <class Return, class... Args>
  void operator()(const char* entry, Return(ORT_API_CALL* function)(Args...) noexcept, Args... args) {
    SCOPED_TRACE(entry);
    ++called;
    if constexpr (std::is_same_v<Return, OrtStatus*>) {
      OrtStatus* status = function(args...);
      const bool says_why = std::string_view(entry) == "CreateStatus" || *ort_api::GetErrorMessage(status) != '\0';
      EXPECT_TRUE(status == nullptr || says_why);
      refused += status != nullptr;
      ort_api::ReleaseStatus(status);
    } else if constexpr (std::is_void_v<Return>) {
      function(args...);
    } else {
      static_cast<void>(function(args...));
    }
  }
};

// Entries whose nulls mean that there is nothing to do.
bool may_succeed(std::string_view entry) {
  for (const std::string_view name : {"ReleaseAvailableProviders", "SynchronizeBound"})
    if (entry.find(name) != entry.npos) return true;
  return false;
}

struct CallWithNulls : Call {
  template <class Return, class... Args>
  void operator()(const char* entry, Return(ORT_API_CALL* function)(Args...) noexcept) {
    const int before = refused;
    Call::operator()(entry, function, Args{}...);
    if constexpr (std::is_same_v<Return, OrtStatus*> && sizeof...(Args) > 0)
      if (refused == before && !may_succeed(entry)) ADD_FAILURE() << entry << " takes null for all of its arguments";
  }
};

TEST(null_arguments, never_kill) {
  CallWithNulls call;
  for_each_slot([&](const char* entry, auto* function) { call(entry, function); });
  EXPECT_EQ(call.called, 429 + 20 + 20 + 13 + 78 + 16);
}

// The emptiest thing of a type: a fresh handle, a text of no letters, memory to write to, 0.
std::array<char, 1 << 12> scratch_memory;

template <class Handle, class Function, class... Args>
Handle* create(Function function, Args... args) {
  Handle* handle = nullptr;
  OrtStatus* status = function(args..., &handle);
  EXPECT_EQ(status, nullptr);
  return handle;
}
template <class Handle>
constexpr Handle* kA = nullptr;  // make(kA<OrtValue>): a fresh one

OrtEnv* make(OrtEnv*) { return create<OrtEnv>(kOrtApi.CreateEnv, ORT_LOGGING_LEVEL_FATAL, "empty"); }
OrtSessionOptions* make(OrtSessionOptions*) { return create<OrtSessionOptions>(kOrtApi.CreateSessionOptions); }
OrtRunOptions* make(OrtRunOptions*) { return create<OrtRunOptions>(kOrtApi.CreateRunOptions); }
OrtThreadingOptions* make(OrtThreadingOptions*) { return create<OrtThreadingOptions>(kOrtApi.CreateThreadingOptions); }
OrtTensorTypeAndShapeInfo* make(OrtTensorTypeAndShapeInfo*) {
  return create<OrtTensorTypeAndShapeInfo>(kOrtApi.CreateTensorTypeAndShapeInfo);
}
OrtTypeInfo* make(OrtTypeInfo*) {
  return create<OrtTypeInfo>(kOrtModelEditorApi.CreateTensorTypeInfo, make(kA<OrtTensorTypeAndShapeInfo>));
}
OrtCustomOpDomain* make(OrtCustomOpDomain*) { return create<OrtCustomOpDomain>(kOrtApi.CreateCustomOpDomain, ""); }
OrtPrepackedWeightsContainer* make(OrtPrepackedWeightsContainer*) {
  return create<OrtPrepackedWeightsContainer>(kOrtApi.CreatePrepackedWeightsContainer);
}
OrtMemoryInfo* make(OrtMemoryInfo*) {
  return create<OrtMemoryInfo>(kOrtApi.CreateCpuMemoryInfo, OrtDeviceAllocator, OrtMemTypeDefault);
}
OrtAllocator* make(OrtAllocator*) { return create<OrtAllocator>(kOrtApi.GetAllocatorWithDefaultOptions); }
OrtKeyValuePairs* make(OrtKeyValuePairs*) {
  OrtKeyValuePairs* pairs = nullptr;
  kOrtApi.CreateKeyValuePairs(&pairs);
  return pairs;
}
OrtValue* make(OrtValue*) {
  static constexpr int64_t kNone = 0;
  return create<OrtValue>(kOrtApi.CreateTensorAsOrtValue, make(kA<OrtAllocator>), &kNone, size_t{1},
                          ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
}
OrtSession* make(OrtSession*) {
  const std::string bytes = test::clip_model();
  return create<OrtSession>(kOrtApi.CreateSessionFromArray, make(kA<OrtEnv>), bytes.data(), bytes.size(), nullptr);
}
OrtIoBinding* make(OrtIoBinding*) { return create<OrtIoBinding>(kOrtApi.CreateIoBinding, make(kA<OrtSession>)); }

template <class Arg>
Arg empty() {
  if constexpr (std::is_pointer_v<Arg>) {
    using Bare = std::remove_cv_t<std::remove_pointer_t<Arg>>;
    if constexpr (std::is_function_v<Bare>) {
      return nullptr;
    } else if constexpr (std::is_same_v<Arg, const char*>) {
      return "";
    } else if constexpr (std::is_scalar_v<Bare> || std::is_void_v<Bare>) {
      scratch_memory = {};
      return static_cast<Arg>(static_cast<void*>(scratch_memory.data()));
    } else if constexpr (requires { make(kA<Bare>); }) {
      return make(kA<Bare>);
    } else {
      return nullptr;  // nothing makes one out of nothing
    }
  } else {
    return Arg{};
  }
}

struct CallWithEmptyThings : Call {
  template <class Return, class... Args>
  void operator()(const char* entry, Return(ORT_API_CALL* function)(Args...) noexcept) {
    const std::string_view name = entry;
    if (name == "ReleaseAvailableProviders" || name == "AllocatorFree") {  // they free what others gave
      Call::operator()(entry, function, Args{}...);
    } else {
      Call::operator()(entry, function, empty<Args>()...);
    }
  }
};

TEST(empty_arguments, never_kill) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler everything_leaks;
#endif
  CallWithEmptyThings call;
  for_each_slot([&](const char* entry, auto* function) { call(entry, function); });
  EXPECT_EQ(call.called, 429 + 20 + 20 + 13 + 78 + 16);
  EXPECT_GT(call.called - call.refused, 200);
}

}  // namespace
}  // namespace sdx::api
