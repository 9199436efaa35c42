// OrtEnv, OrtLogger, and the devices that an environment lists.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abi/key_values.h"
#include "abi/options.h"
#include "base/fork.h"
#include "base/log.h"
#include "onnxruntime_c_api.h"

struct OrtLogger {
  const sdx::Logger* logger;
};

struct OrtHardwareDevice {
  OrtHardwareDeviceType type = OrtHardwareDeviceType_CPU;
  uint32_t vendor_id = 0;
  uint32_t device_id = 0;
  std::string vendor;
  OrtKeyValuePairs metadata;
};

struct OrtEpDevice {
  std::string provider;
  std::string vendor;
  OrtKeyValuePairs metadata;
  OrtKeyValuePairs options;
  const OrtHardwareDevice* device = nullptr;
  OrtMemoryInfo memory;
};

struct OrtEnv {
  OrtEnv(std::string log_id, sdx::Severity lowest, sdx::LogFunction function, void* param)
      : logger(std::move(log_id), lowest, function, param), log_handle{&logger} {}

  sdx::Logger logger;
  OrtLogger log_handle;
  OrtThreadingOptions threading;
  std::map<std::string, std::string> config;

  mutable sdx::ForkMutex mutex;                      // of what follows
  std::vector<OrtAllocator*> registered_allocators;  // the callers'
  mutable std::shared_ptr<sdx::ThreadPool> pool;     // from `threading`, made for the first session that uses it
};

namespace sdx::abi {

const OrtHardwareDevice& cpu_device();
const OrtEpDevice& cpu_provider_device();
inline constexpr char kCpuProvider[] = "CPUExecutionProvider";

LogFunction to_engine(OrtLoggingFunction function);
Severity severity_of(int level);  // the nearest there is

}  // namespace sdx::abi
