// Standard operators that kernels of custom operators call. Each is a session of one node, made for the types of the
// first call with them and kept.
#include <cstring>
#include <map>

#include "abi/kernel.h"
#include "abi/op_attr.h"
#include "answer.h"
#include "onnx/value_proto.h"
#include "onnx/writer.h"
#include "ops/op_facts.h"
#include "runtime/session.h"
#include "tables.h"

struct OrtOp {
  std::string name, domain;
  int version = 0;
  sdx::Attributes attributes;
  size_t inputs = 0, outputs = 0;
  sdx::ForkMutex mutex;
  // By the types of the inputs; undefined: omitted.
  std::map<std::vector<sdx::DType>, std::shared_ptr<sdx::runtime::Session>> sessions;
};

namespace sdx::api {
namespace {

std::string label_of(const OrtOp& op) { return formatted("{}{}{}", op.domain, op.domain.empty() ? "" : ".", op.name); }

Status fill_attribute(const Attribute& attribute, onnx::AttributeProto& proto) {
  proto.name = attribute.name;
  proto.type = static_cast<int32_t>(attribute.kind());
  switch (attribute.kind()) {
    case AttributeKind::i: proto.i = std::get<int64_t>(attribute.content); return {};
    case AttributeKind::f: proto.f = std::get<float>(attribute.content); return {};
    case AttributeKind::s: proto.s = onnx::Text(std::get<std::string>(attribute.content)); break;
    case AttributeKind::ints: proto.ints = onnx::Numbers(std::get<std::vector<int64_t>>(attribute.content)); return {};
    case AttributeKind::floats:
      proto.floats = onnx::Numbers(std::get<std::vector<float>>(attribute.content));
      return {};
    case AttributeKind::strings:
      for (const std::string& text : std::get<std::vector<std::string>>(attribute.content))
        proto.strings.emplace_back(text);
      return {};
    default: return not_implemented("attribute \"{}\" is of a kind that operators cannot be made with", attribute.name);
  }
  if (proto.s.data() == nullptr) proto.s = "";
  return {};
}

Result<std::shared_ptr<runtime::Session>> make_session(const OrtOp& op, std::span<const DType> types,
                                                       const RunEnvironment* environment) {
  std::vector<std::string> names;
  names.reserve(op.inputs + op.outputs);  // messages point to them
  onnx::ModelProto model;
  model.ir_version = onnx::kNewestIrVersion;
  auto& opset = model.opset_import.emplace_back();
  opset.domain = op.domain;
  opset.version = op.version;
  onnx::GraphProto& graph = model.graph.make();
  graph.name = op.name;
  onnx::NodeProto& node = graph.node.emplace_back();
  node.name = op.name;
  node.op_type = op.name;
  node.domain = op.domain;
  for (size_t i = 0; i < types.size(); ++i) {
    names.push_back(types[i] == DType::undefined ? std::string() : formatted("input_{}", i));
    node.input.emplace_back(names.back());
    if (types[i] == DType::undefined) continue;
    auto& input = graph.input.emplace_back();
    input.name = names.back();
    input.type.make().tensor_type.make().elem_type = static_cast<int32_t>(types[i]);
  }
  for (size_t i = 0; i < op.outputs; ++i) {
    names.push_back(formatted("output_{}", i));
    node.output.emplace_back(names.back());
    graph.output.emplace_back().name = names.back();
  }
  for (const Attribute& attribute : op.attributes.list())
    SDX_TRY(fill_attribute(attribute, node.attribute.emplace_back()));
  SDX_ASSIGN(const std::string bytes, onnx::write_model_to_string(model));
  SDX_ASSIGN(auto read, onnx::model_from_bytes(std::as_bytes(std::span(bytes)), onnx::Ownership::copy));
  runtime::SessionOptions options;
  options.threads = environment == nullptr || environment->pool == nullptr ? 1 : environment->pool->size();
  SDX_ASSIGN(auto session, runtime::Session::create(std::move(read), options));
  return std::shared_ptr<runtime::Session>(std::move(session));
}

Result<std::shared_ptr<runtime::Session>> session_of(OrtOp& op, const std::vector<DType>& types,
                                                     const RunEnvironment* environment) {
  const std::lock_guard lock(op.mutex);
  auto& session = op.sessions[types];
  if (session == nullptr) {
    SDX_ASSIGN(session, make_session(op, types, environment));
  }
  return session;
}

// An output that has no memory yet gets the result; one that has must fit it.
Status give(Value made, OrtValue& out, size_t index) {
  const bool fits_anything = out.kind() == ValueKind::none;
  if (fits_anything || !made.is_tensor() || out.is_string_tensor() || !out.content().is_tensor()) {
    out.set(std::move(made));
    return {};
  }
  const Tensor& tensor = made.tensor();
  if (!(tensor.shape() == out.shape()) || tensor.dtype() != out.dtype())
    return invalid_argument("output {} is {}{}, memory for {}{} is given", index, sdx::name(tensor.dtype()),
                            to_text(tensor.shape()), sdx::name(out.dtype()), to_text(out.shape()));
  if (tensor.byte_size() > 0 && tensor.raw() != out.content().tensor().raw())
    std::memcpy(out.content().tensor().raw(), tensor.raw(), tensor.byte_size());
  return {};
}

Status invoke(const OrtKernelContext& context, OrtOp& op, std::span<const OrtValue* const> inputs,
              std::span<OrtValue* const> outputs) {
  if (inputs.size() > op.inputs || outputs.size() != op.outputs)
    return invalid_argument("{} inputs and {} outputs are given, the operator was made with {} and {}", inputs.size(),
                            outputs.size(), op.inputs, op.outputs);
  std::vector<DType> types;
  std::vector<std::string> names;
  std::vector<Value> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    types.push_back(DType::undefined);
    if (inputs[i] == nullptr) continue;
    SDX_ASSIGN(Value value, inputs[i]->value());
    if (!value.is_tensor())
      return not_implemented("input {} is {}; operators that are called take tensors", i, to_text(value.type()));
    types.back() = value.tensor().dtype();
    names.push_back(formatted("input_{}", i));
    values.push_back(std::move(value));
  }
  SDX_ASSIGN(const auto session, session_of(op, types, context.environment));
  std::vector<runtime::Feed> feeds;
  for (size_t i = 0; i < values.size(); ++i) feeds.push_back({names[i], values[i]});
  runtime::RunOptions options;
  if (context.environment != nullptr) options.cancel = context.environment->cancel;
  SDX_ASSIGN(auto results, session->run(feeds, {}, {}, options));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != nullptr) SDX_TRY(give(std::move(results[i]), *outputs[i], i));
  return {};
}

}  // namespace

