// The library's exported symbols, and the entries that lead from the main table to the other tables.
#include "tables.h"

namespace sdx::api {
namespace {

// Plug-ins parse this and refuse any version whose second number is not an API version that is served.
#define SDX_TEXT_OF(text) #text
#define SDX_TEXT(text) SDX_TEXT_OF(text)
constexpr char kVersion[] = "1." SDX_TEXT(ORT_API_VERSION) ".0";
constexpr char kBuildInfo[] = "Sardonyx, serving ONNX Runtime's C API 1 to " SDX_TEXT(ORT_API_VERSION);
#undef SDX_TEXT
#undef SDX_TEXT_OF

// Tables only ever grow at the end, so one table serves every version.
const OrtApi* ORT_API_CALL get_api(std::uint32_t version) noexcept {
  return version >= 1 && version <= ORT_API_VERSION ? &kOrtApi : nullptr;
}

const char* ORT_API_CALL get_version_string() noexcept { return kVersion; }

constinit const OrtApiBase kApiBase{.GetApi = get_api, .GetVersionString = get_version_string};

}  // namespace

namespace ort_api {

const char* ORT_API_CALL GetBuildInfoString() noexcept { return kBuildInfo; }
const OrtModelEditorApi* ORT_API_CALL GetModelEditorApi() noexcept { return &kOrtModelEditorApi; }
const OrtCompileApi* ORT_API_CALL GetCompileApi() noexcept { return &kOrtCompileApi; }
const OrtInteropApi* ORT_API_CALL GetInteropApi() noexcept { return &kOrtInteropApi; }
const OrtEpApi* ORT_API_CALL GetEpApi() noexcept { return &kOrtEpApi; }
const OrtModelPackageApi* ORT_API_CALL GetModelPackageApi() noexcept { return &kOrtModelPackageApi; }

}  // namespace ort_api
}  // namespace sdx::api

extern "C" {

const OrtApiBase* ORT_API_CALL OrtGetApiBase(void) noexcept { return &sdx::api::kApiBase; }

OrtStatusPtr ORT_API_CALL OrtSessionOptionsAppendExecutionProvider_CPU(OrtSessionOptions* /*options*/,
                                                                       int /*use_arena*/) noexcept {
  return nullptr;
}

}  // extern "C"
