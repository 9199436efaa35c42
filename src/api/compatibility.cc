// What there is to say about devices and compiled models where every node is the CPU's; places of external data.
#include "abi/env.h"
#include "answer.h"
#include "session_handle.h"
#include "tables.h"

struct OrtExternalInitializerInfo {
  std::string path;
  int64_t offset = 0;
  size_t bytes = 0;
};

struct OrtDeviceEpIncompatibilityDetails {
  uint32_t reasons = 0;
  std::string notes;
};

namespace sdx::api {
namespace {

// A compiled model says in its metadata what its providers need, under this prefix and the provider's name.
constexpr std::string_view kCompatibilityPrefix = "ep_compatibility_info.";

Status give_compatibility(const ModelSource& source, const char* ep_type, OrtAllocator* allocator, char** out) {
  SDX_NEED(ep_type);
  SDX_NEED(allocator);
  SDX_NEED(out);
  *out = nullptr;
  SDX_ASSIGN(const auto model, load_model(source, nullptr));
  for (const auto& entry : model->proto.metadata_props) {
    if (!entry.key.starts_with(kCompatibilityPrefix) || entry.key.substr(kCompatibilityPrefix.size()) != ep_type)
      continue;
    return abi::copy_text(entry.value, *allocator, out);
  }
  return {};
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateExternalInitializerInfo(const char* filepath, int64_t file_offset, size_t byte_size,
                                                        OrtExternalInitializerInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(filepath);
    SDX_NEED(out);
    *out = new OrtExternalInitializerInfo{filepath, file_offset, byte_size};
    return {};
  });
}
void ORT_API_CALL ReleaseExternalInitializerInfo(OrtExternalInitializerInfo* input) noexcept { delete input; }
const char* ORT_API_CALL ExternalInitializerInfo_GetFilePath(const OrtExternalInitializerInfo* info) noexcept {
  return info == nullptr ? "" : info->path.c_str();
}
int64_t ORT_API_CALL ExternalInitializerInfo_GetFileOffset(const OrtExternalInitializerInfo* info) noexcept {
  return info == nullptr ? 0 : info->offset;
}
size_t ORT_API_CALL ExternalInitializerInfo_GetByteSize(const OrtExternalInitializerInfo* info) noexcept {
  return info == nullptr ? 0 : info->bytes;
}

// Null where the model says nothing about the provider.
OrtStatusPtr ORT_API_CALL GetCompatibilityInfoFromModel(const char* model_path, const char* ep_type,
                                                        OrtAllocator* allocator, char** compatibility_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_path);
    return give_compatibility({.path = model_path}, ep_type, allocator, compatibility_info);
  });
}
OrtStatusPtr ORT_API_CALL GetCompatibilityInfoFromModelBytes(const void* model_data, size_t model_data_length,
                                                             const char* ep_type, OrtAllocator* allocator,
                                                             char** compatibility_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_data);
    return give_compatibility({.bytes = model_data, .size = model_data_length}, ep_type, allocator, compatibility_info);
  });
}

// The CPU's provider compiles nothing, so no model is compiled for it.
OrtStatusPtr ORT_API_CALL GetModelCompatibilityForEpDevices(const OrtEpDevice* const* ep_devices, size_t num_ep_devices,
                                                            const char* compatibility_info,
                                                            OrtCompiledModelCompatibility* out_status) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ep_devices);
    SDX_NEED(compatibility_info);
    SDX_NEED(out_status);
    if (num_ep_devices == 0) return invalid_argument("no devices are given");
    for (size_t i = 0; i < num_ep_devices; ++i) SDX_NEED(ep_devices[i]);
    *out_status = OrtCompiledModelCompatibility_EP_NOT_APPLICABLE;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL
GetHardwareDeviceEpIncompatibilityDetails(const OrtEnv* env, const char* ep_name, const OrtHardwareDevice* hw,
                                          OrtDeviceEpIncompatibilityDetails** details) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(ep_name);
    SDX_NEED(hw);
    SDX_NEED(details);
    if (std::string_view(ep_name) != abi::kCpuProvider)
      return invalid_argument("there is no provider \"{}\"; there is {}", ep_name, abi::kCpuProvider);
    auto made = std::make_unique<OrtDeviceEpIncompatibilityDetails>();
    if (hw->type != OrtHardwareDeviceType_CPU) {
      made->reasons = OrtDeviceEpIncompatibility_DEVICE_INCOMPATIBLE;
      made->notes = formatted("{} runs on CPUs only", ep_name);
    }
    *details = made.release();
    return {};
  });
}
OrtStatusPtr ORT_API_CALL DeviceEpIncompatibilityDetails_GetReasonsBitmask(
    const OrtDeviceEpIncompatibilityDetails* details, uint32_t* reasons_bitmask) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(details);
    SDX_NEED(reasons_bitmask);
    *reasons_bitmask = details->reasons;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL DeviceEpIncompatibilityDetails_GetNotes(const OrtDeviceEpIncompatibilityDetails* details,
                                                                  const char** notes) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(details);
    SDX_NEED(notes);
    *notes = details->notes.c_str();
    return {};
  });
}
OrtStatusPtr ORT_API_CALL DeviceEpIncompatibilityDetails_GetErrorCode(const OrtDeviceEpIncompatibilityDetails* details,
                                                                      int32_t* error_code) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(details);
    SDX_NEED(error_code);
    *error_code = 0;
    return {};
  });
}
void ORT_API_CALL ReleaseDeviceEpIncompatibilityDetails(OrtDeviceEpIncompatibilityDetails* input) noexcept {
  delete input;
}

}  // namespace ort_api
}  // namespace sdx::api
