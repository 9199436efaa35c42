// Environments: logging, threads and devices of a process.
#include "abi/env.h"

#include "answer.h"
#include "session_handle.h"
#include "tables.h"

namespace sdx::api {
namespace {

struct EnvSettings {
  OrtLoggingFunction function = nullptr;
  void* param = nullptr;
  int severity = ORT_LOGGING_LEVEL_WARNING;
  const char* log_id = nullptr;
  const OrtThreadingOptions* threading = nullptr;
};

OrtStatus* create_env(const EnvSettings& settings, OrtEnv** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    auto env =
        std::make_unique<OrtEnv>(settings.log_id == nullptr ? "" : settings.log_id, abi::severity_of(settings.severity),
                                 abi::to_engine(settings.function), settings.param);
    if (settings.threading != nullptr) env->threading = *settings.threading;
    *out = env.release();
    return {};
  });
}

OrtStatus* accept(const OrtEnv* env) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    return {};
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateEnv(OrtLoggingLevel log_severity_level, const char* logid, OrtEnv** out) noexcept {
  return create_env({.severity = log_severity_level, .log_id = logid}, out);
}

OrtStatusPtr ORT_API_CALL CreateEnvWithCustomLogger(OrtLoggingFunction logging_function, void* logger_param,
                                                    OrtLoggingLevel log_severity_level, const char* logid,
                                                    OrtEnv** out) noexcept {
  return create_env({logging_function, logger_param, log_severity_level, logid, nullptr}, out);
}

OrtStatusPtr ORT_API_CALL CreateEnvWithGlobalThreadPools(OrtLoggingLevel log_severity_level, const char* logid,
                                                         const OrtThreadingOptions* tp_options, OrtEnv** out) noexcept {
  return create_env({.severity = log_severity_level, .log_id = logid, .threading = tp_options}, out);
}

OrtStatusPtr ORT_API_CALL CreateEnvWithCustomLoggerAndGlobalThreadPools(
    OrtLoggingFunction logging_function, void* logger_param, OrtLoggingLevel log_severity_level, const char* logid,
    const OrtThreadingOptions* tp_options, OrtEnv** out) noexcept {
  return create_env({logging_function, logger_param, log_severity_level, logid, tp_options}, out);
}

OrtStatusPtr ORT_API_CALL CreateEnvWithOptions(const OrtEnvCreationOptions* options, OrtEnv** out) noexcept {
  if (options == nullptr) return create_env({}, out);
  OrtStatus* status = create_env({options->custom_logging_function, options->custom_logging_param,
                                  options->logging_severity_level, options->log_id, options->threading_options},
                                 out);
  if (status != nullptr || options->config_entries == nullptr) return status;
  return answer([&]() -> Status {
    (*out)->config = options->config_entries->entries;
    return {};
  });
}

void ORT_API_CALL ReleaseEnv(OrtEnv* input) noexcept { delete input; }

// There is no telemetry.
OrtStatusPtr ORT_API_CALL EnableTelemetryEvents(const OrtEnv* env) noexcept { return accept(env); }
OrtStatusPtr ORT_API_CALL DisableTelemetryEvents(const OrtEnv* env) noexcept { return accept(env); }
OrtStatusPtr ORT_API_CALL SetLanguageProjection(const OrtEnv* ort_env, OrtLanguageProjection /*projection*/) noexcept {
  return accept(ort_env);
}

OrtStatusPtr ORT_API_CALL UpdateEnvWithCustomLogLevel(OrtEnv* ort_env, OrtLoggingLevel log_severity_level) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_env);
    ort_env->logger.set_lowest(abi::severity_of(log_severity_level));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetPerSessionThreadPoolCallbacks(OrtEnv* env,
                                                           const OrtThreadPoolCallbacksConfig* config) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(config);
    if (config->on_enqueue == nullptr && config->on_start_work == nullptr && config->on_stop_work == nullptr &&
        config->on_abandon == nullptr)
      return {};
    return not_implemented("callbacks around the work of thread pools are not supported");
  });
}

OrtStatusPtr ORT_API_CALL Logger_LogMessage(const OrtLogger* logger, OrtLoggingLevel log_severity_level,
                                            const char* message, const char* file_path, int line_number,
                                            const char* /*func_name*/) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(logger);
    SDX_NEED(message);
    const Severity severity = abi::severity_of(log_severity_level);
    if (logger->logger->enabled(severity))
      logger->logger->write(severity, file_path == nullptr ? "" : file_path, line_number, message);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL Logger_GetLoggingSeverityLevel(const OrtLogger* logger, OrtLoggingLevel* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(logger);
    SDX_NEED(out);
    *out = static_cast<OrtLoggingLevel>(logger->logger->lowest());
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
