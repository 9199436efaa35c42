// Devices, providers' libraries, memory infos and shared allocators of the process.
#include "devices.h"

#include <map>

namespace sardonyx::python {
namespace {

nb::dict to_dict(const OrtKeyValuePairs* pairs) {
  const char *const *keys = nullptr, *const *values = nullptr;
  size_t count = 0;
  if (pairs != nullptr) ort_api().GetKeyValuePairs(pairs, &keys, &values, &count);
  nb::dict result;
  for (size_t i = 0; i < count; ++i) result[keys[i]] = values[i];
  return result;
}

nb::object enumeration(const char* name, int value) {
  return nb::module_::import_("sardonyx._enums").attr(name)(value);
}

PyMemoryInfo owned(OrtMemoryInfo* info) { return {info, {info, ort_api().ReleaseMemoryInfo}}; }

PyMemoryInfo create_info(const std::string& name, nb::handle allocator, int id, nb::handle memory) {
  OrtMemoryInfo* info = nullptr;
  check(ort_api().CreateMemoryInfo(name.c_str(), static_cast<OrtAllocatorType>(nb::cast<int>(nb::int_(allocator))), id,
                                   static_cast<OrtMemType>(nb::cast<int>(nb::int_(memory))), &info));
  return owned(info);
}

PyMemoryInfo create_info_v2(const std::string& name, nb::handle device, uint32_t vendor, int32_t id, nb::handle memory,
                            size_t alignment, nb::handle allocator) {
  OrtMemoryInfo* info = nullptr;
  check(ort_api().CreateMemoryInfo_V2(name.c_str(),
                                      static_cast<OrtMemoryInfoDeviceType>(nb::cast<int>(nb::int_(device))), vendor, id,
                                      static_cast<OrtDeviceMemoryType>(nb::cast<int>(nb::int_(memory))), alignment,
                                      static_cast<OrtAllocatorType>(nb::cast<int>(nb::int_(allocator))), &info));
  return owned(info);
}

std::string name_of(const PyMemoryInfo& self) {
  const char* name = nullptr;
  check(ort_api().MemoryInfoGetName(self.handle, &name));
  return name;
}

template <typename T>
int number(const PyMemoryInfo& self, OrtStatus* (*read)(const OrtMemoryInfo*, T*)) {
  T value{};
  check(read(self.handle, &value));
  return static_cast<int>(value);
}

std::optional<PyMemoryInfo> memory_info_of(const PyEpDevice& self, nb::handle memory) {
  const OrtMemoryInfo* info =
      ort_api().EpDevice_MemoryInfo(self.handle, static_cast<OrtDeviceMemoryType>(nb::cast<int>(nb::int_(memory))));
  if (info == nullptr) return std::nullopt;
  return PyMemoryInfo{info, {}};
}

std::vector<PyEpDevice> ep_devices() {
  const OrtEpDevice* const* devices = nullptr;
  size_t count = 0;
  check(ort_api().GetEpDevices(environment(), &devices, &count));
  std::vector<PyEpDevice> list;
  for (size_t i = 0; i < count; ++i) list.push_back({devices[i]});
  return list;
}

std::vector<PyHardwareDevice> hardware_devices() {
  size_t count = 0;
  check(ort_api().GetNumHardwareDevices(environment(), &count));
  std::vector<const OrtHardwareDevice*> devices(count);
  check(ort_api().GetHardwareDevices(environment(), devices.data(), count));
  std::vector<PyHardwareDevice> list;
  for (const OrtHardwareDevice* device : devices) list.push_back({device});
  return list;
}

// `sizes`: what OrtArenaCfg of Python holds, by the names of the C interface.
void register_allocator(const std::string& provider, const PyMemoryInfo& info,
                        const std::map<std::string, std::string>& options,
                        const std::map<std::string, int64_t>& sizes) {
  std::vector<const char*> keys;
  std::vector<size_t> numbers;
  for (const auto& [key, value] : sizes) {
    if (value < 0) continue;  // the default
    keys.push_back(key.c_str());
    numbers.push_back(static_cast<size_t>(value));
  }
  OrtArenaCfg* made = nullptr;
  check(ort_api().CreateArenaCfgV2(keys.data(), numbers.data(), keys.size(), &made));
  const detail::Handle<OrtArenaCfg, &OrtApi::ReleaseArenaCfg> arena(made);
  if (provider.empty()) {
    check(ort_api().CreateAndRegisterAllocator(environment(), info.handle, made));
    return;
  }
  std::vector<const char*> option_keys, option_values;
  for (const auto& [key, value] : options) {
    option_keys.push_back(key.c_str());
    option_values.push_back(value.c_str());
  }
  check(ort_api().CreateAndRegisterAllocatorV2(environment(), provider.c_str(), info.handle, made, option_keys.data(),
                                               option_values.data(), option_keys.size()));
}

}  // namespace

nb::list ep_devices_of_session(OrtSession* session) {
  size_t count = 0;
  check(ort_api().SessionGetInputCount(session, &count));
  std::vector<const OrtEpDevice*> devices(count);
  if (count > 0) check(ort_api().SessionGetEpDeviceForInputs(session, devices.data(), count));
  nb::list list;
  for (const OrtEpDevice* device : devices) list.append(nb::cast(PyEpDevice{device}));
  return list;
}

nb::list memory_infos_of_session(OrtSession* session, bool of_inputs) {
  const OrtApi& api = ort_api();
  size_t count = 0;
  check(of_inputs ? api.SessionGetInputCount(session, &count) : api.SessionGetOutputCount(session, &count));
  std::vector<const OrtMemoryInfo*> infos(count);
  if (count > 0)
    check(of_inputs ? api.SessionGetMemoryInfoForInputs(session, infos.data(), count)
                    : api.SessionGetMemoryInfoForOutputs(session, infos.data(), count));
  nb::list list;
  for (const OrtMemoryInfo* info : infos) list.append(nb::cast(PyMemoryInfo{info, {}}));
  return list;
}

void bind_devices(nb::module_& m) {
  const OrtApi& api = ort_api();
  nb::class_<PyMemoryInfo>(m, "OrtMemoryInfo", "A place of memory: a device, and the kind of allocator that serves it.")
      .def("__init__", [](PyMemoryInfo* self, const std::string& name, nb::handle allocator, int id,
                          nb::handle memory) { new (self) PyMemoryInfo(create_info(name, allocator, id, memory)); })
      .def_static("create_v2", create_info_v2)
      .def_prop_ro("name", name_of)
      .def_prop_ro("device_id", [&api](const PyMemoryInfo& self) { return number(self, api.MemoryInfoGetId); })
      .def_prop_ro("mem_type",
                   [&api](const PyMemoryInfo& self) {
                     return enumeration("OrtMemType", number(self, api.MemoryInfoGetMemType));
                   })
      .def_prop_ro("allocator_type",
                   [&api](const PyMemoryInfo& self) {
                     return enumeration("OrtAllocatorType", number(self, api.MemoryInfoGetType));
                   })
      .def_prop_ro("device_mem_type",
                   [&api](const PyMemoryInfo& self) {
                     return enumeration("OrtDeviceMemoryType", api.MemoryInfoGetDeviceMemType(self.handle));
                   })
      .def_prop_ro("device_vendor_id",
                   [&api](const PyMemoryInfo& self) { return api.MemoryInfoGetVendorId(self.handle); });

  nb::class_<PyHardwareDevice>(m, "OrtHardwareDevice", "A device of the machine. Lists of them come from providers.")
      .def_prop_ro("type",
                   [&api](const PyHardwareDevice& self) {
                     return enumeration("OrtHardwareDeviceType", api.HardwareDevice_Type(self.handle));
                   })
      .def_prop_ro("vendor_id",
                   [&api](const PyHardwareDevice& self) { return api.HardwareDevice_VendorId(self.handle); })
      .def_prop_ro("vendor",
                   [&api](const PyHardwareDevice& self) { return std::string(api.HardwareDevice_Vendor(self.handle)); })
      .def_prop_ro("device_id",
                   [&api](const PyHardwareDevice& self) { return api.HardwareDevice_DeviceId(self.handle); })
      .def_prop_ro("metadata",
                   [&api](const PyHardwareDevice& self) { return to_dict(api.HardwareDevice_Metadata(self.handle)); });

  nb::class_<PyEpDevice>(m, "OrtEpDevice", "A device together with a provider that runs on it: see get_ep_devices().")
      .def_prop_ro("ep_name", [&api](const PyEpDevice& self) { return std::string(api.EpDevice_EpName(self.handle)); })
      .def_prop_ro("ep_vendor",
                   [&api](const PyEpDevice& self) { return std::string(api.EpDevice_EpVendor(self.handle)); })
      .def_prop_ro("ep_metadata",
                   [&api](const PyEpDevice& self) { return to_dict(api.EpDevice_EpMetadata(self.handle)); })
      .def_prop_ro("ep_options",
                   [&api](const PyEpDevice& self) { return to_dict(api.EpDevice_EpOptions(self.handle)); })
      .def_prop_ro("device",
                   [&api](const PyEpDevice& self) { return PyHardwareDevice{api.EpDevice_Device(self.handle)}; })
      .def("memory_info", memory_info_of,
           "The memory of the device of that OrtDeviceMemoryType; None where it has none.")
      .def("create_sync_stream", [](const PyEpDevice& self) {
        fail(ORT_NOT_IMPLEMENTED,
             std::string(ort_api().EpDevice_EpName(self.handle)) + " runs on the CPU, which has no streams");
      });

  m.def("get_ep_devices", ep_devices, "Every device that sessions can use, with its provider.");
  m.def("get_hardware_devices", hardware_devices, "The devices of the machine that are known.");
  m.def("register_execution_provider_library", [](const std::string& name, const std::string& path) {
    check(ort_api().RegisterExecutionProviderLibrary(environment(), name.c_str(), path.c_str()));
  });
  m.def("unregister_execution_provider_library", [](const std::string& name) {
    check(ort_api().UnregisterExecutionProviderLibrary(environment(), name.c_str()));
  });
  m.def("register_allocator", register_allocator);
}

}  // namespace sardonyx::python
