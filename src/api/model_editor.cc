// The model editor: types, values, nodes, graphs and models described by callers, and sessions made of them. What a
// graph, a node or a model is given belongs to it from then on, also where the call fails later.
#include "abi/type_info.h"
#include "answer.h"
#include "model_builder.h"
#include "session_handle.h"
#include "tables.h"

namespace sdx::api {
namespace {

OrtStatus* make_type(OrtTypeInfo** type_info, ONNXType type, const void* part,
                     void (*fill)(OrtTypeInfo&, const void* part)) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(type_info);
    SDX_NEED(part);
    auto made = std::make_unique<OrtTypeInfo>();
    made->type = type;
    fill(*made, part);
    *type_info = made.release();
    return {};
  });
}

void fill_tensor(OrtTypeInfo& type, const void* part) {
  type.tensor = *static_cast<const OrtTensorTypeAndShapeInfo*>(part);
}

Status copy_names(const char* const* names, size_t count, std::vector<std::string>& list) {
  if (count > 0) SDX_NEED(names);
  for (size_t i = 0; i < count; ++i) list.emplace_back(names[i] == nullptr ? "" : names[i]);  // empty: omitted
  return {};
}

OrtStatus* set_ports(OrtGraph* graph, std::optional<std::vector<OrtValueInfo>> OrtGraph::*field, OrtValueInfo** ports,
                     size_t count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(graph);
    if (count > 0) SDX_NEED(ports);
    for (size_t i = 0; i < count; ++i) SDX_NEED(ports[i]);
    auto& list = (graph->*field).emplace();
    for (size_t i = 0; i < count; ++i) {
      const std::unique_ptr<OrtValueInfo> owned(ports[i]);
      list.push_back(std::move(*owned));
    }
    return {};
  });
}

// The engine of the model as it is answers questions about it until the session is finalized.
OrtStatus* edit_session(const OrtEnv* env, const ModelSource& source, const OrtSessionOptions* options,
                        OrtSession** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(out);
    *out = nullptr;
    SDX_ASSIGN(auto session, load_session(*env, source, options));
    auto edited = std::make_unique<EditedModel>();
    SDX_ASSIGN(edited->model, load_model(source, options));
    edited->env = env;
    if (options != nullptr) edited->options = *options;
    session->edited = std::move(edited);
    *out = session.release();
    return {};
  });
}

}  // namespace

namespace model_editor_api {

OrtStatusPtr ORT_API_CALL CreateTensorTypeInfo(const OrtTensorTypeAndShapeInfo* tensor_info,
                                               OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_TENSOR, tensor_info, fill_tensor);
}

OrtStatusPtr ORT_API_CALL CreateSparseTensorTypeInfo(const OrtTensorTypeAndShapeInfo* tensor_info,
                                                     OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_SPARSETENSOR, tensor_info, fill_tensor);
}

OrtStatusPtr ORT_API_CALL CreateSequenceTypeInfo(const OrtTypeInfo* sequence_type, OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_SEQUENCE, sequence_type, [](OrtTypeInfo& type, const void* part) {
    type.sequence.element.push_back(*static_cast<const OrtTypeInfo*>(part));
  });
}

OrtStatusPtr ORT_API_CALL CreateOptionalTypeInfo(const OrtTypeInfo* contained_type, OrtTypeInfo** type_info) noexcept {
  return make_type(type_info, ONNX_TYPE_OPTIONAL, contained_type, [](OrtTypeInfo& type, const void* part) {
    type.optional.contained.push_back(*static_cast<const OrtTypeInfo*>(part));
  });
}

