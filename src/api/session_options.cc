// Session options: made, copied, set and read. Providers are in providers.cc, initializers in session_initializers.cc.
#include "abi/key_values.h"
#include "abi/options.h"
#include "answer.h"
#include "options_entry.h"
#include "tables.h"

namespace sdx::api {
namespace {

template <typename Field, typename T>
OrtStatus* put(OrtSessionOptions* options, Field OrtSessionOptions::*field, T value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->*field = value;
    return {};
  });
}

OrtStatus* put_text(OrtSessionOptions* options, std::string OrtSessionOptions::*field, const char* text) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->*field = text == nullptr ? "" : text;
    return {};
  });
}

OrtStatus* put_threads(OrtSessionOptions* options, int OrtSessionOptions::*field, int threads) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_TRY(check_thread_count(threads));
    options->*field = threads;
    return {};
  });
}

OrtStatus* put_dimension(OrtSessionOptions* options, std::map<std::string, int64_t> OrtSessionOptions::*map,
                         const char* name, int64_t value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(name);
    if (value < 0) return invalid_argument("the dimension \"{}\" is set to {}; 0 or more is wanted", name, value);
    (options->*map)[name] = value;
    return {};
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateSessionOptions(OrtSessionOptions** options) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    *options = new OrtSessionOptions();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CloneSessionOptions(const OrtSessionOptions* in_options,
                                              OrtSessionOptions** out_options) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(in_options);
    SDX_NEED(out_options);
    auto copy = std::make_unique<OrtSessionOptions>(*in_options);
    copy->cancel_load = std::make_shared<std::atomic<bool>>(in_options->cancel_load->load());
    *out_options = copy.release();
    return {};
  });
}

void ORT_API_CALL ReleaseSessionOptions(OrtSessionOptions* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL SetOptimizedModelFilePath(OrtSessionOptions* options,
                                                    const char* optimized_model_filepath) noexcept {
  return put_text(options, &OrtSessionOptions::optimized_model_path, optimized_model_filepath);
}

OrtStatusPtr ORT_API_CALL SetSessionExecutionMode(OrtSessionOptions* options, ExecutionMode execution_mode) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    if (execution_mode != ORT_SEQUENTIAL && execution_mode != ORT_PARALLEL)
      return invalid_argument("the execution mode is {}; 0 or 1 is wanted", static_cast<int>(execution_mode));
    options->execution_mode = execution_mode;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSessionExecutionMode(const OrtSessionOptions* options, ExecutionMode* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(out);
    *out = options->execution_mode;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL EnableProfiling(OrtSessionOptions* options, const char* profile_file_prefix) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->profile_prefix = profile_file_prefix == nullptr ? "" : profile_file_prefix;
    options->profiling = true;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL DisableProfiling(OrtSessionOptions* options) noexcept {
  return put(options, &OrtSessionOptions::profiling, false);
}

OrtStatusPtr ORT_API_CALL EnableMemPattern(OrtSessionOptions* options) noexcept {
  return put(options, &OrtSessionOptions::memory_pattern, true);
}
OrtStatusPtr ORT_API_CALL DisableMemPattern(OrtSessionOptions* options) noexcept {
  return put(options, &OrtSessionOptions::memory_pattern, false);
}
OrtStatusPtr ORT_API_CALL GetMemPatternEnabled(const OrtSessionOptions* options, int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(out);
    *out = options->memory_pattern ? 1 : 0;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL EnableCpuMemArena(OrtSessionOptions* options) noexcept {
  return put(options, &OrtSessionOptions::cpu_arena, true);
}
OrtStatusPtr ORT_API_CALL DisableCpuMemArena(OrtSessionOptions* options) noexcept {
  return put(options, &OrtSessionOptions::cpu_arena, false);
}

OrtStatusPtr ORT_API_CALL SetSessionLogId(OrtSessionOptions* options, const char* logid) noexcept {
  return put_text(options, &OrtSessionOptions::log_id, logid);
}
OrtStatusPtr ORT_API_CALL SetSessionLogVerbosityLevel(OrtSessionOptions* options,
                                                      int session_log_verbosity_level) noexcept {
  return put(options, &OrtSessionOptions::log_verbosity, session_log_verbosity_level);
}
OrtStatusPtr ORT_API_CALL SetSessionLogSeverityLevel(OrtSessionOptions* options,
                                                     int session_log_severity_level) noexcept {
  return put(options, &OrtSessionOptions::log_severity, session_log_severity_level);
}
OrtStatusPtr ORT_API_CALL SetUserLoggingFunction(OrtSessionOptions* options, OrtLoggingFunction user_logging_function,
                                                 void* user_logging_param) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->log_function = user_logging_function;
    options->log_param = user_logging_param;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetSessionGraphOptimizationLevel(OrtSessionOptions* options,
                                                           GraphOptimizationLevel graph_optimization_level) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    switch (graph_optimization_level) {
      case ORT_DISABLE_ALL:
      case ORT_ENABLE_BASIC:
      case ORT_ENABLE_EXTENDED:
      case ORT_ENABLE_LAYOUT:
      case ORT_ENABLE_ALL: options->optimization = graph_optimization_level; return {};
    }
    return invalid_argument("the optimization level is {}; 0, 1, 2, 3 or 99 is wanted",
                            static_cast<int>(graph_optimization_level));
  });
}

