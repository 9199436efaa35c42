// Definitions of what sardonyx.hpp declares. Included by it alone.
#pragma once

#include "sardonyx.hpp"

namespace sardonyx {
namespace detail {

using TypeInfo = Handle<OrtTypeInfo, &OrtApi::ReleaseTypeInfo>;

inline std::vector<const char*> c_texts(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

inline size_t count_of(const Shape& shape) {
  size_t count = 1;
  for (const int64_t dim : shape) {
    if (dim < 0)
      throw Error(ORT_INVALID_ARGUMENT, "a shape has the dimension " + std::to_string(dim) + "; 0 or more is wanted");
    if (__builtin_mul_overflow(count, static_cast<size_t>(dim), &count))
      throw Error(ORT_INVALID_ARGUMENT, "a shape has too many elements");
  }
  return count;
}

inline void check_count(size_t found, const Shape& shape) {
  if (const size_t wanted = count_of(shape); found != wanted)
    throw Error(ORT_INVALID_ARGUMENT,
                std::to_string(found) + " elements are given, the shape takes " + std::to_string(wanted));
}

inline OrtValue* wrap(DataType type, void* data, size_t bytes, const Shape& shape) {
  OrtMemoryInfo* info = nullptr;
  check(ort_api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &info));
  const Handle<OrtMemoryInfo, &OrtApi::ReleaseMemoryInfo> owner(info);
  OrtValue* value = nullptr;
  check(ort_api().CreateTensorWithDataAsOrtValue(info, data, bytes, shape.data(), shape.size(),
                                                 static_cast<ONNXTensorElementDataType>(type), &value));
  return value;
}

inline void read_tensor_info(const OrtTensorTypeAndShapeInfo* info, Type& type) {
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(ort_api().GetTensorElementType(info, &element));
  type.data_type = static_cast<DataType>(element);
  type.has_rank = ort_api().TensorTypeAndShape_HasShape(info);
  size_t rank = 0;
  check(ort_api().GetDimensionsCount(info, &rank));
  type.shape.resize(rank);
  check(ort_api().GetDimensions(info, type.shape.data(), rank));
  std::vector<const char*> symbols(rank);
  check(ort_api().GetSymbolicDimensions(info, symbols.data(), rank));
  for (const char* symbol : symbols) type.symbols.emplace_back(symbol == nullptr ? "" : symbol);
}

inline Type read_type(const OrtTypeInfo* info) {
  const OrtApi& api = ort_api();
  Type type;
  ONNXType kind = ONNX_TYPE_UNKNOWN;
  check(api.GetOnnxTypeFromTypeInfo(info, &kind));
  type.kind = static_cast<Kind>(kind);
  OrtTypeInfo* inner = nullptr;
  if (kind == ONNX_TYPE_TENSOR || kind == ONNX_TYPE_SPARSETENSOR) {
    const OrtTensorTypeAndShapeInfo* tensor = nullptr;
    check(api.CastTypeInfoToTensorInfo(info, &tensor));
    if (tensor != nullptr) read_tensor_info(tensor, type);
  } else if (kind == ONNX_TYPE_SEQUENCE) {
    const OrtSequenceTypeInfo* sequence = nullptr;
    check(api.CastTypeInfoToSequenceTypeInfo(info, &sequence));
    check(api.GetSequenceElementType(sequence, &inner));
  } else if (kind == ONNX_TYPE_MAP) {
    const OrtMapTypeInfo* map = nullptr;
    ONNXTensorElementDataType key = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    check(api.CastTypeInfoToMapTypeInfo(info, &map));
    check(api.GetMapKeyType(map, &key));
    type.data_type = static_cast<DataType>(key);
    check(api.GetMapValueType(map, &inner));
  } else if (kind == ONNX_TYPE_OPTIONAL) {
    const OrtOptionalTypeInfo* optional = nullptr;
    check(api.CastTypeInfoToOptionalTypeInfo(info, &optional));
    check(api.GetOptionalContainedTypeInfo(optional, &inner));
  }
  if (inner != nullptr) type.inner.push_back(read_type(TypeInfo(inner).get()));
  return type;
}

using CountEntry = decltype(&OrtApi::SessionGetInputCount);
using NameEntry = decltype(&OrtApi::SessionGetInputName);
using TypeEntry = decltype(&OrtApi::SessionGetInputTypeInfo);
inline std::vector<InputOutput> read_ports(const OrtSession* session, CountEntry count_of, NameEntry name_of,
                                           TypeEntry type_of) {
  size_t count = 0;
  check((ort_api().*count_of)(session, &count));
  std::vector<InputOutput> list(count);
  for (size_t i = 0; i < count; ++i) {
    char* text = nullptr;
    check((ort_api().*name_of)(session, i, allocator(), &text));
    list[i].name = take(text);
    OrtTypeInfo* info = nullptr;
    check((ort_api().*type_of)(session, i, &info));
    list[i].type = read_type(TypeInfo(info).get());
  }
  return list;
}

}  // namespace detail

inline std::string to_text(const Type& type) {
  const auto inner = [&] { return type.inner.empty() ? std::string("?") : to_text(type.inner[0]); };
  switch (type.kind) {
    case Kind::sequence: return "seq(" + inner() + ")";
    case Kind::map: return "map(" + std::string(name(type.data_type)) + "," + inner() + ")";
    case Kind::optional: return "optional(" + inner() + ")";
    case Kind::opaque: return "opaque";
    case Kind::none: return "?";
    default: break;
  }
  std::string text =
      (type.kind == Kind::sparse_tensor ? "sparse_tensor(" : "tensor(") + std::string(name(type.data_type)) + ")";
  if (!type.has_rank) return text;
  text += '[';
  for (size_t i = 0; i < type.shape.size(); ++i) {
    if (i > 0) text += ',';
    if (type.shape[i] >= 0) {
      text += std::to_string(type.shape[i]);
    } else {
      text += i < type.symbols.size() && !type.symbols[i].empty() ? type.symbols[i] : "?";
    }
  }
  return text + ']';
}

// ---- Value ----

inline Value Value::allocate(DataType type, const Shape& shape) {
  OrtValue* value = nullptr;
  check(ort_api().CreateTensorAsOrtValue(detail::allocator(), shape.data(), shape.size(),
                                         static_cast<ONNXTensorElementDataType>(type), &value));
  return Value(value);
}

inline Value Value::from_bytes(DataType type, std::span<const std::byte> bytes, const Shape& shape) {
  Value value = allocate(type, shape);
  const auto target = value.mutable_bytes();
  if (target.size() != bytes.size())
    throw Error(ORT_INVALID_ARGUMENT, std::to_string(bytes.size()) + " bytes are given, the type and shape take " +
                                          std::to_string(target.size()));
  std::copy(bytes.begin(), bytes.end(), target.begin());
  return value;
}

template <Element T>
Value Value::tensor(std::span<const std::type_identity_t<T>> elements, const Shape& shape) {
  detail::check_count(elements.size(), shape);
  return from_bytes(data_type_of<T>(), std::as_bytes(elements), shape);
}

template <Element T>
Value Value::borrow(std::span<T> elements, const Shape& shape) {
  detail::check_count(elements.size(), shape);
  return Value(detail::wrap(data_type_of<T>(), elements.data(), elements.size_bytes(), shape));
}

inline Value Value::strings(std::span<const std::string> elements, const Shape& shape) {
  detail::check_count(elements.size(), shape);
  Value value = allocate(DataType::string, shape);
  for (size_t i = 0; i < elements.size(); ++i) {
    char* buffer = nullptr;
    check(ort_api().GetResizedStringTensorElementBuffer(value.handle(), i, elements[i].size(), &buffer));
    elements[i].copy(buffer, elements[i].size());
  }
  return value;
}

inline Value Value::sequence(std::span<const Value> elements) {
  std::vector<const OrtValue*> handles;
  for (const Value& element : elements) handles.push_back(element.handle());
  OrtValue* value = nullptr;
  check(ort_api().CreateValue(handles.data(), handles.size(), ONNX_TYPE_SEQUENCE, &value));
  return Value(value);
}

inline Value Value::map(const Value& keys, const Value& values) {
  const OrtValue* const handles[] = {keys.handle(), values.handle()};
  OrtValue* value = nullptr;
  check(ort_api().CreateValue(handles, 2, ONNX_TYPE_MAP, &value));
  return Value(value);
}

inline Value Value::from_proto(std::string_view bytes, Kind kind) {
  OrtValue* value = nullptr;
  check(sdx_api().value_from_proto(bytes.data(), bytes.size(), static_cast<ONNXType>(kind), &value));
  return Value(value);
}

inline std::string Value::to_proto(const std::string& name) const {
  SdxBuffer buffer{};
  check(sdx_api().value_to_proto(handle(), name.c_str(), &buffer));
  return detail::take(buffer);
}

inline Kind Value::kind() const {
  if (!defined()) return Kind::none;
  ONNXType type = ONNX_TYPE_UNKNOWN;
  check(ort_api().GetValueType(handle(), &type));
  return static_cast<Kind>(type);
}

inline bool Value::has_value() const {
  int answer = 0;
  if (defined()) check(ort_api().HasValue(handle(), &answer));
  return answer != 0;
}

inline Type Value::type() const {
  OrtTypeInfo* info = nullptr;
  check(ort_api().GetTypeInfo(handle(), &info));
  return detail::read_type(detail::TypeInfo(info).get());
}

inline DataType Value::data_type() const {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  const int64_t* dims = nullptr;
  size_t rank = 0;
  check(ort_api().GetTensorElementTypeAndShapeDataReference(handle(), &type, &dims, &rank));
  return static_cast<DataType>(type);
}

inline Shape Value::shape() const {
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  const int64_t* dims = nullptr;
  size_t rank = 0;
  check(ort_api().GetTensorElementTypeAndShapeDataReference(handle(), &type, &dims, &rank));
  return {dims, dims + rank};
}

inline size_t Value::count() const { return detail::count_of(shape()); }

inline std::span<const std::byte> Value::bytes() const {
  const void* data = nullptr;
  size_t size = 0;
  check(ort_api().GetTensorData(handle(), &data));
  check(ort_api().GetTensorSizeInBytes(handle(), &size));
  return {static_cast<const std::byte*>(data), size};
}

inline std::span<std::byte> Value::mutable_bytes() {
  void* data = nullptr;
  size_t size = 0;
  check(ort_api().GetTensorMutableData(handle(), &data));
  check(ort_api().GetTensorSizeInBytes(handle(), &size));
  return {static_cast<std::byte*>(data), size};
}

template <Element T>
std::span<const T> Value::values() const {
  if (const DataType found = data_type(); found != data_type_of<T>())
    throw Error(ORT_INVALID_ARGUMENT, "the tensor holds " + std::string(name(found)) + ", " +
                                          std::string(name(data_type_of<T>())) + " is wanted");
  return {reinterpret_cast<const T*>(bytes().data()), count()};
}

template <Element T>
std::span<T> Value::mutable_values() {
  const auto elements = values<T>();
  return {const_cast<T*>(elements.data()), elements.size()};
}

inline std::vector<std::string> Value::strings() const {
  size_t bytes = 0;
  check(ort_api().GetStringTensorDataLength(handle(), &bytes));
  std::vector<size_t> offsets(count());
  std::string characters(bytes, '\0');
  check(ort_api().GetStringTensorContent(handle(), characters.data(), bytes, offsets.data(), offsets.size()));
  std::vector<std::string> elements;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const size_t end = i + 1 < offsets.size() ? offsets[i + 1] : bytes;
    elements.push_back(characters.substr(offsets[i], end - offsets[i]));
  }
  return elements;
}

