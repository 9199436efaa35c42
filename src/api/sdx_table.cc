// SdxApi: the table of sardonyx.h.
#include <cstdlib>
#include <cstring>

#include "abi/element_type.h"
#include "answer.h"
#include "base/element.h"
#include "base/knobs.h"
#include "explain.h"
#include "graph/text.h"
#include "inspect.h"
#include "json_text.h"
#include "onnx/value_proto.h"
#include "operators.h"
#include "run_priority.h"
#include "sardonyx.h"
#include "session_handle.h"
#include "session_plan.h"

namespace sdx::api {
namespace {

constexpr char kProductVersion[] = "0.1.0";
constexpr int64_t kMaxPrintedElements = 64;  // of a constant in a dumped graph

const char* ORT_API_CALL product_version() noexcept { return kProductVersion; }

Status give(std::string_view content, SdxBuffer* out) {
  char* data = static_cast<char*>(std::malloc(content.size() + 1));
  if (data == nullptr) throw std::bad_alloc();
  content.copy(data, content.size());
  data[content.size()] = '\0';
  *out = {data, content.size()};
  return {};
}

void ORT_API_CALL release_buffer(SdxBuffer* buffer) noexcept {
  if (buffer == nullptr) return;
  std::free(const_cast<char*>(buffer->data));
  *buffer = {nullptr, 0};
}

// Calls use(model, graph, opsets, warnings) for whichever source is given.
template <typename Use>
Status with_model(const SdxModelSource* source, const OrtSessionOptions* options, Use use) {
  SDX_NEED(source);
  const int given = (source->path != nullptr) + (source->bytes != nullptr) + (source->session != nullptr);
  if (given != 1) return invalid_argument("{} of path, bytes and session are given; one is wanted", given);
  if (source->session != nullptr) {
    const runtime::Session& session = *source->session->engine;
    const auto compiled = session.compiled();
    return use(session.model(), compiled->graph(), compiled->opsets(), compiled->warnings());
  }
  SDX_ASSIGN(const auto model, load_model({source->path, source->bytes, source->size}, options));
  onnx::ImportOptions import;
  import.strict_shapes = strict_shapes(options);
  import.symbol_values = symbol_values(options);
  SDX_ASSIGN(const onnx::Imported imported, onnx::import_model(*model, import));
  return use(*model, imported.graph, imported.opsets, imported.warnings);
}

OrtStatus* ORT_API_CALL inspect(const SdxModelSource* source, const OrtSessionOptions* options,
                                SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(json);
    return with_model(source, options,
                      [&](const auto& model, const auto& graph, const auto& opsets, const auto& warnings) {
                        return give(inspect_model(model, graph, opsets, warnings), json);
                      });
  });
}

OrtStatus* ORT_API_CALL dump_graph(const SdxModelSource* source, const OrtSessionOptions* options,
                                   SdxBuffer* text) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(text);
    return with_model(source, options, [&](const auto&, const auto& graph, const auto&, const auto&) {
      return give(to_text(graph, TextOptions{.max_elements = kMaxPrintedElements}), text);
    });
  });
}

OrtStatus* ORT_API_CALL value_to_proto(const OrtValue* value, const char* name, SdxBuffer* bytes) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    SDX_NEED(bytes);
    SDX_ASSIGN(const Value content, value->value());
    SDX_ASSIGN(const std::string message, onnx::value_to_proto(content, name == nullptr ? "" : name));
    return give(message, bytes);
  });
}

OrtStatus* ORT_API_CALL value_from_proto(const void* bytes, size_t size, ONNXType kind, OrtValue** value) noexcept {
  return answer([&]() -> Status {
    if (size > 0) SDX_NEED(bytes);
    SDX_NEED(value);
    const ValueKind expected = abi::kind_of(kind);
    if (expected == ValueKind::none)
      return invalid_argument("no message holds a value of kind {}", static_cast<int>(kind));
    SDX_ASSIGN(Value content, onnx::value_from_bytes({static_cast<const std::byte*>(bytes), size}, expected));
    *value = new OrtValue(std::move(content));
    return {};
  });
}

OrtStatus* ORT_API_CALL knobs(SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(json);
    JsonText text;
    text.begin_array();
    for (const KnobInfo& knob : all_knobs()) {
      text.begin_object().member("name", knob.name).member("environment", knob.environment).member("type", knob.type);
      text.member("default", knob.fallback).member("current", knob.current).member("sentence", knob.sentence);
      text.end_object();
    }
    text.end_array();
    return give(text.text(), json);
  });
}

