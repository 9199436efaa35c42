// Sardonyx for C++20: a header over the C tables of onnxruntime_c_api.h and sardonyx.h. Link libsardonyx.
//
//   sardonyx::Session session("model.onnx");
//   const auto x = sardonyx::Value::tensor<float>(pixels, {1, 3, 224, 224});
//   const auto outputs = session.run({{"x", x}});
//   std::span<const float> scores = outputs[0].values<float>();
//
// Every function here may throw Error, but destructors, moves and what is marked noexcept. A Session may run on any
// number of threads at once; other objects are for one thread at a time. Objects that were moved from may only be
// destroyed or assigned to. Shapes are row-major; -1 stands for a dimension without a number.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "onnxruntime_c_api.h"
#include "sardonyx.h"

namespace sardonyx {

using Shape = std::vector<int64_t>;

class Error : public std::runtime_error {
 public:
  Error(OrtErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  OrtErrorCode code() const noexcept { return code_; }

 private:
  OrtErrorCode code_;
};

inline const OrtApi& ort_api() noexcept {
  static const OrtApi* const api = OrtGetApiBase()->GetApi(ORT_API_VERSION);
  return *api;
}
inline const SdxApi& sdx_api() {
  static const SdxApi* const api = SdxGetApi(SDX_API_VERSION);
  if (api == nullptr)
    throw Error(ORT_FAIL, "this libsardonyx is older than the header that the program was built with");
  return *api;
}

// Turns a status of the C tables into an exception, and frees it.
inline void check(OrtStatus* status) {
  if (status == nullptr) [[likely]]
    return;
  const std::unique_ptr<OrtStatus, void (*)(OrtStatus*)> owner(status, ort_api().ReleaseStatus);
  throw Error(ort_api().GetErrorCode(status), ort_api().GetErrorMessage(status));
}

namespace detail {

template <auto release>
struct Releaser {
  template <typename T>
  void operator()(T* handle) const noexcept {
    (ort_api().*release)(handle);
  }
};
template <typename T, auto release>
using Handle = std::unique_ptr<T, Releaser<release>>;

inline OrtAllocator* allocator() {
  OrtAllocator* allocator = nullptr;
  check(ort_api().GetAllocatorWithDefaultOptions(&allocator));
  return allocator;
}

// A text that was allocated for us.
inline std::string take(char* text) {
  std::string copy = text == nullptr ? "" : text;
  if (text != nullptr) check(ort_api().AllocatorFree(allocator(), text));
  return copy;
}
inline std::string take(SdxBuffer buffer) {
  const std::unique_ptr<SdxBuffer, void (*)(SdxBuffer*)> owner(&buffer, sdx_api().release_buffer);
  return {buffer.data, buffer.size};
}

}  // namespace detail

// ---- Types ----

enum class DataType : int {
  undefined = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
  f32 = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
  u8 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8,
  i8 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8,
  u16 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16,
  i16 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16,
  i32 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32,
  i64 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64,
  string = ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING,
  boolean = ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL,
  f16 = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
  f64 = ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE,
  u32 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32,
  u64 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64,
  c64 = ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64,
  c128 = ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128,
  bf16 = ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16,
  f8e4m3fn = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN,
  f8e4m3fnuz = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ,
  f8e5m2 = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2,
  f8e5m2fnuz = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ,
  u4 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4,
  i4 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4,
  f4e2m1 = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1,
  u2 = ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2,
  i2 = ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2,
  f8e8m0 = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0,
};

enum class Kind : int {
  none = ONNX_TYPE_UNKNOWN,
  tensor = ONNX_TYPE_TENSOR,
  sequence = ONNX_TYPE_SEQUENCE,
  map = ONNX_TYPE_MAP,
  opaque = ONNX_TYPE_OPAQUE,
  sparse_tensor = ONNX_TYPE_SPARSETENSOR,
  optional = ONNX_TYPE_OPTIONAL,
};

// Elements of 16 bits, as their bits.
struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

// The standard's name ("float", "int64"), as in "tensor(float)"; "undefined" where there is none.
inline std::string_view name(DataType type) noexcept {
  constexpr std::string_view kNames[] = {
      "undefined", "float",      "uint8",      "int8",         "uint16",         "int16",      "int32",
      "int64",     "string",     "bool",       "float16",      "double",         "uint32",     "uint64",
      "complex64", "complex128", "bfloat16",   "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",     "int4",       "float4e2m1", "uint2",        "int2",           "float8e8m0"};
  const auto index = static_cast<size_t>(type);
  return index < std::size(kNames) ? kNames[index] : kNames[0];
}

// Bits that an element takes in memory; elements below 8 bits are packed, low bits first. 0 for strings.
inline int bits(DataType type) noexcept {
  constexpr uint8_t kBits[] = {0,  32,  8,  8, 16, 16, 32, 64, 0, 8, 16, 64, 32, 64,
                               64, 128, 16, 8, 8,  8,  8,  4,  4, 4, 2,  2,  8};
  const auto index = static_cast<size_t>(type);
  return index < std::size(kBits) ? kBits[index] : 0;
}

template <typename T>
constexpr DataType data_type_of() {
  if constexpr (std::is_same_v<T, float>) return DataType::f32;
  if constexpr (std::is_same_v<T, double>) return DataType::f64;
  if constexpr (std::is_same_v<T, bool>) return DataType::boolean;
  if constexpr (std::is_same_v<T, Float16>) return DataType::f16;
  if constexpr (std::is_same_v<T, BFloat16>) return DataType::bf16;
  if constexpr (std::is_same_v<T, std::string>) return DataType::string;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && !std::is_same_v<T, bool>) {
    constexpr DataType kTypes[] = {DataType::i8, DataType::i16, DataType::i32, DataType::i32, DataType::i64};
    return kTypes[sizeof(T) / 2];
  }
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
    constexpr DataType kTypes[] = {DataType::u8, DataType::u16, DataType::u32, DataType::u32, DataType::u64};
    return kTypes[sizeof(T) / 2];
  }
  return DataType::undefined;
}
template <typename T>
concept Element = data_type_of<T>()
!= DataType::undefined && !std::is_same_v<T, std::string>;

