// Sessions: made, asked about their inputs and outputs, run, released.
#include "abi/type_info.h"
#include "answer.h"
#include "async_runs.h"
#include "session_handle.h"
#include "tables.h"

namespace sdx::api {
namespace {

Status create_session(const OrtEnv* env, const ModelSource& source, const OrtSessionOptions* options,
                      OrtSession** out) {
  SDX_NEED(env);
  SDX_NEED(out);
  *out = nullptr;
  SDX_ASSIGN(auto session, load_session(*env, source, options));
  *out = session.release();
  return {};
}

using Ports = const std::vector<runtime::InputOutput>& (runtime::Session::*)() const;

OrtStatus* port_count(const OrtSession* session, Ports ports, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(out);
    *out = (*session->engine.*ports)().size();
    return {};
  });
}

Result<const runtime::InputOutput*> port_at(const OrtSession* session, Ports ports, size_t index) {
  SDX_NEED(session);
  const auto& list = (*session->engine.*ports)();
  if (index >= list.size()) return invalid_argument("the index is {}, there are {}", index, list.size());
  return &list[index];
}

OrtStatus* port_name(const OrtSession* session, Ports ports, size_t index, OrtAllocator* allocator,
                     char** value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(allocator);
    SDX_NEED(value);
    SDX_ASSIGN(const auto* port, port_at(session, ports, index));
    return abi::copy_text(port->name, *allocator, value);
  });
}

OrtStatus* port_type(const OrtSession* session, Ports ports, size_t index, OrtTypeInfo** type_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(type_info);
    SDX_ASSIGN(const auto* port, port_at(session, ports, index));
    const auto compiled = session->engine->compiled();
    const Graph& graph = compiled->graph();
    const auto id = graph.find_value(port->name);
    const Fact* declared = id && graph.value(*id).declared ? &*graph.value(*id).declared : nullptr;
    *type_info = new OrtTypeInfo(abi::type_info_of(port->fact, declared, graph.symbols()));
    return {};
  });
}

constexpr Ports kInputs = &runtime::Session::inputs;
constexpr Ports kOverridable = &runtime::Session::overridable;
constexpr Ports kOutputs = &runtime::Session::outputs;

Status make_request(OrtSession* session, const OrtRunOptions* options, const char* const* input_names,
                    const OrtValue* const* inputs, size_t input_len, const char* const* output_names,
                    size_t output_names_len, OrtValue** outputs, RunRequest& request) {
  SDX_NEED(session);
  if (input_len > 0) {
    SDX_NEED(input_names);
    SDX_NEED(inputs);
  }
  if (output_names_len > 0) {
    SDX_NEED(output_names);
    SDX_NEED(outputs);
  }
  request = {options,
             {input_names, input_len},
             {inputs, input_len},
             {output_names, output_names_len},
             {outputs, output_names_len}};
  return {};
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateSession(const OrtEnv* env, const char* model_path, const OrtSessionOptions* options,
                                        OrtSession** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_path);
    return create_session(env, {.path = model_path}, options, out);
  });
}

OrtStatusPtr ORT_API_CALL CreateSessionFromArray(const OrtEnv* env, const void* model_data, size_t model_data_length,
                                                 const OrtSessionOptions* options, OrtSession** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_data);
    return create_session(env, {.bytes = model_data, .size = model_data_length}, options, out);
  });
}

OrtStatusPtr ORT_API_CALL CreateSessionWithPrepackedWeightsContainer(
    const OrtEnv* env, const char* model_path, const OrtSessionOptions* options,
    OrtPrepackedWeightsContainer* prepacked_weights_container, OrtSession** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_path);
    SDX_NEED(prepacked_weights_container);
    return create_session(env, {.path = model_path}, options, out);
  });
}

OrtStatusPtr ORT_API_CALL CreateSessionFromArrayWithPrepackedWeightsContainer(
    const OrtEnv* env, const void* model_data, size_t model_data_length, const OrtSessionOptions* options,
    OrtPrepackedWeightsContainer* prepacked_weights_container, OrtSession** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_data);
    SDX_NEED(prepacked_weights_container);
    return create_session(env, {.bytes = model_data, .size = model_data_length}, options, out);
  });
}