OrtStatus* ORT_API_CALL run_options_set_time_limit(OrtRunOptions* options, uint64_t nanoseconds) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->time_limit_ns = nanoseconds;
    return {};
  });
}

OrtStatus* ORT_API_CALL value_to_doubles(const OrtValue* value, double* elements, size_t count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(value);
    if (value->kind() != ValueKind::tensor || value->dtype() == DType::string)
      return invalid_argument("the value is {}, a tensor of numbers is wanted", to_text(value->content().type()));
    const Tensor& tensor = value->content().tensor();
    const int parts = is_complex(tensor.dtype()) ? 2 : 1;
    if (count != static_cast<size_t>(tensor.count()) * static_cast<size_t>(parts))
      return invalid_argument("there is room for {} numbers, the tensor has {}", count, tensor.count() * parts);
    if (count > 0) SDX_NEED(elements);
    for (int64_t i = 0; i < tensor.count(); ++i) {
      if (parts == 1) {
        elements[i] = load_double(tensor, i);
        continue;
      }
      const std::complex<double> element = load_complex(tensor.dtype(), tensor.raw(), i);
      elements[2 * i] = element.real();
      elements[2 * i + 1] = element.imag();
    }
    return {};
  });
}

OrtStatus* ORT_API_CALL run_options_set_priority(OrtRunOptions* options, int priority) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    if (priority < -1 || priority > 1) return invalid_argument("the priority is {}; -1, 0 or 1 is wanted", priority);
    options->priority = priority;
    use_priorities();
    return {};
  });
}

OrtStatus* ORT_API_CALL run_options_set_poll(OrtRunOptions* options, SdxPollFunction poll, void* param) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    options->poll = poll;
    options->poll_param = param;
    return {};
  });
}

OrtStatus* ORT_API_CALL plan_memory(const OrtSession* session, const char* const* names, const int64_t* numbers,
                                    size_t count, SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(json);
    std::map<std::string, int64_t> given;
    for (size_t i = 0; i < count; ++i) {
      SDX_NEED(names);
      SDX_NEED(numbers);
      SDX_NEED(names[i]);
      given[names[i]] = numbers[i];
    }
    return give(plan_memory_json(*session->engine->compiled(), given), json);
  });
}

OrtStatus* ORT_API_CALL replace_weights(OrtSession* session, const char* const* names, const OrtValue* const* values,
                                        size_t count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    std::map<std::string, Tensor> weights;
    for (size_t i = 0; i < count; ++i) {
      SDX_NEED(names);
      SDX_NEED(values);
      SDX_NEED(names[i]);
      SDX_NEED(values[i]);
      SDX_ASSIGN(const Value value, values[i]->value());
      if (!value.is_tensor())
        return invalid_argument("weight \"{}\": {} is given, a tensor is wanted", names[i], to_text(value.type()));
      weights.insert_or_assign(names[i], value.tensor());
    }
    return session->engine->replace_weights(weights);
  });
}

OrtStatus* ORT_API_CALL plan_statistics(const OrtSession* session, SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(json);
    return give(plan_statistics_json(*session->engine->compiled()), json);
  });
}

OrtStatus* ORT_API_CALL explain(const OrtSession* session, SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(json);
    return give(explain_json(*session->engine->compiled()), json);
  });
}

OrtStatus* ORT_API_CALL passes(SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(json);
    return give(passes_json(), json);
  });
}

OrtStatus* ORT_API_CALL operators(SdxBuffer* json) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(json);
    return give(operators_json(), json);
  });
}

constinit const SdxApi kSdxApi{
    .version = SDX_API_VERSION,
    .product_version = product_version,
    .release_buffer = release_buffer,
    .inspect = inspect,
    .dump_graph = dump_graph,
    .value_to_proto = value_to_proto,
    .value_from_proto = value_from_proto,
    .knobs = knobs,
    .run_options_set_time_limit = run_options_set_time_limit,
    .value_to_doubles = value_to_doubles,
    .run_options_set_poll = run_options_set_poll,
    .plan_memory = plan_memory,
    .replace_weights = replace_weights,
    .plan_statistics = plan_statistics,
    .explain = explain,
    .passes = passes,
    .operators = operators,
    .run_options_set_priority = run_options_set_priority,
};

}  // namespace
}  // namespace sdx::api

extern "C" const SdxApi* ORT_API_CALL SdxGetApi(uint32_t version) noexcept {
  return version >= 1 && version <= SDX_API_VERSION ? &sdx::api::kSdxApi : nullptr;
}