inline std::vector<double> Value::to_doubles() const {
  const bool complex = data_type() == DataType::c64 || data_type() == DataType::c128;
  std::vector<double> elements(count() * (complex ? 2 : 1));
  check(sdx_api().value_to_doubles(handle(), elements.data(), elements.size()));
  return elements;
}

inline size_t Value::size() const {
  size_t count = 0;
  check(ort_api().GetValueCount(handle(), &count));
  return count;
}

inline Value Value::at(size_t index) const {
  OrtValue* part = nullptr;
  check(ort_api().GetValue(handle(), static_cast<int>(index), detail::allocator(), &part));
  return Value(part);
}

// ---- Environment, options ----

inline Environment::Environment(OrtLoggingLevel lowest, const std::string& log_id) {
  OrtEnv* handle = nullptr;
  check(ort_api().CreateEnv(lowest, log_id.c_str(), &handle));
  handle_.reset(handle);
}
inline Environment::Environment(OrtLoggingFunction function, void* param, OrtLoggingLevel lowest,
                                const std::string& log_id) {
  OrtEnv* handle = nullptr;
  check(ort_api().CreateEnvWithCustomLogger(function, param, lowest, log_id.c_str(), &handle));
  handle_.reset(handle);
}
inline Environment& Environment::shared() {
  static Environment environment;
  return environment;
}

