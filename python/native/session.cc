// Sessions: loading, running, and what a model says about itself.

#include <array>

#include "devices.h"
#include "numpy_arrays.h"
#include "options.h"

namespace sardonyx::python {
namespace {

// An input as a feed names it.
struct Port {
  nb::str name;
  const char* text;
  const Type* type;
  bool required;
};

// A list of a few in place, of more on the heap.
template <typename T, size_t kFew>
class Few {
 public:
  explicit Few(size_t count) : many_(count > kFew ? count : 0), items_(many_.empty() ? few_.data() : many_.data()) {}
  Few(const Few&) = delete;
  Few& operator=(const Few&) = delete;
  void push_back(T item) { items_[size_++] = std::move(item); }
  T& back() { return items_[size_ - 1]; }
  T* data() { return items_; }
  size_t size() const { return size_; }
  std::span<T> all() { return {items_, size_}; }

 private:
  std::array<T, kFew> few_{};
  std::vector<T> many_;
  T* items_;
  size_t size_ = 0;
};

class PySession {
 public:
  PySession(OrtSession* taken, nb::object options);
  OrtSession* handle() const { return handle_.get(); }

  nb::list run(nb::object output_names, nb::object feed, const PyRunOptions* options) const;
  // `outputs`: values to write into, or None. Returns the values in that order.
  nb::list run_values(nb::dict feed, const std::vector<std::string>& output_names, nb::list outputs,
                      const PyRunOptions* options) const;
  const std::vector<InputOutput>& inputs() const { return inputs_; }
  const std::vector<InputOutput>& outputs() const { return outputs_; }
  const std::vector<InputOutput>& overridable() const { return overridable_; }

 private:
  // What a run is given. `values` point into `made` where Python did not hold them already.
  struct Request {
    explicit Request(size_t count) : names(count), values(count), made(count) {}
    Few<const char*, 4> names;
    Few<const OrtValue*, 4> values;
    Few<HeldValue, 4> made;
    std::vector<nb::object> kept;
  };
  void check_complete(nb::handle feed) const;
  const Port& find(PyObject* name) const;
  void read_feed(nb::handle feed, Request& request) const;
  void read_entries(nb::handle feed, Request& request) const;
  void run(Request& request, std::span<const char* const> output_names, std::span<OrtValue*> results,
           const PyRunOptions* options) const;

