// Memory infos, allocators and arena settings.
#include "abi/memory.h"
#include "abi/env.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

struct NamedMemory {
  std::string_view name;
  OrtMemoryInfoDeviceType device;
  uint32_t vendor_id;
  OrtDeviceMemoryType device_mem_type;
};
constexpr NamedMemory kNamedMemories[] = {
    {"Cpu", OrtMemoryInfoDeviceType_CPU, 0, OrtDeviceMemoryType_DEFAULT},
    {"Cuda", OrtMemoryInfoDeviceType_GPU, 0x10DE, OrtDeviceMemoryType_DEFAULT},
    {"CudaPinned", OrtMemoryInfoDeviceType_GPU, 0x10DE, OrtDeviceMemoryType_HOST_ACCESSIBLE},
    {"Hip", OrtMemoryInfoDeviceType_GPU, 0x1002, OrtDeviceMemoryType_DEFAULT},
    {"HipPinned", OrtMemoryInfoDeviceType_GPU, 0x1002, OrtDeviceMemoryType_HOST_ACCESSIBLE},
    {"Cann", OrtMemoryInfoDeviceType_NPU, 0x19E5, OrtDeviceMemoryType_DEFAULT},
    {"CannPinned", OrtMemoryInfoDeviceType_NPU, 0x19E5, OrtDeviceMemoryType_HOST_ACCESSIBLE},
    {"DML", OrtMemoryInfoDeviceType_GPU, 0x1414, OrtDeviceMemoryType_DEFAULT},
    {"OpenVINO_CPU", OrtMemoryInfoDeviceType_CPU, 0x8086, OrtDeviceMemoryType_DEFAULT},
    {"OpenVINO_GPU", OrtMemoryInfoDeviceType_GPU, 0x8086, OrtDeviceMemoryType_DEFAULT},
    {"OpenVINO_RT", OrtMemoryInfoDeviceType_CPU, 0x8086, OrtDeviceMemoryType_DEFAULT},
    {"OpenVINO_RT_NPU", OrtMemoryInfoDeviceType_NPU, 0x8086, OrtDeviceMemoryType_DEFAULT},
    {"QnnHtpShared", OrtMemoryInfoDeviceType_NPU, 0x5143, OrtDeviceMemoryType_HOST_ACCESSIBLE},
    {"WebGPU_Buffer", OrtMemoryInfoDeviceType_GPU, 0, OrtDeviceMemoryType_DEFAULT},
    {"WebNN_Tensor", OrtMemoryInfoDeviceType_GPU, 0, OrtDeviceMemoryType_DEFAULT},
};

template <typename T, typename Field>
OrtStatus* read_field(const OrtMemoryInfo* ptr, Field OrtMemoryInfo::*field, T* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ptr);
    SDX_NEED(out);
    *out = ptr->*field;
    return {};
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateMemoryInfo(const char* name, OrtAllocatorType type, int id, OrtMemType mem_type,
                                           OrtMemoryInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(name);
    SDX_NEED(out);
    for (const NamedMemory& known : kNamedMemories) {
      if (known.name != name) continue;
      *out = new OrtMemoryInfo{name, type, id, mem_type, known.device, known.vendor_id, known.device_mem_type, 0};
      return {};
    }
    return invalid_argument("no device has memory of the name \"{}\"; CreateMemoryInfo_V2 takes any name", name);
  });
}

OrtStatusPtr ORT_API_CALL CreateMemoryInfo_V2(const char* name, OrtMemoryInfoDeviceType device_type, uint32_t vendor_id,
                                              int32_t device_id, OrtDeviceMemoryType mem_type, size_t alignment,
                                              OrtAllocatorType allocator_type, OrtMemoryInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(name);
    SDX_NEED(out);
    const bool host = mem_type == OrtDeviceMemoryType_HOST_ACCESSIBLE;
    *out = new OrtMemoryInfo{name,        allocator_type, device_id, host ? OrtMemTypeCPUOutput : OrtMemTypeDefault,
                             device_type, vendor_id,      mem_type,  alignment};
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateCpuMemoryInfo(OrtAllocatorType type, OrtMemType mem_type,
                                              OrtMemoryInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    auto info = std::make_unique<OrtMemoryInfo>();
    info->allocator_type = type;
    info->mem_type = mem_type;
    *out = info.release();
    return {};
  });
}

void ORT_API_CALL ReleaseMemoryInfo(OrtMemoryInfo* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL CompareMemoryInfo(const OrtMemoryInfo* info1, const OrtMemoryInfo* info2, int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info1);
    SDX_NEED(info2);
    SDX_NEED(out);
    *out = *info1 == *info2 ? 0 : -1;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL MemoryInfoGetName(const OrtMemoryInfo* ptr, const char** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ptr);
    SDX_NEED(out);
    *out = ptr->name.c_str();
    return {};
  });
}
OrtStatusPtr ORT_API_CALL MemoryInfoGetId(const OrtMemoryInfo* ptr, int* out) noexcept {
  return read_field(ptr, &OrtMemoryInfo::id, out);
}
OrtStatusPtr ORT_API_CALL MemoryInfoGetMemType(const OrtMemoryInfo* ptr, OrtMemType* out) noexcept {
  return read_field(ptr, &OrtMemoryInfo::mem_type, out);
}
OrtStatusPtr ORT_API_CALL MemoryInfoGetType(const OrtMemoryInfo* ptr, OrtAllocatorType* out) noexcept {
  return read_field(ptr, &OrtMemoryInfo::allocator_type, out);
}
void ORT_API_CALL MemoryInfoGetDeviceType(const OrtMemoryInfo* ptr, OrtMemoryInfoDeviceType* out) noexcept {
  if (out != nullptr) *out = ptr == nullptr ? OrtMemoryInfoDeviceType_CPU : ptr->device_type;
}
OrtDeviceMemoryType ORT_API_CALL MemoryInfoGetDeviceMemType(const OrtMemoryInfo* ptr) noexcept {
  return ptr == nullptr ? OrtDeviceMemoryType_DEFAULT : ptr->device_mem_type;
}
uint32_t ORT_API_CALL MemoryInfoGetVendorId(const OrtMemoryInfo* ptr) noexcept {
  return ptr == nullptr ? 0 : ptr->vendor_id;
}

}  // namespace ort_api
}  // namespace sdx::api