inline SessionOptions::SessionOptions() {
  OrtSessionOptions* handle = nullptr;
  check(ort_api().CreateSessionOptions(&handle));
  handle_.reset(handle);
}
inline SessionOptions& SessionOptions::threads(int count) {
  check(ort_api().SetIntraOpNumThreads(handle(), count));
  return *this;
}
inline SessionOptions& SessionOptions::optimization(GraphOptimizationLevel level) {
  check(ort_api().SetSessionGraphOptimizationLevel(handle(), level));
  return *this;
}
inline SessionOptions& SessionOptions::config(const std::string& key, const std::string& value) {
  check(ort_api().AddSessionConfigEntry(handle(), key.c_str(), value.c_str()));
  return *this;
}
inline SessionOptions& SessionOptions::free_dimension(const std::string& symbol, int64_t value) {
  check(ort_api().AddFreeDimensionOverrideByName(handle(), symbol.c_str(), value));
  return *this;
}
inline SessionOptions& SessionOptions::log_severity(OrtLoggingLevel lowest) {
  check(ort_api().SetSessionLogSeverityLevel(handle(), static_cast<int>(lowest)));
  return *this;
}
inline SessionOptions& SessionOptions::log_id(const std::string& id) {
  check(ort_api().SetSessionLogId(handle(), id.c_str()));
  return *this;
}
inline SessionOptions& SessionOptions::provider(const std::string& name,
                                                const std::map<std::string, std::string>& options) {
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  check(
      ort_api().SessionOptionsAppendExecutionProvider(handle(), name.c_str(), keys.data(), values.data(), keys.size()));
  return *this;
}
inline SessionOptions& SessionOptions::profile(const std::string& file_prefix) {
  check(ort_api().EnableProfiling(handle(), file_prefix.c_str()));
  return *this;
}
inline SessionOptions& SessionOptions::optimized_model_path(const std::string& path) {
  check(ort_api().SetOptimizedModelFilePath(handle(), path.c_str()));
  return *this;
}

