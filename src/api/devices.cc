// The devices an environment lists: the CPU, with the CPU's provider.
#include <cstring>

#include "abi/env.h"
#include "answer.h"
#include "session_handle.h"
#include "tables.h"

namespace sdx::api {
namespace {

const char* text_of(const std::string& text) noexcept { return text.c_str(); }

// The same answer for each input or output of a session.
template <typename T>
OrtStatus* fill(const OrtSession* session, const T** list, size_t count, size_t wanted, const T& each) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    if (count != wanted) return invalid_argument("there is room for {} entries, the session has {}", count, wanted);
    if (count > 0) SDX_NEED(list);
    std::fill_n(list, count, &each);
    return {};
  });
}

Status copy_tensor(const OrtValue& from, OrtValue& to) {
  if (from.kind() != ValueKind::tensor || to.kind() != ValueKind::tensor)
    return invalid_argument("{} cannot be copied to {}; two tensors are wanted", to_text(from.content().type()),
                            to_text(to.content().type()));
  if (from.dtype() != to.dtype() || from.content().tensor().count() != to.content().tensor().count())
    return invalid_argument("{} of shape {} cannot be copied to {} of shape {}", to_text(from.content().type()),
                            to_text(from.shape()), to_text(to.content().type()), to_text(to.shape()));
  if (from.dtype() == DType::string) {
    SDX_ASSIGN(const Value strings, from.value());
    to.set(strings.tensor().reshaped(to.shape()));
    return {};
  }
  const Tensor& source = from.content().tensor();
  if (source.byte_size() > 0) std::memmove(to.content().tensor().raw(), source.raw(), source.byte_size());
  return {};
}

size_t inputs_of(const OrtSession* session) { return session == nullptr ? 0 : session->engine->inputs().size(); }
size_t outputs_of(const OrtSession* session) { return session == nullptr ? 0 : session->engine->outputs().size(); }

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL GetEpDevices(const OrtEnv* env, const OrtEpDevice* const** ep_devices,
                                       size_t* num_ep_devices) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(ep_devices);
    SDX_NEED(num_ep_devices);
    static const OrtEpDevice* const devices[] = {&abi::cpu_provider_device()};
    *ep_devices = devices;
    *num_ep_devices = std::size(devices);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetNumHardwareDevices(const OrtEnv* env, size_t* num_devices) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(num_devices);
    *num_devices = 1;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetHardwareDevices(const OrtEnv* env, const OrtHardwareDevice** devices,
                                             size_t num_devices) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(devices);
    if (num_devices != 1) return invalid_argument("there is room for {} devices, there is 1", num_devices);
    devices[0] = &abi::cpu_device();
    return {};
  });
}

OrtHardwareDeviceType ORT_API_CALL HardwareDevice_Type(const OrtHardwareDevice* device) noexcept {
  return device == nullptr ? OrtHardwareDeviceType_CPU : device->type;
}
uint32_t ORT_API_CALL HardwareDevice_VendorId(const OrtHardwareDevice* device) noexcept {
  return device == nullptr ? 0 : device->vendor_id;
}
const char* ORT_API_CALL HardwareDevice_Vendor(const OrtHardwareDevice* device) noexcept {
  return device == nullptr ? "" : text_of(device->vendor);
}
uint32_t ORT_API_CALL HardwareDevice_DeviceId(const OrtHardwareDevice* device) noexcept {
  return device == nullptr ? 0 : device->device_id;
}
const OrtKeyValuePairs* ORT_API_CALL HardwareDevice_Metadata(const OrtHardwareDevice* device) noexcept {
  return device == nullptr ? nullptr : &device->metadata;
}

const char* ORT_API_CALL EpDevice_EpName(const OrtEpDevice* ep_device) noexcept {
  return ep_device == nullptr ? "" : text_of(ep_device->provider);
}
const char* ORT_API_CALL EpDevice_EpVendor(const OrtEpDevice* ep_device) noexcept {
  return ep_device == nullptr ? "" : text_of(ep_device->vendor);
}
const OrtKeyValuePairs* ORT_API_CALL EpDevice_EpMetadata(const OrtEpDevice* ep_device) noexcept {
  return ep_device == nullptr ? nullptr : &ep_device->metadata;
}
const OrtKeyValuePairs* ORT_API_CALL EpDevice_EpOptions(const OrtEpDevice* ep_device) noexcept {
  return ep_device == nullptr ? nullptr : &ep_device->options;
}
const OrtHardwareDevice* ORT_API_CALL EpDevice_Device(const OrtEpDevice* ep_device) noexcept {
  return ep_device == nullptr ? nullptr : ep_device->device;
}
const OrtMemoryInfo* ORT_API_CALL EpDevice_MemoryInfo(const OrtEpDevice* ep_device,
                                                      OrtDeviceMemoryType memory_type) noexcept {
  if (ep_device == nullptr || memory_type != OrtDeviceMemoryType_DEFAULT) return nullptr;
  return &ep_device->memory;
}

