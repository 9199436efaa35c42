// What the option handles hold. Setters store; who makes a session or runs one reads.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "abi/value.h"
#include "base/thread_pool.h"
#include "onnxruntime_c_api.h"

struct OrtThreadingOptions {
  int intra_op_threads = 0;
  int inter_op_threads = 0;
  bool allow_spinning = true;
  bool denormal_as_zero = false;
  std::string affinity;
  sdx::ThreadHooks hooks;
};

struct OrtCustomOpDomain {
  std::string name;
  std::vector<const OrtCustomOp*> operators;
};

// Weights that sessions share are found by the engine itself; the handle is only kept valid.
struct OrtPrepackedWeightsContainer {};

namespace sdx::abi {

struct ProviderChoice {
  std::string name;
  std::map<std::string, std::string> options;
};

struct MemoryFile {
  std::string name;
  const char* data;  // the caller's
  size_t size;
};

// A library of custom operators, open while anybody holds it.
class LoadedLibrary {
 public:
  static Result<std::shared_ptr<LoadedLibrary>> open(const std::string& path);
  ~LoadedLibrary();
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;
  Result<void*> symbol(const std::string& name) const;
  void* leak();  // stays open for ever

 private:
  explicit LoadedLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};
Result<void*> symbol_of_program(const std::string& name);  // of the program or a library that it is linked with

}  // namespace sdx::abi

struct OrtSessionOptions {
  std::map<std::string, std::string> config;
  std::map<std::string, int64_t> dimensions_by_name;
  std::map<std::string, int64_t> dimensions_by_denotation;

  std::string log_id;
  int log_severity = -1;  // -1: the environment's
  int log_verbosity = 0;
  OrtLoggingFunction log_function = nullptr;
  void* log_param = nullptr;

  int intra_op_threads = 0;
  int inter_op_threads = 0;
  bool per_session_threads = true;
  sdx::ThreadHooks thread_hooks;

  GraphOptimizationLevel optimization = ORT_ENABLE_ALL;
  ExecutionMode execution_mode = ORT_SEQUENTIAL;
  bool memory_pattern = true;
  bool cpu_arena = true;
  bool deterministic = false;
  std::string optimized_model_path;
  bool profiling = false;
  std::string profile_prefix;

  std::map<std::string, OrtValue> initializers;           // AddInitializer: unknown names are ignored
  std::map<std::string, OrtValue> external_initializers;  // must be in the model
  std::vector<sdx::abi::MemoryFile> memory_files;

  std::vector<sdx::abi::ProviderChoice> providers;  // besides the CPU's, in order of preference
  OrtExecutionProviderDevicePolicy provider_policy = OrtExecutionProviderDevicePolicy_DEFAULT;

  std::vector<const OrtCustomOpDomain*> custom_domains;  // the caller's
  std::vector<std::shared_ptr<sdx::abi::LoadedLibrary>> libraries;

  // Shared with copies and with loads in progress.
  std::shared_ptr<std::atomic<bool>> cancel_load = std::make_shared<std::atomic<bool>>(false);
};

struct OrtLoraAdapter;

struct OrtRunOptions {
  std::atomic<bool> terminate{false};
  std::string tag;
  int log_severity = ORT_LOGGING_LEVEL_WARNING;
  int log_verbosity = 0;
  std::map<std::string, std::string> config;
  uint64_t time_limit_ns = 0;  // 0: none
  int priority = 0;            // -1, 0 or 1
  int (*poll)(void* param) = nullptr;
  void* poll_param = nullptr;
  bool profiling = false;
  std::string profile_prefix;
  std::vector<const OrtLoraAdapter*> adapters;  // the caller's
};