inline RunOptions::RunOptions() {
  OrtRunOptions* handle = nullptr;
  check(ort_api().CreateRunOptions(&handle));
  handle_.reset(handle);
}
inline RunOptions& RunOptions::tag(const std::string& text) {
  check(ort_api().RunOptionsSetRunTag(handle(), text.c_str()));
  return *this;
}
inline RunOptions& RunOptions::config(const std::string& key, const std::string& value) {
  check(ort_api().AddRunConfigEntry(handle(), key.c_str(), value.c_str()));
  return *this;
}
inline RunOptions& RunOptions::profile(const std::string& file_prefix) {
  check(ort_api().RunOptionsEnableProfiling(handle(), file_prefix.c_str()));
  return *this;
}
inline RunOptions& RunOptions::time_limit(std::chrono::nanoseconds limit) {
  check(sdx_api().run_options_set_time_limit(handle(), static_cast<uint64_t>(limit.count())));
  return *this;
}
inline RunOptions& RunOptions::priority(int value) {
  check(sdx_api().run_options_set_priority(handle(), value));
  return *this;
}
inline RunOptions& RunOptions::poll(std::function<bool()> go_on) {
  poll_ = std::make_unique<std::function<bool()>>(std::move(go_on));
  const SdxPollFunction call = [](void* param) {
    return static_cast<int>((*static_cast<std::function<bool()>*>(param))());
  };
  check(sdx_api().run_options_set_poll(handle(), *poll_ ? call : nullptr, poll_.get()));
  return *this;
}
inline void RunOptions::terminate() { check(ort_api().RunOptionsSetTerminate(handle())); }
inline void RunOptions::unset_terminate() { check(ort_api().RunOptionsUnsetTerminate(handle())); }