OrtStatusPtr ORT_API_CALL SetIntraOpNumThreads(OrtSessionOptions* options, int intra_op_num_threads) noexcept {
  return put_threads(options, &OrtSessionOptions::intra_op_threads, intra_op_num_threads);
}
OrtStatusPtr ORT_API_CALL SetInterOpNumThreads(OrtSessionOptions* options, int inter_op_num_threads) noexcept {
  return put_threads(options, &OrtSessionOptions::inter_op_threads, inter_op_num_threads);
}
OrtStatusPtr ORT_API_CALL DisablePerSessionThreads(OrtSessionOptions* options) noexcept {
  return put(options, &OrtSessionOptions::per_session_threads, false);
}

OrtStatusPtr ORT_API_CALL SessionOptionsSetCustomCreateThreadFn(
    OrtSessionOptions* options, OrtCustomCreateThreadFn ort_custom_create_thread_fn) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    set_create_hook(options->thread_hooks, ort_custom_create_thread_fn);
    return {};
  });
}
OrtStatusPtr ORT_API_CALL SessionOptionsSetCustomThreadCreationOptions(
    OrtSessionOptions* options, void* ort_custom_thread_creation_options) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->thread_hooks.options = ort_custom_thread_creation_options;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL SessionOptionsSetCustomJoinThreadFn(
    OrtSessionOptions* options, OrtCustomJoinThreadFn ort_custom_join_thread_fn) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    set_join_hook(options->thread_hooks, ort_custom_join_thread_fn);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AddFreeDimensionOverride(OrtSessionOptions* options, const char* dim_denotation,
                                                   int64_t dim_value) noexcept {
  return put_dimension(options, &OrtSessionOptions::dimensions_by_denotation, dim_denotation, dim_value);
}
OrtStatusPtr ORT_API_CALL AddFreeDimensionOverrideByName(OrtSessionOptions* options, const char* dim_name,
                                                         int64_t dim_value) noexcept {
  return put_dimension(options, &OrtSessionOptions::dimensions_by_name, dim_name, dim_value);
}

OrtStatusPtr ORT_API_CALL SetDeterministicCompute(OrtSessionOptions* options, bool value) noexcept {
  return put(options, &OrtSessionOptions::deterministic, value);
}

OrtStatusPtr ORT_API_CALL SessionOptionsSetLoadCancellationFlag(OrtSessionOptions* options, bool cancel) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->cancel_load->store(cancel);
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