// The type of a value, or of what an input takes.
struct Type {
  Kind kind = Kind::none;
  DataType data_type = DataType::undefined;  // of a tensor's elements or a map's keys
  bool has_rank = false;                     // of a tensor: whether `shape` means anything
  Shape shape;                               // -1: not a number
  std::vector<std::string> symbols;          // as long as `shape`: the name of a dimension, or ""
  std::vector<Type> inner;                   // sequence, optional: the element's; map: the values'
};

// "tensor(float)[batch,3]", "seq(tensor(int64))", "map(string,tensor(float))"; "?" for a dimension nothing is known
// about.
std::string to_text(const Type& type);

struct InputOutput {
  std::string name;
  Type type;
};

// ---- Values ----

// A tensor, or a sequence, map or optional of values. Move-only; owns what it holds unless it was made by borrow.
class Value {
 public:
  Value() = default;                                              // nothing: defined() is false
  explicit Value(OrtValue* handle) noexcept : handle_(handle) {}  // takes it over

  // Copies the elements. Throws where their number is not the shape's.
  template <Element T>
  static Value tensor(std::span<const std::type_identity_t<T>> elements, const Shape& shape);
  // One element, of rank 0.
  template <Element T>
  static Value scalar(T element) {
    return tensor<T>({&element, 1}, {});
  }
  // Memory of the caller's, which must outlive the value and every run that uses it. A run may write it as an output.
  template <Element T>
  static Value borrow(std::span<T> elements, const Shape& shape);
  // Any type but string; `bytes` must be as many as the shape takes. Copies them.
  static Value from_bytes(DataType type, std::span<const std::byte> bytes, const Shape& shape);
  // Uninitialised memory; of strings: empty texts.
  static Value allocate(DataType type, const Shape& shape);
  static Value strings(std::span<const std::string> elements, const Shape& shape);
  // Both share the elements' memory with the values given.
  static Value sequence(std::span<const Value> elements);  // at least one: its type is the elements'
  static Value map(const Value& keys,
                   const Value& values);  // tensors of rank 1: int64 or string to int64, float, double or string
  // A serialized TensorProto, SequenceProto, MapProto, OptionalProto or SparseTensorProto, as `kind` says.
  static Value from_proto(std::string_view bytes, Kind kind = Kind::tensor);
  std::string to_proto(const std::string& name = {}) const;