// ---- Session ----

inline Session::Session(OrtSession* handle) : handle_(handle) {
  inputs_ = detail::read_ports(handle, &OrtApi::SessionGetInputCount, &OrtApi::SessionGetInputName,
                               &OrtApi::SessionGetInputTypeInfo);
  overridable_ = detail::read_ports(handle, &OrtApi::SessionGetOverridableInitializerCount,
                                    &OrtApi::SessionGetOverridableInitializerName,
                                    &OrtApi::SessionGetOverridableInitializerTypeInfo);
  outputs_ = detail::read_ports(handle, &OrtApi::SessionGetOutputCount, &OrtApi::SessionGetOutputName,
                                &OrtApi::SessionGetOutputTypeInfo);
  for (const InputOutput& output : outputs_) output_names_.push_back(output.name);
}

inline Session::Session(const std::string& path, const SessionOptions& options, const Environment& environment)
    : Session([&] {
        OrtSession* handle = nullptr;
        check(ort_api().CreateSession(environment.handle(), path.c_str(), options.handle(), &handle));
        return handle;
      }()) {}

inline Session Session::from_bytes(std::span<const std::byte> bytes, const SessionOptions& options,
                                   const Environment& environment) {
  OrtSession* handle = nullptr;
  check(ort_api().CreateSessionFromArray(environment.handle(), bytes.data(), bytes.size(), options.handle(), &handle));
  return Session(handle);
}

inline std::string Session::plan_memory(const std::map<std::string, int64_t>& numbers) const {
  std::vector<const char*> names;
  std::vector<int64_t> given;
  for (const auto& [name, number] : numbers) {
    names.push_back(name.c_str());
    given.push_back(number);
  }
  SdxBuffer buffer{};
  check(sdx_api().plan_memory(handle(), names.data(), given.data(), names.size(), &buffer));
  return detail::take(buffer);
}

inline std::string Session::plan_statistics() const {
  SdxBuffer buffer{};
  check(sdx_api().plan_statistics(handle(), &buffer));
  return detail::take(buffer);
}

inline std::string Session::explain() const {
  SdxBuffer buffer{};
  check(sdx_api().explain(handle(), &buffer));
  return detail::take(buffer);
}

inline void Session::replace_weights(std::span<const Input> weights) {
  std::vector<const char*> names;
  std::vector<const OrtValue*> values;
  for (const Input& weight : weights) {
    names.push_back(weight.name.c_str());
    values.push_back(weight.value->handle());
  }
  check(sdx_api().replace_weights(handle(), names.data(), values.data(), names.size()));
}

inline Metadata Session::metadata() const {
  const OrtApi& api = ort_api();
  OrtModelMetadata* handle = nullptr;
  check(api.SessionGetModelMetadata(this->handle(), &handle));
  const detail::Handle<OrtModelMetadata, &OrtApi::ReleaseModelMetadata> owner(handle);
  OrtAllocator* const memory = detail::allocator();
  const auto text = [&](auto entry) {
    char* value = nullptr;
    check((api.*entry)(handle, memory, &value));
    return detail::take(value);
  };
  Metadata metadata;
  metadata.producer_name = text(&OrtApi::ModelMetadataGetProducerName);
  metadata.graph_name = text(&OrtApi::ModelMetadataGetGraphName);
  metadata.domain = text(&OrtApi::ModelMetadataGetDomain);
  metadata.description = text(&OrtApi::ModelMetadataGetDescription);
  metadata.graph_description = text(&OrtApi::ModelMetadataGetGraphDescription);
  check(api.ModelMetadataGetVersion(handle, &metadata.version));
  char** keys = nullptr;
  int64_t count = 0;
  check(api.ModelMetadataGetCustomMetadataMapKeys(handle, memory, &keys, &count));
  for (int64_t i = 0; i < count; ++i) {
    const std::string key = detail::take(keys[i]);
    char* value = nullptr;
    check(api.ModelMetadataLookupCustomMetadataMap(handle, memory, key.c_str(), &value));
    metadata.custom[key] = detail::take(value);
  }
  if (keys != nullptr) check(api.AllocatorFree(memory, keys));
  return metadata;
}

