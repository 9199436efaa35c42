// Execution providers by name. The CPU's is always there; what is not in this build is refused with its name.
#include <algorithm>

#include "abi/env.h"
#include "answer.h"
#include "runtime/provider_registry.h"
#include "tables.h"

namespace sdx::api {
namespace {

struct KnownProvider {
  std::string_view name;
  std::string_view short_name;
};
constexpr KnownProvider kKnownProviders[] = {
    {"TensorrtExecutionProvider", "TensorRT"},
    {"CUDAExecutionProvider", "CUDA"},
    {"MIGraphXExecutionProvider", "MIGraphX"},
    {"ROCMExecutionProvider", "ROCM"},
    {"OpenVINOExecutionProvider", "OpenVINO"},
    {"DnnlExecutionProvider", "Dnnl"},
    {"VitisAIExecutionProvider", "VitisAI"},
    {"QNNExecutionProvider", "QNN"},
    {"NnapiExecutionProvider", "NNAPI"},
    {"JsExecutionProvider", "JS"},
    {"CoreMLExecutionProvider", "CoreML"},
    {"XnnpackExecutionProvider", "XNNPACK"},
    {"WebNNExecutionProvider", "WEBNN"},
    {"WebGpuExecutionProvider", "WebGPU"},
    {"DmlExecutionProvider", "DML"},
    {"AzureExecutionProvider", "AZURE"},
    {"CANNExecutionProvider", "CANN"},
    {"SNPEExecutionProvider", "SNPE"},
    {"NvTensorRTRTXExecutionProvider", "NvTensorRtRtx"},
};

bool is_cpu_provider(std::string_view name) { return name == abi::kCpuProvider || name == "CPU"; }

Status not_built_in(std::string_view name) {
  return make_error(Code::fail, "{} execution provider is not enabled in this build. It has {} only.", name,
                    abi::kCpuProvider);
}

OrtStatus* refuse(std::string_view name) noexcept {
  return answer([&]() -> Status { return not_built_in(name); });
}

Status append(OrtSessionOptions& options, std::string_view name, const char* const* keys, const char* const* values,
              size_t count) {
  abi::ProviderChoice choice{is_cpu_provider(name) ? std::string(abi::kCpuProvider) : std::string(name), {}};
  for (size_t i = 0; i < count; ++i) {
    SDX_NEED(keys[i]);
    SDX_NEED(values[i]);
    choice.options[keys[i]] = values[i];
  }
  if (is_cpu_provider(name) || runtime::find_provider(name) != nullptr) {
    options.providers.push_back(std::move(choice));
    return {};
  }
  for (const KnownProvider& known : kKnownProviders)
    if (name == known.name || name == known.short_name) return not_built_in(known.short_name);
  return invalid_argument("Unknown provider name \"{}\". This build has {} only.", name, abi::kCpuProvider);
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL GetAvailableProviders(char*** out_ptr, int* provider_length) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out_ptr);
    SDX_NEED(provider_length);
    std::vector<std::string> names = runtime::registered_providers();
    names.emplace_back(abi::kCpuProvider);
    std::vector<std::unique_ptr<char[]>> copies;
    for (const std::string& name : names) {
      copies.push_back(std::make_unique<char[]>(name.size() + 1));
      std::copy(name.begin(), name.end(), copies.back().get());
    }
    *out_ptr = new char*[copies.size()];
    for (size_t i = 0; i < copies.size(); ++i) (*out_ptr)[i] = copies[i].release();
    *provider_length = static_cast<int>(copies.size());
    return {};
  });
}

OrtStatusPtr ORT_API_CALL ReleaseAvailableProviders(char** ptr, int providers_length) noexcept {
  if (ptr != nullptr)
    for (int i = 0; i < providers_length; ++i) delete[] ptr[i];
  delete[] ptr;
  return nullptr;
}

OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider(OrtSessionOptions* options, const char* provider_name,
                                                                const char* const* provider_options_keys,
                                                                const char* const* provider_options_values,
                                                                size_t num_keys) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(provider_name);
    if (num_keys > 0) {
      SDX_NEED(provider_options_keys);
      SDX_NEED(provider_options_values);
    }
    return append(*options, provider_name, provider_options_keys, provider_options_values, num_keys);
  });
}

OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_V2(
    OrtSessionOptions* session_options, OrtEnv* env, const OrtEpDevice* const* ep_devices, size_t num_ep_devices,
    const char* const* ep_option_keys, const char* const* ep_option_vals, size_t num_ep_options) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session_options);
    SDX_NEED(env);
    if (num_ep_devices == 0) return invalid_argument("Must provide one or more OrtEpDevice instances.");
    SDX_NEED(ep_devices);
    if (num_ep_options > 0) {
      SDX_NEED(ep_option_keys);
      SDX_NEED(ep_option_vals);
    }
    for (size_t i = 0; i < num_ep_devices; ++i) {
      SDX_NEED(ep_devices[i]);
      if (ep_devices[i]->provider != ep_devices[0]->provider)
        return invalid_argument("the devices belong to {} and {}; all must be one provider's", ep_devices[0]->provider,
                                ep_devices[i]->provider);
    }
    return append(*session_options, ep_devices[0]->provider, ep_option_keys, ep_option_vals, num_ep_options);
  });
}