  detail::Handle<OrtSession, &OrtApi::ReleaseSession> handle_;
  nb::object options_;  // keeps memory that was lent to the session
  std::vector<InputOutput> inputs_, overridable_, outputs_;
  std::vector<const char*> all_outputs_;
  std::vector<Port> ports_;
};

nb::str interned(const std::string& text) {
  PyObject* name = PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  if (name == nullptr) throw nb::python_error();
  PyUnicode_InternInPlace(&name);
  return nb::steal<nb::str>(name);
}

PySession::PySession(OrtSession* taken, nb::object options) : handle_(taken), options_(std::move(options)) {
  inputs_ = detail::read_ports(taken, &OrtApi::SessionGetInputCount, &OrtApi::SessionGetInputName,
                               &OrtApi::SessionGetInputTypeInfo);
  overridable_ = detail::read_ports(taken, &OrtApi::SessionGetOverridableInitializerCount,
                                    &OrtApi::SessionGetOverridableInitializerName,
                                    &OrtApi::SessionGetOverridableInitializerTypeInfo);
  outputs_ = detail::read_ports(taken, &OrtApi::SessionGetOutputCount, &OrtApi::SessionGetOutputName,
                                &OrtApi::SessionGetOutputTypeInfo);
  for (const auto* ports : {&inputs_, &overridable_})
    for (const InputOutput& port : *ports)
      ports_.push_back({interned(port.name), port.name.c_str(), &port.type, ports == &inputs_});
  for (const InputOutput& output : outputs_) all_outputs_.push_back(output.name.c_str());
}

void PySession::check_complete(nb::handle feed) const {
  nb::list missing;
  for (const Port& port : ports_) {
    if (!port.required) continue;
    const int there = PyDict_Contains(feed.ptr(), port.name.ptr());
    if (there < 0) throw nb::python_error();
    if (there == 0) missing.append(port.name);
  }
  if (nb::len(missing) == 0) return;
  const nb::list given(nb::borrow<nb::dict>(feed).keys());
  const std::string text = "Required inputs (" + nb::cast<std::string>(nb::repr(missing)) +
                           ") are missing from input feed (" + nb::cast<std::string>(nb::repr(given)) + ").";
  throw nb::value_error(text.c_str());
}

// Names in feeds are mostly literals, which are interned, too.
const Port& PySession::find(PyObject* name) const {
  for (const Port& port : ports_)
    if (port.name.ptr() == name) return port;
  if (!PyUnicode_Check(name)) throw nb::type_error("the names of a feed are str");
  for (const Port& port : ports_)
    if (PyUnicode_Compare(port.name.ptr(), name) == 0) return port;
  fail(ORT_INVALID_ARGUMENT, "Invalid input name: " + nb::cast<std::string>(nb::handle(name)));
}

void PySession::read_entries(nb::handle feed, Request& request) const {
  Py_ssize_t place = 0;
  PyObject *key = nullptr, *object = nullptr;
  size_t required = 0;
  while (PyDict_Next(feed.ptr(), &place, &key, &object) != 0) {
    const Port& port = find(key);
    required += port.required ? 1 : 0;
    DataType type{};
    const DataType wanted = port.type->kind == Kind::tensor ? port.type->data_type : DataType::undefined;
    if (const NumpyArray* array = plain_array(object, wanted, type); array != nullptr && type == wanted) {
      request.made.push_back(value_over(*array, type, object));
      request.values.push_back(request.made.back().value.handle());
    } else {
      nb::object value = nb::borrow(object);
      if (nb::isinstance(value, types().value_class)) value = value.attr("_ortvalue");
      if (nb::isinstance<HeldValue>(value)) {
        request.values.push_back(nb::cast<HeldValue&>(value).value.handle());
        request.kept.push_back(std::move(value));
      } else {
        request.made.push_back(from_python(value, port.type, port.text));
        request.values.push_back(request.made.back().value.handle());
      }
    }
    request.names.push_back(port.text);
  }
  if (required != inputs_.size()) check_complete(feed);
}

// An input that is missing is said before one that is wrong.
void PySession::read_feed(nb::handle feed, Request& request) const {
  try {
    read_entries(feed, request);
  } catch (const nb::python_error&) {
    throw;
  } catch (const std::exception&) {
    check_complete(feed);
    throw;
  }
}

void PySession::run(Request& request, std::span<const char* const> output_names, std::span<OrtValue*> results,
                    const PyRunOptions* options) const {
  Few<OrtValue*, 8> given(results.size());
  for (OrtValue* result : results) given.push_back(result);
  const RunOptions& run_options = options == nullptr ? default_run_options() : options->options;
  OrtStatus* status = nullptr;
  {
    const nb::gil_scoped_release release;
    status = ort_api().Run(handle(), run_options.handle(), request.names.data(), request.values.data(),
                           request.names.size(), output_names.data(), output_names.size(), results.data());
  }
  if (PyErr_Occurred() == nullptr) return check(status);
  ort_api().ReleaseStatus(status);  // a signal handler raised: its exception counts
  for (size_t i = 0; i < results.size(); ++i)
    if (given.all()[i] == nullptr) ort_api().ReleaseValue(results[i]);
  throw nb::python_error();
}

nb::list PySession::run(nb::object output_names, nb::object feed, const PyRunOptions* options) const {
  if (!PyDict_Check(feed.ptr())) feed = nb::module_::import_("builtins").attr("dict")(feed);
  std::vector<std::string> wanted;
  std::vector<const char*> wanted_names;
  std::span<const char* const> names = all_outputs_;
  if (!output_names.is_none() && nb::len(output_names) > 0) {
    if (PyUnicode_Check(output_names.ptr()))
      throw nb::type_error("output_names is a str; a list of names or None is wanted");
    for (const nb::handle name : output_names) wanted.push_back(nb::cast<std::string>(name));
    wanted_names = detail::c_texts(wanted);
    names = wanted_names;
  }
  Request request(nb::len(feed));
  read_feed(feed, request);
  Few<OrtValue*, 8> results(names.size());
  for (size_t i = 0; i < names.size(); ++i) results.push_back(nullptr);
  run(request, names, results.all(), options);
  Few<Value, 8> values(names.size());
  for (OrtValue* result : results.all()) values.push_back(Value(result));
  nb::list arrays = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(names.size())));
  for (size_t i = 0; i < names.size(); ++i)
    PyList_SET_ITEM(arrays.ptr(), static_cast<Py_ssize_t>(i), to_python(std::move(values.all()[i])).release().ptr());
  return arrays;
}

