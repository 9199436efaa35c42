#include "onnx/importer.h"

#include "graph/verify.h"
#include "onnx/check_schema.h"
#include "onnx/import_scope.h"
#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

Result<Opsets> read_opsets(const ModelProto& proto) {
  Opsets opsets;
  for (const OperatorSetIdProto& import : proto.opset_import) {
    const std::string domain = canonical_domain(import.domain);
    const int64_t version = import.version.value_or(0);
    const int newest = domain.empty() || domain == "ai.onnx.ml" ? newest_opset(domain) : 1 << 30;
    if (version > newest || version < 1)
      return make_error(Code::fail, "opset {} of {} is not supported: 1 to {} are", version,
                        domain.empty() ? "ai.onnx" : domain, newest);
    opsets[domain] = version;
  }
  if (proto.opset_import.empty()) opsets[""] = 1;  // IR versions 1 and 2 had no imports
  return opsets;
}

Status read_functions(const ModelProto& proto, ImportState& state) {
  for (const FunctionProto& function : proto.functions) {
    const std::string key =
        canonical_domain(function.domain) + ":" + std::string(function.name) + ":" + std::string(function.overload);
    if (!state.functions.emplace(key, &function).second)
      return invalid_graph("two functions are {}.{}", function.domain, function.name);
  }
  return {};
}

Status check_replaced_weights(const ImportOptions& options, const Graph& graph) {
  for (const auto& [name, weight] : options.weights) {
    const auto value = graph.find_value(name);
    if (!value || !graph.value(*value).is_initializer)
      return invalid_argument("the model has no weight \"{}\" to be replaced", name);
  }
  return {};
}

Result<Imported> import_unnamed(const Model& model, const ImportOptions& options) {
  const ModelProto& proto = model.proto;
  if (!proto.graph) return invalid_argument("the file holds no graph");
  if (proto.ir_version.value_or(1) > kNewestIrVersion)
    return make_error(Code::fail, "IR version {} is not supported: 1 to {} are", *proto.ir_version, kNewestIrVersion);
  SDX_ASSIGN(Opsets opsets, read_opsets(proto));
  Imported imported;
  ImportState state{model, options, imported.forms, {}, {}, {}, {}, {}, 0};
  SDX_TRY(read_functions(proto, state));
  Scope scope(state, imported.graph, opsets, nullptr);
  SDX_TRY(scope.import_graph(*proto.graph));
  SDX_TRY(check_replaced_weights(options, imported.graph));
  SDX_TRY(verify(imported.graph));
  imported.opsets = std::move(opsets);
  imported.warnings = std::move(state.warnings);
  imported.contradicted = std::move(state.contradicted);
  return imported;
}

}  // namespace

Result<Imported> import_model(const Model& model, const ImportOptions& options) {
  auto imported = import_unnamed(model, options);
  if (imported.ok()) return imported;
  return std::move(imported).status().with_context(
      formatted("while loading {}", model.path.empty() ? "a model from memory" : model.path));
}

}  // namespace sdx::onnx
