#include "abi/env.h"

#include "base/cpu.h"

namespace sdx::abi {
namespace {

struct Vendor {
  const char* mark;  // within the processor's name
  const char* name;
  uint32_t pci_id;
};
constexpr Vendor kVendors[] = {{"Intel", "GenuineIntel", 0x8086}, {"AMD", "AuthenticAMD", 0x1022}};

OrtHardwareDevice* find_cpu() {
  auto* device = new OrtHardwareDevice();
  const std::string model = cpu_model();
  device->vendor = model;
  for (const Vendor& vendor : kVendors) {
    if (model.find(vendor.mark) == std::string::npos) continue;
    device->vendor = vendor.name;
    device->vendor_id = vendor.pci_id;
  }
  if (!model.empty()) device->metadata.set("Description", model.c_str());
  return device;
}

OrtEpDevice* make_cpu_provider_device() {
  auto* device = new OrtEpDevice();
  device->provider = kCpuProvider;
  device->vendor = "Sardonyx";
  device->device = &cpu_device();
  return device;
}

}  // namespace

const OrtHardwareDevice& cpu_device() {
  static const OrtHardwareDevice* const device = find_cpu();
  return *device;
}

const OrtEpDevice& cpu_provider_device() {
  static const OrtEpDevice* const device = make_cpu_provider_device();
  return *device;
}

// The two types differ in the severity's enumeration only, whose values are the same.
LogFunction to_engine(OrtLoggingFunction function) { return reinterpret_cast<LogFunction>(function); }

Severity severity_of(int level) {
  if (level < 0) return Severity::verbose;
  return level > static_cast<int>(Severity::fatal) ? Severity::fatal : static_cast<Severity>(level);
}

}  // namespace sdx::abi