nb::list PySession::run_values(nb::dict feed, const std::vector<std::string>& output_names, nb::list outputs,
                               const PyRunOptions* options) const {
  Request request(nb::len(feed));
  read_feed(feed, request);
  std::vector<OrtValue*> results;
  for (const nb::handle output : outputs)
    results.push_back(output.is_none() ? nullptr : nb::cast<HeldValue&>(output).value.handle());
  if (results.size() != output_names.size()) fail(ORT_INVALID_ARGUMENT, "as many values as output names are wanted");
  std::vector<OrtValue*> given = results;
  const auto names = detail::c_texts(output_names);
  run(request, names, results, options);
  nb::list values;
  for (size_t i = 0; i < results.size(); ++i) {
    if (given[i] != nullptr) {
      values.append(outputs[i]);
    } else {
      values.append(nb::cast(HeldValue{Value(results[i]), {}}));
    }
  }
  return values;
}

// (name, type, shape); the shape's dimensions are numbers, names or None; the shape of what is no tensor is [].
nb::list describe(const std::vector<InputOutput>& ports) {
  nb::list result;
  for (const InputOutput& port : ports) {
    nb::list shape;
    const Type* type = &port.type;
    if (type->kind == Kind::optional && !type->inner.empty()) type = &type->inner[0];
    for (size_t i = 0; i < type->shape.size(); ++i) {
      if (type->shape[i] >= 0) {
        shape.append(type->shape[i]);
      } else if (!type->symbols[i].empty()) {
        shape.append(type->symbols[i]);
      } else {
        shape.append(nb::none());
      }
    }
    result.append(nb::make_tuple(port.name, type_text(port.type), shape));
  }
  return result;
}

nb::dict metadata(const PySession& self) {
  const OrtApi& api = ort_api();
  OrtModelMetadata* handle = nullptr;
  check(api.SessionGetModelMetadata(self.handle(), &handle));
  const detail::Handle<OrtModelMetadata, &OrtApi::ReleaseModelMetadata> owner(handle);
  OrtAllocator* const memory = detail::allocator();
  nb::dict result;
  const auto read = [&](const char* name, auto entry) {
    char* value = nullptr;
    check((api.*entry)(handle, memory, &value));
    result[name] = detail::take(value);
  };
  read("producer_name", &OrtApi::ModelMetadataGetProducerName);
  read("graph_name", &OrtApi::ModelMetadataGetGraphName);
  read("domain", &OrtApi::ModelMetadataGetDomain);
  read("description", &OrtApi::ModelMetadataGetDescription);
  read("graph_description", &OrtApi::ModelMetadataGetGraphDescription);
  int64_t version = 0;
  check(api.ModelMetadataGetVersion(handle, &version));
  result["version"] = version;
  char** keys = nullptr;
  int64_t count = 0;
  check(api.ModelMetadataGetCustomMetadataMapKeys(handle, memory, &keys, &count));
  nb::dict custom;
  for (int64_t i = 0; i < count; ++i) {
    const std::string key = detail::take(keys[i]);
    char* value = nullptr;
    check(api.ModelMetadataLookupCustomMetadataMap(handle, memory, key.c_str(), &value));
    custom[key.c_str()] = detail::take(value);
  }
  if (keys != nullptr) check(api.AllocatorFree(memory, keys));
  result["custom_metadata_map"] = custom;
  return result;
}

PySession* load_path(const std::string& path, nb::object options) {
  const auto& held = nb::cast<PySessionOptions&>(options);
  OrtSession* session = nullptr;
  OrtStatus* status = nullptr;
  {
    const nb::gil_scoped_release release;
    status = ort_api().CreateSession(environment(), path.c_str(), held.handle.get(), &session);
  }
  check(status);
  return new PySession(session, std::move(options));
}