void ORT_API_CALL ReleaseSession(OrtSession* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL CreatePrepackedWeightsContainer(OrtPrepackedWeightsContainer** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = new OrtPrepackedWeightsContainer();
    return {};
  });
}

void ORT_API_CALL ReleasePrepackedWeightsContainer(OrtPrepackedWeightsContainer* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL Run(OrtSession* session, const OrtRunOptions* run_options, const char* const* input_names,
                              const OrtValue* const* inputs, size_t input_len, const char* const* output_names,
                              size_t output_names_len, OrtValue** outputs) noexcept {
  return answer([&]() -> Status {
    RunRequest request;
    SDX_TRY(make_request(session, run_options, input_names, inputs, input_len, output_names, output_names_len, outputs,
                         request));
    return run_session(*session, request);
  });
}

// The arrays and what they point to stay the caller's until the callback, which also takes over the status.
OrtStatusPtr ORT_API_CALL RunAsync(OrtSession* session, const OrtRunOptions* run_options,
                                   const char* const* input_names, const OrtValue* const* input, size_t input_len,
                                   const char* const* output_names, size_t output_names_len, OrtValue** output,
                                   RunAsyncCallbackFn run_async_callback, void* user_data) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(run_async_callback);
    RunRequest request;
    SDX_TRY(make_request(session, run_options, input_names, input, input_len, output_names, output_names_len, output,
                         request));
    run_later([session, request, run_async_callback, user_data] {
      OrtStatus* status = answer([&] { return run_session(*session, request); });
      run_async_callback(user_data, request.outputs.data(), request.outputs.size(), status);
    });
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SessionGetInputCount(const OrtSession* session, size_t* out) noexcept {
  return port_count(session, kInputs, out);
}
OrtStatusPtr ORT_API_CALL SessionGetOutputCount(const OrtSession* session, size_t* out) noexcept {
  return port_count(session, kOutputs, out);
}
OrtStatusPtr ORT_API_CALL SessionGetOverridableInitializerCount(const OrtSession* session, size_t* out) noexcept {
  return port_count(session, kOverridable, out);
}
OrtStatusPtr ORT_API_CALL SessionGetInputTypeInfo(const OrtSession* session, size_t index,
                                                  OrtTypeInfo** type_info) noexcept {
  return port_type(session, kInputs, index, type_info);
}
OrtStatusPtr ORT_API_CALL SessionGetOutputTypeInfo(const OrtSession* session, size_t index,
                                                   OrtTypeInfo** type_info) noexcept {
  return port_type(session, kOutputs, index, type_info);
}
OrtStatusPtr ORT_API_CALL SessionGetOverridableInitializerTypeInfo(const OrtSession* session, size_t index,
                                                                   OrtTypeInfo** type_info) noexcept {
  return port_type(session, kOverridable, index, type_info);
}
OrtStatusPtr ORT_API_CALL SessionGetInputName(const OrtSession* session, size_t index, OrtAllocator* allocator,
                                              char** value) noexcept {
  return port_name(session, kInputs, index, allocator, value);
}
OrtStatusPtr ORT_API_CALL SessionGetOutputName(const OrtSession* session, size_t index, OrtAllocator* allocator,
                                               char** value) noexcept {
  return port_name(session, kOutputs, index, allocator, value);
}
OrtStatusPtr ORT_API_CALL SessionGetOverridableInitializerName(const OrtSession* session, size_t index,
                                                               OrtAllocator* allocator, char** value) noexcept {
  return port_name(session, kOverridable, index, allocator, value);
}

// The name of the file; empty where nothing is profiled, or no more.
OrtStatusPtr ORT_API_CALL SessionEndProfiling(OrtSession* session, OrtAllocator* allocator, char** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(allocator);
    SDX_NEED(out);
    runtime::Profiler* profiler = session->engine->profiler();
    if (profiler == nullptr) return abi::copy_text("", *allocator, out);
    SDX_ASSIGN(const std::string file, profiler->end());
    return abi::copy_text(file, *allocator, out);
  });
}

OrtStatusPtr ORT_API_CALL SessionGetProfilingStartTimeNs(const OrtSession* session, uint64_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(out);
    const runtime::Profiler* profiler = session->engine->profiler();
    *out = profiler != nullptr ? profiler->started_ns() : 0;
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