OrtStatusPtr ORT_API_CALL SessionOptionsSetEpSelectionPolicy(OrtSessionOptions* session_options,
                                                             OrtExecutionProviderDevicePolicy policy) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session_options);
    session_options->provider_policy = policy;
    return {};
  });
}

// Every policy chooses the one device there is.
OrtStatusPtr ORT_API_CALL SessionOptionsSetEpSelectionPolicyDelegate(OrtSessionOptions* session_options,
                                                                     EpSelectionDelegate delegate,
                                                                     void* /*delegate_state*/) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session_options);
    SDX_NEED(delegate);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetEpDynamicOptions(OrtSession* sess, const char* const* keys, const char* const* values,
                                              size_t kv_len) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(sess);
    if (kv_len > 0) {
      SDX_NEED(keys);
      SDX_NEED(values);
    }
    return {};
  });
}

// Entries of one provider each.
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_CUDA(OrtSessionOptions*,
                                                                     const OrtCUDAProviderOptions*) noexcept {
  return refuse("CUDA");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_CUDA_V2(OrtSessionOptions*,
                                                                        const OrtCUDAProviderOptionsV2*) noexcept {
  return refuse("CUDA");
}
OrtStatusPtr ORT_API_CALL CreateCUDAProviderOptions(OrtCUDAProviderOptionsV2** out) noexcept {
  if (out != nullptr) *out = nullptr;
  return refuse("CUDA");
}
void ORT_API_CALL ReleaseCUDAProviderOptions(OrtCUDAProviderOptionsV2*) noexcept {}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_TensorRT(OrtSessionOptions*,
                                                                         const OrtTensorRTProviderOptions*) noexcept {
  return refuse("TensorRT");
}
OrtStatusPtr ORT_API_CALL
SessionOptionsAppendExecutionProvider_TensorRT_V2(OrtSessionOptions*, const OrtTensorRTProviderOptionsV2*) noexcept {
  return refuse("TensorRT");
}
OrtStatusPtr ORT_API_CALL CreateTensorRTProviderOptions(OrtTensorRTProviderOptionsV2** out) noexcept {
  if (out != nullptr) *out = nullptr;
  return refuse("TensorRT");
}
void ORT_API_CALL ReleaseTensorRTProviderOptions(OrtTensorRTProviderOptionsV2*) noexcept {}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_ROCM(OrtSessionOptions*,
                                                                     const OrtROCMProviderOptions*) noexcept {
  return refuse("ROCM");
}
OrtStatusPtr ORT_API_CALL CreateROCMProviderOptions(OrtROCMProviderOptions** out) noexcept {
  if (out != nullptr) *out = nullptr;
  return refuse("ROCM");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_MIGraphX(OrtSessionOptions*,
                                                                         const OrtMIGraphXProviderOptions*) noexcept {
  return refuse("MIGraphX");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_OpenVINO(OrtSessionOptions*,
                                                                         const OrtOpenVINOProviderOptions*) noexcept {
  return refuse("OpenVINO");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_OpenVINO_V2(OrtSessionOptions*, const char* const*,
                                                                            const char* const*, size_t) noexcept {
  return refuse("OpenVINO");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_VitisAI(OrtSessionOptions*, const char* const*,
                                                                        const char* const*, size_t) noexcept {
  return refuse("VitisAI");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_CANN(OrtSessionOptions*,
                                                                     const OrtCANNProviderOptions*) noexcept {
  return refuse("CANN");
}
OrtStatusPtr ORT_API_CALL CreateCANNProviderOptions(OrtCANNProviderOptions** out) noexcept {
  if (out != nullptr) *out = nullptr;
  return refuse("CANN");
}
OrtStatusPtr ORT_API_CALL SessionOptionsAppendExecutionProvider_Dnnl(OrtSessionOptions*,
                                                                     const OrtDnnlProviderOptions*) noexcept {
  return refuse("Dnnl");
}
OrtStatusPtr ORT_API_CALL CreateDnnlProviderOptions(OrtDnnlProviderOptions** out) noexcept {
  if (out != nullptr) *out = nullptr;
  return refuse("Dnnl");
}

OrtStatusPtr ORT_API_CALL SetCurrentGpuDeviceId(int /*device_id*/) noexcept { return refuse("CUDA"); }
OrtStatusPtr ORT_API_CALL GetCurrentGpuDeviceId(int* /*device_id*/) noexcept { return refuse("CUDA"); }

}  // namespace ort_api
}  // namespace sdx::api