OrtStatusPtr ORT_API_CALL SessionGetMemoryInfoForInputs(const OrtSession* session,
                                                        const OrtMemoryInfo** inputs_memory_info,
                                                        size_t num_inputs) noexcept {
  return fill(session, inputs_memory_info, num_inputs, inputs_of(session), abi::cpu_memory());
}
OrtStatusPtr ORT_API_CALL SessionGetMemoryInfoForOutputs(const OrtSession* session,
                                                         const OrtMemoryInfo** outputs_memory_info,
                                                         size_t num_outputs) noexcept {
  return fill(session, outputs_memory_info, num_outputs, outputs_of(session), abi::cpu_memory());
}
OrtStatusPtr ORT_API_CALL SessionGetEpDeviceForInputs(const OrtSession* session, const OrtEpDevice** inputs_ep_devices,
                                                      size_t num_inputs) noexcept {
  return fill(session, inputs_ep_devices, num_inputs, inputs_of(session), abi::cpu_provider_device());
}
OrtStatusPtr ORT_API_CALL SessionGetEpDeviceForOutputs(const OrtSession* session,
                                                       const OrtEpDevice** outputs_ep_devices,
                                                       size_t num_outputs) noexcept {
  return fill(session, outputs_ep_devices, num_outputs, outputs_of(session), abi::cpu_provider_device());
}

// Shared allocators: the CPU's one is the default one.
OrtStatusPtr ORT_API_CALL CreateSharedAllocator(OrtEnv* env, const OrtEpDevice* ep_device,
                                                OrtDeviceMemoryType /*mem_type*/, OrtAllocatorType /*allocator_type*/,
                                                const OrtKeyValuePairs* /*allocator_options*/,
                                                OrtAllocator** allocator) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(ep_device);
    if (allocator != nullptr) *allocator = &abi::default_allocator();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSharedAllocator(OrtEnv* env, const OrtMemoryInfo* mem_info,
                                             OrtAllocator** allocator) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(mem_info);
    SDX_NEED(allocator);
    *allocator = nullptr;
    const std::lock_guard lock(env->mutex);
    for (OrtAllocator* registered : env->registered_allocators) {
      const OrtMemoryInfo* info = registered->Info == nullptr ? nullptr : registered->Info(registered);
      if (info != nullptr && *info == *mem_info) *allocator = registered;
    }
    if (*allocator == nullptr && abi::is_cpu(*mem_info)) *allocator = &abi::default_allocator();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL ReleaseSharedAllocator(OrtEnv* env, const OrtEpDevice* ep_device,
                                                 OrtDeviceMemoryType /*mem_type*/) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(ep_device);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CopyTensors(const OrtEnv* env, const OrtValue* const* src_tensors,
                                      OrtValue* const* dst_tensors, OrtSyncStream* /*stream*/,
                                      size_t num_tensors) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(src_tensors);
    SDX_NEED(dst_tensors);
    for (size_t i = 0; i < num_tensors; ++i) {
      SDX_NEED(src_tensors[i]);
      SDX_NEED(dst_tensors[i]);
      SDX_TRY(copy_tensor(*src_tensors[i], *dst_tensors[i]).with_context(formatted("tensor {}", i)));
    }
    return {};
  });
}

OrtStatusPtr ORT_API_CALL RegisterExecutionProviderLibrary(OrtEnv* env, const char* registration_name,
                                                           const char* path) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(registration_name);
    SDX_NEED(path);
    SDX_ASSIGN(const auto library, abi::LoadedLibrary::open(path));
    return not_implemented("the provider library {} cannot be used: plug-in providers are not supported", path);
  });
}

OrtStatusPtr ORT_API_CALL UnregisterExecutionProviderLibrary(OrtEnv* env, const char* registration_name) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(registration_name);
    return make_error(Code::fail, "Execution provider library: {} was not registered.", registration_name);
  });
}

// Nothing here makes a stream.
void ORT_API_CALL ReleaseSyncStream(OrtSyncStream* /*input*/) noexcept {}

}  // namespace ort_api
}  // namespace sdx::api
