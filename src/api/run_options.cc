// Run options. Terminating may happen on any thread while runs read them; the rest is set before.
#include "abi/options.h"
#include "answer.h"
#include "options_entry.h"
#include "tables.h"

namespace sdx::api {
namespace {

template <typename Field, typename T>
OrtStatus* put(OrtRunOptions* options, Field OrtRunOptions::*field, T value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->*field = value;
    return {};
  });
}

OrtStatus* get_int(const OrtRunOptions* options, int OrtRunOptions::*field, int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(out);
    *out = options->*field;
    return {};
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateRunOptions(OrtRunOptions** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = new OrtRunOptions();
    return {};
  });
}

void ORT_API_CALL ReleaseRunOptions(OrtRunOptions* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL RunOptionsSetRunLogVerbosityLevel(OrtRunOptions* options, int log_verbosity_level) noexcept {
  return put(options, &OrtRunOptions::log_verbosity, log_verbosity_level);
}
OrtStatusPtr ORT_API_CALL RunOptionsSetRunLogSeverityLevel(OrtRunOptions* options, int log_severity_level) noexcept {
  return put(options, &OrtRunOptions::log_severity, log_severity_level);
}
OrtStatusPtr ORT_API_CALL RunOptionsSetRunTag(OrtRunOptions* options, const char* run_tag) noexcept {
  return put(options, &OrtRunOptions::tag, run_tag == nullptr ? "" : run_tag);
}
OrtStatusPtr ORT_API_CALL RunOptionsGetRunLogVerbosityLevel(const OrtRunOptions* options,
                                                            int* log_verbosity_level) noexcept {
  return get_int(options, &OrtRunOptions::log_verbosity, log_verbosity_level);
}
OrtStatusPtr ORT_API_CALL RunOptionsGetRunLogSeverityLevel(const OrtRunOptions* options,
                                                           int* log_severity_level) noexcept {
  return get_int(options, &OrtRunOptions::log_severity, log_severity_level);
}
OrtStatusPtr ORT_API_CALL RunOptionsGetRunTag(const OrtRunOptions* options, const char** run_tag) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(run_tag);
    *run_tag = options->tag.c_str();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL RunOptionsSetTerminate(OrtRunOptions* options) noexcept {
  return put(options, &OrtRunOptions::terminate, true);
}
OrtStatusPtr ORT_API_CALL RunOptionsUnsetTerminate(OrtRunOptions* options) noexcept {
  return put(options, &OrtRunOptions::terminate, false);
}

OrtStatusPtr ORT_API_CALL AddRunConfigEntry(OrtRunOptions* options, const char* config_key,
                                            const char* config_value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    return add_config(options->config, config_key, config_value);
  });
}

const char* ORT_API_CALL GetRunConfigEntry(const OrtRunOptions* options, const char* config_key) noexcept {
  const char* found = nullptr;
  attempt([&] {
    if (options == nullptr || config_key == nullptr) return;
    const auto entry = options->config.find(config_key);
    if (entry != options->config.end()) found = entry->second.c_str();
  });
  return found;
}

OrtStatusPtr ORT_API_CALL RunOptionsEnableProfiling(OrtRunOptions* options, const char* profile_file_prefix) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->profile_prefix = profile_file_prefix == nullptr ? "" : profile_file_prefix;
    options->profiling = true;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL RunOptionsDisableProfiling(OrtRunOptions* options) noexcept {
  return put(options, &OrtRunOptions::profiling, false);
}

// The CPU has no streams.
void ORT_API_CALL RunOptionsSetSyncStream(OrtRunOptions* /*options*/, OrtSyncStream* /*sync_stream*/) noexcept {}

}  // namespace ort_api
}  // namespace sdx::api