PySession* load_bytes(nb::object bytes, nb::object options) {
  const auto& held = nb::cast<PySessionOptions&>(options);
  Py_buffer view;
  if (PyObject_GetBuffer(bytes.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
  const std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> owner(&view, PyBuffer_Release);
  OrtSession* session = nullptr;
  OrtStatus* status = nullptr;
  {
    const nb::gil_scoped_release release;
    status = ort_api().CreateSessionFromArray(environment(), view.buf, static_cast<size_t>(view.len), held.handle.get(),
                                              &session);
  }
  check(status);
  return new PySession(session, std::move(options));
}

std::string end_profiling(const PySession& self) {
  char* file = nullptr;
  check(ort_api().SessionEndProfiling(self.handle(), detail::allocator(), &file));
  return detail::take(file);
}

void set_dynamic_options(const PySession& self, const std::map<std::string, std::string>& options) {
  std::vector<const char*> keys, values;
  for (const auto& [key, value] : options) {
    keys.push_back(key.c_str());
    values.push_back(value.c_str());
  }
  check(ort_api().SetEpDynamicOptions(self.handle(), keys.data(), values.data(), keys.size()));
}

std::string session_json(const PySession& self, decltype(SdxApi::plan_statistics) entry) {
  SdxBuffer buffer{};
  check(entry(self.handle(), &buffer));
  return detail::take(buffer);
}

std::string plan_memory(const PySession& self, const std::map<std::string, int64_t>& numbers) {
  std::vector<const char*> names;
  std::vector<int64_t> given;
  for (const auto& [name, number] : numbers) {
    names.push_back(name.c_str());
    given.push_back(number);
  }
  SdxBuffer buffer{};
  check(sdx_api().plan_memory(self.handle(), names.data(), given.data(), names.size(), &buffer));
  return detail::take(buffer);
}

void replace_weights(const PySession& self, nb::dict weights) {
  std::vector<std::string> names;
  std::vector<HeldValue> values;
  for (const auto& [name, value] : weights) {
    names.push_back(nb::cast<std::string>(name));
    values.push_back(from_python(value, nullptr, names.back()));
  }
  std::vector<const OrtValue*> handles;
  for (const HeldValue& value : values) handles.push_back(value.value.handle());
  check(sdx_api().replace_weights(self.handle(), detail::c_texts(names).data(), handles.data(), handles.size()));
}

std::string session_text(const PySession& self, decltype(SdxApi::inspect) entry) {
  const SdxModelSource source{nullptr, nullptr, 0, self.handle()};
  SdxBuffer buffer{};
  check(entry(&source, nullptr, &buffer));
  return detail::take(buffer);
}

}  // namespace

void bind_session(nb::module_& m) {
  nb::class_<PySession>(m, "InferenceSession", "A session of the C interface.")
      .def_static("load_path", load_path, nb::rv_policy::take_ownership)
      .def_static("load_bytes", load_bytes, nb::rv_policy::take_ownership)
      .def("run", nb::overload_cast<nb::object, nb::object, const PyRunOptions*>(&PySession::run, nb::const_),
           nb::arg("output_names").none(), nb::arg("feed"), nb::arg("options").none())
      .def("run_values", &PySession::run_values, nb::arg("feed"), nb::arg("output_names"), nb::arg("outputs"),
           nb::arg("options").none())
      .def("inputs", [](const PySession& self) { return describe(self.inputs()); })
      .def("outputs", [](const PySession& self) { return describe(self.outputs()); })
      .def("overridable", [](const PySession& self) { return describe(self.overridable()); })
      .def("metadata", metadata)
      .def("input_devices", [](const PySession& self) { return ep_devices_of_session(self.handle()); })
      .def("memory_infos",
           [](const PySession& self, bool inputs) { return memory_infos_of_session(self.handle(), inputs); })
      .def("set_dynamic_options", set_dynamic_options)
      .def("explain", [](const PySession& self) { return session_json(self, sdx_api().explain); })
      .def("plan_statistics", [](const PySession& self) { return session_json(self, sdx_api().plan_statistics); })
      .def("plan_memory", plan_memory)
      .def("replace_weights", replace_weights)
      .def("end_profiling", end_profiling)
      .def("profiling_start_ns",
           [](const PySession& self) {
             uint64_t time = 0;
             check(ort_api().SessionGetProfilingStartTimeNs(self.handle(), &time));
             return time;
           })
      .def("inspect", [](const PySession& self) { return session_text(self, sdx_api().inspect); })
      .def("dump_graph", [](const PySession& self) { return session_text(self, sdx_api().dump_graph); });
}

}  // namespace sardonyx::python
