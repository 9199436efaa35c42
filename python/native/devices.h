// Devices and memory infos, as the extension holds them.
#pragma once

#include "native.h"

namespace sardonyx::python {

// The library's own: never released.
struct PyHardwareDevice {
  const OrtHardwareDevice* handle;
};
struct PyEpDevice {
  const OrtEpDevice* handle;
};

struct PyMemoryInfo {
  const OrtMemoryInfo* handle = nullptr;
  std::shared_ptr<OrtMemoryInfo> owner;  // null where the library owns it
};

nb::list ep_devices_of_session(OrtSession* session);  // of the inputs
nb::list memory_infos_of_session(OrtSession* session, bool of_inputs);

}  // namespace sardonyx::python