  bool defined() const noexcept { return handle_ != nullptr; }
  Kind kind() const;
  bool is_tensor() const { return kind() == Kind::tensor; }
  bool has_value() const;  // false: an optional without one
  Type type() const;

  // Of tensors.
  DataType data_type() const;
  Shape shape() const;
  size_t count() const;                      // of elements
  std::span<const std::byte> bytes() const;  // not of strings
  std::span<std::byte> mutable_bytes();
  template <Element T>
  std::span<const T> values() const;  // throws where the tensor has other elements; lives as long as this value
  template <Element T>
  std::span<T> mutable_values();
  std::vector<std::string> strings() const;
  std::vector<double> to_doubles() const;  // any type but string; complex elements as two each

  // Of sequences: the elements. Of maps: 0 keys, 1 values. The parts share memory with this value.
  size_t size() const;
  Value at(size_t index) const;
  Value keys() const { return at(0); }
  Value map_values() const { return at(1); }

  OrtValue* handle() const noexcept { return handle_.get(); }
  OrtValue* release() noexcept { return handle_.release(); }

 private:
  detail::Handle<OrtValue, &OrtApi::ReleaseValue> handle_;
};

// ---- Environment, options ----

// Logging of a process. Sessions use shared() unless they are given another, which must outlive them.
class Environment {
 public:
  explicit Environment(OrtLoggingLevel lowest = ORT_LOGGING_LEVEL_WARNING, const std::string& log_id = "sardonyx");
  // `function` is called from any thread.
  Environment(OrtLoggingFunction function, void* param, OrtLoggingLevel lowest, const std::string& log_id = "sardonyx");
  static Environment& shared();
  OrtEnv* handle() const noexcept { return handle_.get(); }

 private:
  detail::Handle<OrtEnv, &OrtApi::ReleaseEnv> handle_;
};

// Each setter returns the object, so that they chain.
class SessionOptions {
 public:
  SessionOptions();
  SessionOptions& threads(int count);  // 0: the physical cores that are allowed
  SessionOptions& optimization(GraphOptimizationLevel level);
  SessionOptions& config(const std::string& key,
                         const std::string& value);  // "session.strict_shape_type_inference", "1"
  SessionOptions& free_dimension(const std::string& symbol, int64_t value);  // fixes a symbol of the inputs' shapes
  SessionOptions& log_severity(OrtLoggingLevel lowest);
  SessionOptions& log_id(const std::string& id);
  SessionOptions& provider(const std::string& name, const std::map<std::string, std::string>& options = {});
  SessionOptions& profile(const std::string& file_prefix);
  SessionOptions& optimized_model_path(const std::string& path);  // where the optimized model is saved
  OrtSessionOptions* handle() const noexcept { return handle_.get(); }

 private:
  detail::Handle<OrtSessionOptions, &OrtApi::ReleaseSessionOptions> handle_;
};