OrtStatusPtr ORT_API_CALL CreateMapTypeInfo(ONNXTensorElementDataType map_key_type, const OrtTypeInfo* map_value_type,
                                            OrtTypeInfo** type_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(map_value_type);
    SDX_NEED(type_info);
    auto made = std::make_unique<OrtTypeInfo>();
    made->type = ONNX_TYPE_MAP;
    made->map.key = map_key_type;
    made->map.value.push_back(*map_value_type);
    *type_info = made.release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateValueInfo(const char* name, const OrtTypeInfo* type_info,
                                          OrtValueInfo** value_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(name);
    SDX_NEED(type_info);
    SDX_NEED(value_info);
    *value_info = new OrtValueInfo{name, *type_info};
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateNode(const char* operator_name, const char* domain_name, const char* node_name,
                                     const char* const* input_names, size_t input_names_len,
                                     const char* const* output_names, size_t output_names_len, OrtOpAttr** attributes,
                                     size_t attribs_len, OrtNode** node) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(operator_name);
    SDX_NEED(node);
    auto made = std::make_unique<OrtNode>();
    made->op = operator_name;
    made->domain = domain_name == nullptr ? "" : domain_name;
    made->name = node_name == nullptr ? "" : node_name;
    SDX_TRY(copy_names(input_names, input_names_len, made->inputs));
    SDX_TRY(copy_names(output_names, output_names_len, made->outputs));
    if (attribs_len > 0) SDX_NEED(attributes);
    for (size_t i = 0; i < attribs_len; ++i) SDX_NEED(attributes[i]);
    for (size_t i = 0; i < attribs_len; ++i) {
      const std::unique_ptr<OrtOpAttr> owned(attributes[i]);
      made->attributes.push_back(std::move(owned->attribute));
    }
    *node = made.release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateGraph(OrtGraph** graph) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(graph);
    *graph = new OrtGraph();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL SetGraphInputs(OrtGraph* graph, OrtValueInfo** inputs, size_t inputs_len) noexcept {
  return set_ports(graph, &OrtGraph::inputs, inputs, inputs_len);
}
OrtStatusPtr ORT_API_CALL SetGraphOutputs(OrtGraph* graph, OrtValueInfo** outputs, size_t outputs_len) noexcept {
  return set_ports(graph, &OrtGraph::outputs, outputs, outputs_len);
}

// External data are the caller's until no session of the model is left; others are copied.
OrtStatusPtr ORT_API_CALL AddInitializerToGraph(OrtGraph* graph, const char* name, OrtValue* tensor,
                                                bool data_is_external) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(graph);
    SDX_NEED(name);
    SDX_NEED(tensor);
    SDX_ASSIGN(const Value value, tensor->value());
    if (!value.is_tensor())
      return invalid_argument("initializer \"{}\" is {}, a tensor is wanted", name, to_text(value.type()));
    Tensor content = value.tensor();
    if (!data_is_external) {
      SDX_ASSIGN(content, clone(content));
    }
    graph->initializers.emplace_back(name, std::move(content));
    delete tensor;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AddNodeToGraph(OrtGraph* graph, OrtNode* node) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(graph);
    SDX_NEED(node);
    graph->nodes.emplace_back(node);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateModel(const char* const* domain_names, const int* opset_versions,
                                      size_t opset_entries_len, OrtModel** model) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model);
    auto made = std::make_unique<OrtModel>();
    if (opset_entries_len > 0) {
      SDX_NEED(domain_names);
      SDX_NEED(opset_versions);
    }
    for (size_t i = 0; i < opset_entries_len; ++i) {
      SDX_NEED(domain_names[i]);
      made->opsets.emplace_back(domain_names[i], opset_versions[i]);
    }
    *model = made.release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AddGraphToModel(OrtModel* model, OrtGraph* graph) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model);
    SDX_NEED(graph);
    model->graph.reset(graph);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateSessionFromModel(const OrtEnv* env, const OrtModel* model,
                                                 const OrtSessionOptions* options, OrtSession** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(model);
    SDX_NEED(out);
    *out = nullptr;
    SDX_ASSIGN(auto built, build_model(*model));
    SDX_ASSIGN(auto session, load_session(*env, {.made = std::move(built)}, options));
    *out = session.release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateModelEditorSession(const OrtEnv* env, const char* model_path,
                                                   const OrtSessionOptions* options, OrtSession** out) noexcept {
  if (model_path == nullptr)
    return answer([&]() -> Status {
      SDX_NEED(model_path);
      return {};
    });
  return edit_session(env, {.path = model_path}, options, out);
}
OrtStatusPtr ORT_API_CALL CreateModelEditorSessionFromArray(const OrtEnv* env, const void* model_data,
                                                            size_t model_data_length, const OrtSessionOptions* options,
                                                            OrtSession** out) noexcept {
  if (model_data == nullptr)
    return answer([&]() -> Status {
      SDX_NEED(model_data);
      return {};
    });
  return edit_session(env, {.bytes = model_data, .size = model_data_length}, options, out);
}

OrtStatusPtr ORT_API_CALL SessionGetOpsetForDomain(const OrtSession* session, const char* domain, int* opset) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(domain);
    SDX_NEED(opset);
    const auto& proto = session->edited != nullptr ? session->edited->model->proto : session->engine->model().proto;
    const auto canonical = [](std::string_view name) { return name == "ai.onnx" ? std::string_view() : name; };
    for (const auto& known : proto.opset_import) {
      if (canonical(known.domain) != canonical(domain)) continue;
      *opset = static_cast<int>(known.version.value_or(1));
      return {};
    }
    return invalid_argument("the model has no opset of the domain \"{}\"", domain);
  });
}

// Copies what it needs of the model.
OrtStatusPtr ORT_API_CALL ApplyModelToModelEditorSession(OrtSession* session, OrtModel* model) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(model);
    if (session->edited == nullptr)
      return invalid_argument("the session was not made by CreateModelEditorSession, or is finalized");
    return add_to_model(*model, *session->edited->model);
  });
}

// Without options: those that the session was made with. A model that cannot be loaded may be changed further.
OrtStatusPtr ORT_API_CALL FinalizeModelEditorSession(OrtSession* session, const OrtSessionOptions* options,
                                                     OrtPrepackedWeightsContainer* /*container*/) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    if (session->edited == nullptr)
      return invalid_argument("the session was not made by CreateModelEditorSession, or is finalized");
    const EditedModel& edited = *session->edited;
    SDX_TRY(
        reload_session(*edited.env, {.made = edited.model}, options != nullptr ? options : &edited.options, *session));
    session->edited.reset();
    return {};
  });
}

}  // namespace model_editor_api

namespace ort_api {

void ORT_API_CALL ReleaseNode(OrtNode* input) noexcept { delete input; }
void ORT_API_CALL ReleaseGraph(OrtGraph* input) noexcept { delete input; }
void ORT_API_CALL ReleaseModel(OrtModel* input) noexcept { delete input; }

}  // namespace ort_api
}  // namespace sdx::api