inline std::vector<Value> Session::run(std::span<const Input> inputs, std::span<const std::string> output_names,
                                       const RunOptions* options) const {
  if (output_names.empty()) output_names = output_names_;
  std::vector<Value> outputs(output_names.size());
  run_into(inputs, output_names, outputs, options);
  return outputs;
}

inline std::vector<Value> Session::run(std::initializer_list<Input> inputs,
                                       std::initializer_list<std::string> output_names,
                                       const RunOptions* options) const {
  return run(std::span<const Input>(inputs.begin(), inputs.size()),
             std::span<const std::string>(output_names.begin(), output_names.size()), options);
}

inline void Session::run_into(std::span<const Input> inputs, std::span<const std::string> output_names,
                              std::span<Value> outputs, const RunOptions* options) const {
  if (outputs.size() != output_names.size())
    throw Error(ORT_INVALID_ARGUMENT, std::to_string(outputs.size()) + " values are given for " +
                                          std::to_string(output_names.size()) + " outputs");
  std::vector<const char*> names;
  std::vector<const OrtValue*> values;
  for (const Input& input : inputs) {
    names.push_back(input.name.c_str());
    values.push_back(input.value->handle());
  }
  const auto wanted = detail::c_texts(output_names);
  std::vector<OrtValue*> results;
  for (const Value& output : outputs) results.push_back(output.handle());
  check(ort_api().Run(handle(), options == nullptr ? nullptr : options->handle(), names.data(), values.data(),
                      names.size(), wanted.data(), wanted.size(), results.data()));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i].defined()) outputs[i] = Value(results[i]);
}

inline std::string Session::inspect() const {
  const SdxModelSource source{nullptr, nullptr, 0, handle()};
  SdxBuffer buffer{};
  check(sdx_api().inspect(&source, nullptr, &buffer));
  return detail::take(buffer);
}
inline std::string Session::dump_graph() const {
  const SdxModelSource source{nullptr, nullptr, 0, handle()};
  SdxBuffer buffer{};
  check(sdx_api().dump_graph(&source, nullptr, &buffer));
  return detail::take(buffer);
}
inline std::string Session::end_profiling() {
  char* file = nullptr;
  check(ort_api().SessionEndProfiling(handle(), detail::allocator(), &file));
  return detail::take(file);
}

// ---- Without a session ----

inline std::string version() { return sdx_api().product_version(); }
inline std::string passes() {
  SdxBuffer buffer{};
  check(sdx_api().passes(&buffer));
  return detail::take(buffer);
}

inline std::string knobs() {
  SdxBuffer buffer{};
  check(sdx_api().knobs(&buffer));
  return detail::take(buffer);
}
inline std::string operators() {
  SdxBuffer buffer{};
  check(sdx_api().operators(&buffer));
  return detail::take(buffer);
}
inline std::string inspect(const std::string& path, const SessionOptions& options) {
  const SdxModelSource source{path.c_str(), nullptr, 0, nullptr};
  SdxBuffer buffer{};
  check(sdx_api().inspect(&source, options.handle(), &buffer));
  return detail::take(buffer);
}
inline std::string dump_graph(const std::string& path, const SessionOptions& options) {
  const SdxModelSource source{path.c_str(), nullptr, 0, nullptr};
  SdxBuffer buffer{};
  check(sdx_api().dump_graph(&source, options.handle(), &buffer));
  return detail::take(buffer);
}

}  // namespace sardonyx
