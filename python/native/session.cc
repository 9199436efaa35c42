// Sessions: loading, running, and what a model says about itself.

#include <unordered_map>

#include "options.h"

namespace sardonyx::python {
namespace {

// What the handle lacks: names to types for reading a feed.
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
  struct Request {
    std::vector<std::string> names;
    std::vector<const OrtValue*> values;
    std::vector<HeldValue> made;  // what `values` points to where Python did not hold it already
    nb::list kept;
  };
  void check_complete(nb::handle feed) const;
  Request read_feed(nb::handle feed) const;
  void run(const Request& request, std::span<const char* const> output_names, std::span<OrtValue*> results,
           const PyRunOptions* options) const;

  detail::Handle<OrtSession, &OrtApi::ReleaseSession> handle_;
  nb::object options_;  // keeps memory that was lent to the session
  std::vector<InputOutput> inputs_, overridable_, outputs_;
  std::vector<const char*> all_outputs_;
  std::unordered_map<std::string, const Type*> type_of_;
};

PySession::PySession(OrtSession* taken, nb::object options) : handle_(taken), options_(std::move(options)) {
  inputs_ = detail::read_ports(taken, &OrtApi::SessionGetInputCount, &OrtApi::SessionGetInputName,
                               &OrtApi::SessionGetInputTypeInfo);
  overridable_ = detail::read_ports(taken, &OrtApi::SessionGetOverridableInitializerCount,
                                    &OrtApi::SessionGetOverridableInitializerName,
                                    &OrtApi::SessionGetOverridableInitializerTypeInfo);
  outputs_ = detail::read_ports(taken, &OrtApi::SessionGetOutputCount, &OrtApi::SessionGetOutputName,
                                &OrtApi::SessionGetOutputTypeInfo);
  for (const auto* ports : {&inputs_, &overridable_})
    for (const InputOutput& port : *ports) type_of_.emplace(port.name, &port.type);
  for (const InputOutput& output : outputs_) all_outputs_.push_back(output.name.c_str());
}

void PySession::check_complete(nb::handle feed) const {
  nb::list missing;
  for (const InputOutput& input : inputs_) {
    const int there = PyDict_Contains(feed.ptr(), nb::str(input.name.data(), input.name.size()).ptr());
    if (there < 0) throw nb::python_error();
    if (there == 0) missing.append(input.name);
  }
  if (nb::len(missing) == 0) return;
  const nb::list given(nb::borrow<nb::dict>(feed).keys());
  const std::string text = "Required inputs (" + nb::cast<std::string>(nb::repr(missing)) +
                           ") are missing from input feed (" + nb::cast<std::string>(nb::repr(given)) + ").";
  throw nb::value_error(text.c_str());
}

PySession::Request PySession::read_feed(nb::handle feed) const {
  Request request;
  request.made.reserve(nb::len(feed));
  for (const auto& [key, object] : nb::borrow<nb::dict>(feed)) {
    const auto name = nb::cast<std::string>(key);
    const auto found = type_of_.find(name);
    if (found == type_of_.end()) fail(ORT_INVALID_ARGUMENT, "Invalid input name: " + name);
    nb::object value = nb::borrow(object);
    if (nb::isinstance(value, types().value_class)) value = value.attr("_ortvalue");
    if (nb::isinstance<HeldValue>(value)) {
      request.values.push_back(nb::cast<HeldValue&>(value).value.handle());
      request.kept.append(value);
    } else {
      request.made.push_back(from_python(value, found->second, name));
      request.values.push_back(request.made.back().value.handle());
    }
    request.names.push_back(name);
  }
  return request;
}

void PySession::run(const Request& request, std::span<const char* const> output_names, std::span<OrtValue*> results,
                    const PyRunOptions* options) const {
  const auto names = detail::c_texts(request.names);
  const std::vector<OrtValue*> given(results.begin(), results.end());
  const RunOptions& run_options = options == nullptr ? default_run_options() : options->options;
  OrtStatus* status = nullptr;
  {
    const nb::gil_scoped_release release;
    status = ort_api().Run(handle(), run_options.handle(), names.data(), request.values.data(), names.size(),
                           output_names.data(), output_names.size(), results.data());
  }
  if (PyErr_Occurred() == nullptr) return check(status);
  ort_api().ReleaseStatus(status);  // a signal handler raised: its exception counts
  for (size_t i = 0; i < results.size(); ++i)
    if (given[i] == nullptr) ort_api().ReleaseValue(results[i]);
  throw nb::python_error();
}

nb::list PySession::run(nb::object output_names, nb::object feed, const PyRunOptions* options) const {
  if (!PyDict_Check(feed.ptr())) feed = nb::module_::import_("builtins").attr("dict")(feed);
  check_complete(feed);
  std::vector<std::string> wanted;
  std::vector<const char*> wanted_names = all_outputs_;
  if (!output_names.is_none() && nb::len(output_names) > 0) {
    if (PyUnicode_Check(output_names.ptr()))
      throw nb::type_error("output_names is a str; a list of names or None is wanted");
    for (const nb::handle name : output_names) wanted.push_back(nb::cast<std::string>(name));
    wanted_names = detail::c_texts(wanted);
  }
  const Request request = read_feed(feed);
  std::vector<OrtValue*> results(wanted_names.size());
  run(request, wanted_names, results, options);
  std::vector<Value> values;
  for (OrtValue* result : results) values.emplace_back(result);
  nb::list arrays;
  for (Value& value : values) arrays.append(to_python(std::move(value)));
  return arrays;
}

nb::list PySession::run_values(nb::dict feed, const std::vector<std::string>& output_names, nb::list outputs,
                               const PyRunOptions* options) const {
  const Request request = read_feed(feed);
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
    status = ort_api().CreateSession(environment().handle(), path.c_str(), held.handle.get(), &session);
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
    status = ort_api().CreateSessionFromArray(environment().handle(), view.buf, static_cast<size_t>(view.len),
                                              held.handle.get(), &session);
  }
  check(status);
  return new PySession(session, std::move(options));
}

std::string end_profiling(const PySession& self) {
  char* file = nullptr;
  check(ort_api().SessionEndProfiling(self.handle(), detail::allocator(), &file));
  return detail::take(file);
}

std::string session_text(const PySession& self, decltype(SdxApi::inspect) entry) {
  const SdxModelSource source{nullptr, nullptr, 0, self.handle()};
  SdxBuffer buffer{};
  check(entry(&source, nullptr, &buffer));
  return detail::take(buffer);
}

std::string explain(const PySession& self) {
  SdxBuffer buffer{};
  check(sdx_api().explain(self.handle(), &buffer));
  return detail::take(buffer);
}

}  // namespace

void bind_session(nb::module_& m) {
  nb::class_<PySession>(m, "Session")
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
      .def("end_profiling", end_profiling)
      .def("profiling_start_ns",
           [](const PySession& self) {
             uint64_t time = 0;
             check(ort_api().SessionGetProfilingStartTimeNs(self.handle(), &time));
             return time;
           })
      .def("explain", explain)
      .def("inspect", [](const PySession& self) { return session_text(self, sdx_api().inspect); })
      .def("dump_graph", [](const PySession& self) { return session_text(self, sdx_api().dump_graph); });
}

}  // namespace sardonyx::python
