// IoBinding: a session's inputs and outputs, bound once and run many times. Bound values share memory with the
// caller's.
#include <algorithm>
#include <optional>

#include "answer.h"
#include "session_handle.h"
#include "tables.h"

struct OrtIoBinding {
  struct Output {
    std::string name;
    std::optional<OrtValue> given;  // written in place; none: the run makes one
    std::optional<OrtValue> value;  // of the last run
  };
  OrtSession* session;
  std::vector<std::pair<std::string, OrtValue>> inputs;
  std::vector<Output> outputs;
};

namespace sdx::api {
namespace {

bool has_port(const std::vector<runtime::InputOutput>& ports, std::string_view name) {
  return std::any_of(ports.begin(), ports.end(), [&](const auto& port) { return port.name == name; });
}

OrtIoBinding::Output& output_named(OrtIoBinding& binding, const char* name) {
  const auto found = std::find_if(binding.outputs.begin(), binding.outputs.end(),
                                  [&](const auto& output) { return output.name == name; });
  if (found != binding.outputs.end()) return *found;
  return binding.outputs.emplace_back(OrtIoBinding::Output{name, {}, {}});
}

Status run_binding(OrtSession& session, const OrtRunOptions* options, OrtIoBinding& binding) {
  std::vector<const char*> input_names, output_names;
  std::vector<const OrtValue*> inputs;
  for (const auto& [name, value] : binding.inputs) {
    input_names.push_back(name.c_str());
    inputs.push_back(&value);
  }
  std::vector<OrtValue*> results;
  for (auto& output : binding.outputs) {
    output_names.push_back(output.name.c_str());
    results.push_back(output.given ? &*output.given : nullptr);
  }
  SDX_TRY(run_session(session, {options, input_names, inputs, output_names, results}));
  for (size_t i = 0; i < results.size(); ++i) {
    auto& output = binding.outputs[i];
    const std::unique_ptr<OrtValue> made(output.given ? nullptr : results[i]);
    output.value = made != nullptr ? *made : *output.given;
  }
  return {};
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateIoBinding(OrtSession* session, OrtIoBinding** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(out);
    *out = new OrtIoBinding{session, {}, {}};
    return {};
  });
}

void ORT_API_CALL ReleaseIoBinding(OrtIoBinding* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL BindInput(OrtIoBinding* binding_ptr, const char* name, const OrtValue* val_ptr) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(binding_ptr);
    SDX_NEED(name);
    SDX_NEED(val_ptr);
    const runtime::Session& session = *binding_ptr->session->engine;
    if (!has_port(session.inputs(), name) && !has_port(session.overridable(), name))
      return invalid_argument("Failed to find NodeArg with name: {} in the def list", name);
    for (auto& [bound_name, value] : binding_ptr->inputs) {
      if (bound_name != name) continue;
      value = *val_ptr;
      return {};
    }
    binding_ptr->inputs.emplace_back(name, *val_ptr);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL BindOutput(OrtIoBinding* binding_ptr, const char* name, const OrtValue* val_ptr) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(binding_ptr);
    SDX_NEED(name);
    SDX_NEED(val_ptr);
    auto& output = output_named(*binding_ptr, name);
    output.given = *val_ptr;
    output.value.reset();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL BindOutputToDevice(OrtIoBinding* binding_ptr, const char* name,
                                             const OrtMemoryInfo* mem_info_ptr) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(binding_ptr);
    SDX_NEED(name);
    SDX_NEED(mem_info_ptr);
    if (!abi::is_cpu(*mem_info_ptr))
      return invalid_argument("output \"{}\" is bound to the memory \"{}\" of device {}; only the CPU's is supported",
                              name, mem_info_ptr->name, mem_info_ptr->id);
    auto& output = output_named(*binding_ptr, name);
    output.given.reset();
    output.value.reset();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL RunWithBinding(OrtSession* session, const OrtRunOptions* run_options,
                                         const OrtIoBinding* binding_ptr) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(binding_ptr);
    return run_binding(*session, run_options, const_cast<OrtIoBinding&>(*binding_ptr));
  });
}

OrtStatusPtr ORT_API_CALL GetBoundOutputNames(const OrtIoBinding* binding_ptr, OrtAllocator* allocator, char** buffer,
                                              size_t** lengths, size_t* count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(binding_ptr);
    SDX_NEED(allocator);
    SDX_NEED(buffer);
    SDX_NEED(lengths);
    SDX_NEED(count);
    *buffer = nullptr;
    *lengths = nullptr;
    *count = 0;
    if (binding_ptr->outputs.empty()) return {};
    std::string names;
    for (const auto& output : binding_ptr->outputs) names += output.name;
    const size_t bytes = binding_ptr->outputs.size() * sizeof(size_t);
    auto* sizes = static_cast<size_t*>(allocator->Alloc(allocator, bytes));
    if (sizes == nullptr)
      return make_error(Code::runtime_exception, "the allocator that was given has no {} bytes", bytes);
    if (Status status = abi::copy_text(names, *allocator, buffer); !status.ok()) {
      allocator->Free(allocator, sizes);
      return status;
    }
    for (const auto& output : binding_ptr->outputs) sizes[(*count)++] = output.name.size();
    *lengths = sizes;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetBoundOutputValues(const OrtIoBinding* binding_ptr, OrtAllocator* allocator,
                                               OrtValue*** output, size_t* output_count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(binding_ptr);
    SDX_NEED(allocator);
    SDX_NEED(output);
    SDX_NEED(output_count);
    *output = nullptr;
    *output_count = 0;
    const size_t count = binding_ptr->outputs.size();
    if (count == 0) return {};
    std::vector<std::unique_ptr<OrtValue>> copies;
    for (const auto& bound : binding_ptr->outputs) {
      const auto& value = bound.value ? bound.value : bound.given;
      copies.push_back(value ? std::make_unique<OrtValue>(*value) : std::make_unique<OrtValue>());
    }
    auto* list = static_cast<OrtValue**>(allocator->Alloc(allocator, count * sizeof(OrtValue*)));
    if (list == nullptr)
      return make_error(Code::runtime_exception, "the allocator that was given has no {} bytes",
                        count * sizeof(OrtValue*));
    for (size_t i = 0; i < count; ++i) list[i] = copies[i].release();
    *output = list;
    *output_count = count;
    return {};
  });
}

void ORT_API_CALL ClearBoundInputs(OrtIoBinding* binding_ptr) noexcept {
  if (binding_ptr != nullptr) binding_ptr->inputs.clear();
}
void ORT_API_CALL ClearBoundOutputs(OrtIoBinding* binding_ptr) noexcept {
  if (binding_ptr != nullptr) binding_ptr->outputs.clear();
}

// The CPU's memory needs no waiting for.
OrtStatusPtr ORT_API_CALL SynchronizeBoundInputs(OrtIoBinding* /*binding_ptr*/) noexcept { return nullptr; }
OrtStatusPtr ORT_API_CALL SynchronizeBoundOutputs(OrtIoBinding* /*binding_ptr*/) noexcept { return nullptr; }

}  // namespace ort_api
}  // namespace sdx::api