// May be used by several runs at once; terminate() stops them all, from any thread.
class RunOptions {
 public:
  RunOptions();
  RunOptions& tag(const std::string& text);
  RunOptions& config(const std::string& key, const std::string& value);
  RunOptions& time_limit(std::chrono::nanoseconds limit);
  RunOptions& priority(int value);                      // -1: gives way to other runs, 1: others give way; see SdxApi
  RunOptions& profile(const std::string& file_prefix);  // of the run, where the session has none
  // Called on the thread that runs, now and then; the run stops once it answers false. It must not throw.
  RunOptions& poll(std::function<bool()> go_on);
  void terminate();
  void unset_terminate();
  OrtRunOptions* handle() const noexcept { return handle_.get(); }

 private:
  detail::Handle<OrtRunOptions, &OrtApi::ReleaseRunOptions> handle_;
  std::unique_ptr<std::function<bool()>> poll_;
};

// ---- Sessions ----

struct Metadata {
  std::string producer_name, graph_name, domain, description, graph_description;
  int64_t version = 0;
  std::map<std::string, std::string> custom;
};

class Session {
 public:
  struct Input {
    Input(std::string_view input_name, const Value& input_value) : name(input_name), value(&input_value) {}
    std::string name;
    const Value* value;  // lives until the run ends
  };

  explicit Session(const std::string& path, const SessionOptions& options = {},
                   const Environment& environment = Environment::shared());
  // Reads the bytes during the call only.
  static Session from_bytes(std::span<const std::byte> bytes, const SessionOptions& options = {},
                            const Environment& environment = Environment::shared());

  const std::vector<InputOutput>& inputs() const noexcept { return inputs_; }  // those that a run must be given
  const std::vector<InputOutput>& overridable() const noexcept { return overridable_; }  // those with a default
  const std::vector<InputOutput>& outputs() const noexcept { return outputs_; }
  Metadata metadata() const;

  // What a run needs in memory, as JSON: see SdxApi's plan_memory. `numbers`: of the model's symbols.
  std::string plan_memory(const std::map<std::string, int64_t>& numbers = {}) const;
  // How the session runs, as JSON: see SdxApi's plan_statistics.
  std::string plan_statistics() const;
  // Why the session runs as it does, as JSON: see SdxApi's explain.
  std::string explain() const;
  // Runs that begin afterwards use these weights, all of them; runs that began before finish on the old ones.
  void replace_weights(std::span<const Input> weights);

  // The outputs named, in that order; none named: all. Outputs own their memory.
  std::vector<Value> run(std::span<const Input> inputs, std::span<const std::string> output_names = {},
                         const RunOptions* options = nullptr) const;
  std::vector<Value> run(std::initializer_list<Input> inputs, std::initializer_list<std::string> output_names = {},
                         const RunOptions* options = nullptr) const;
  // The same into `outputs`, as many as there are names: values that are defined are written in place and must fit in
  // type and shape, the others are made.
  void run_into(std::span<const Input> inputs, std::span<const std::string> output_names, std::span<Value> outputs,
                const RunOptions* options = nullptr) const;

  std::string inspect() const;     // JSON, see SdxApi
  std::string dump_graph() const;  // the graph as it runs
  std::string end_profiling();     // the profile's file name, or ""
  OrtSession* handle() const noexcept { return handle_.get(); }

 private:
  explicit Session(OrtSession* handle);
  detail::Handle<OrtSession, &OrtApi::ReleaseSession> handle_;
  std::vector<InputOutput> inputs_, overridable_, outputs_;
  std::vector<std::string> output_names_;
};

// ---- Without a session ----

std::string version();                                                                // of the library: "0.1.0"
std::string passes();                                                                 // JSON, see SdxApi
std::string knobs();                                                                  // JSON, see SdxApi
std::string operators();                                                              // JSON, see SdxApi
std::string inspect(const std::string& path, const SessionOptions& options = {});     // JSON, see SdxApi
std::string dump_graph(const std::string& path, const SessionOptions& options = {});  // the graph as imported

}  // namespace sardonyx

#include "sardonyx_impl.hpp"