namespace ort_api {

// The type constraints say nothing that the inputs of a call do not.
OrtStatusPtr ORT_API_CALL CreateOp(const OrtKernelInfo* info, const char* op_name, const char* domain, int version,
                                   const char** /*type_constraint_names*/,
                                   const ONNXTensorElementDataType* /*type_constraint_values*/,
                                   int /*type_constraint_count*/, const OrtOpAttr* const* attr_values, int attr_count,
                                   int input_count, int output_count, OrtOp** ort_op) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(info);
    SDX_NEED(op_name);
    SDX_NEED(ort_op);
    if (attr_count > 0) SDX_NEED(attr_values);
    auto op = std::make_unique<OrtOp>();
    op->name = op_name;
    op->domain = domain == nullptr || std::string_view(domain) == "ai.onnx" ? "" : domain;
    op->version = version;
    op->inputs = static_cast<size_t>(std::max(input_count, 0));
    op->outputs = static_cast<size_t>(std::max(output_count, 0));
    if (ops::find_op(op->domain, op->name) == nullptr && ops::find_facts(op->domain, op->name, version) == nullptr)
      return make_error(Code::fail, "{}: there is no such operator at version {}", label_of(*op), version);
    for (int i = 0; i < attr_count; ++i) {
      SDX_NEED(attr_values[i]);
      op->attributes.set(attr_values[i]->attribute.name, attr_values[i]->attribute.content);
    }
    *ort_op = op.release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL InvokeOp(const OrtKernelContext* context, const OrtOp* ort_op,
                                   const OrtValue* const* input_values, int input_count, OrtValue* const* output_values,
                                   int output_count) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(ort_op);
    if (input_count > 0) SDX_NEED(input_values);
    if (output_count > 0) SDX_NEED(output_values);
    return invoke(*context, *const_cast<OrtOp*>(ort_op), {input_values, static_cast<size_t>(std::max(input_count, 0))},
                  {output_values, static_cast<size_t>(std::max(output_count, 0))})
        .with_prefix(label_of(*ort_op) + ": ");
  });
}

void ORT_API_CALL ReleaseOp(OrtOp* input) noexcept { delete input; }

}  // namespace ort_api
}  // namespace sdx::api
