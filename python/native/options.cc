// SessionOptions and RunOptions: entries and libraries go into the handle at once, plain attributes when a session
// loads.
#include "options.h"
#include "devices.h"

#include <array>
#include <optional>

namespace sardonyx::python {
namespace {

// On the thread that runs: lets Python see its signals. A handler that raises (Ctrl-C) stops the run, and its exception
// waits in this thread's state.
int poll_signals(void*) {
  const PyGILState_STATE state = PyGILState_Ensure();
  const int answer = PyErr_CheckSignals() == 0 ? 1 : 0;
  PyGILState_Release(state);
  return answer;
}

struct Attribute {
  const char* name;
  void (*apply)(OrtSessionOptions*, nb::handle);
};

int integer(nb::handle value) { return nb::cast<int>(nb::int_(value)); }
std::string text(nb::handle value) { return nb::cast<std::string>(value); }
bool truth(nb::handle value) { return nb::cast<bool>(value); }

constexpr std::array kAttributes{
    Attribute{"enable_cpu_mem_arena",
              [](OrtSessionOptions* options, nb::handle value) {
                check(truth(value) ? ort_api().EnableCpuMemArena(options) : ort_api().DisableCpuMemArena(options));
              }},
    Attribute{"enable_mem_pattern",
              [](OrtSessionOptions* options, nb::handle value) {
                check(truth(value) ? ort_api().EnableMemPattern(options) : ort_api().DisableMemPattern(options));
              }},
    Attribute{"execution_mode",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetSessionExecutionMode(options, static_cast<ExecutionMode>(integer(value))));
              }},
    Attribute{"graph_optimization_level",
              [](OrtSessionOptions* options, nb::handle value) {
                const auto level = static_cast<GraphOptimizationLevel>(integer(value));
                check(ort_api().SetSessionGraphOptimizationLevel(options, level));
              }},
    Attribute{"inter_op_num_threads",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetInterOpNumThreads(options, integer(value)));
              }},
    Attribute{"intra_op_num_threads",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetIntraOpNumThreads(options, integer(value)));
              }},
    Attribute{"log_severity_level",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetSessionLogSeverityLevel(options, integer(value)));
              }},
    Attribute{"log_verbosity_level",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetSessionLogVerbosityLevel(options, integer(value)));
              }},
    Attribute{"logid", [](OrtSessionOptions* options,
                          nb::handle value) { check(ort_api().SetSessionLogId(options, text(value).c_str())); }},
    Attribute{"optimized_model_filepath",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetOptimizedModelFilePath(options, text(value).c_str()));
              }},
    Attribute{"profile_file_prefix",  // given only where profiling is on
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().EnableProfiling(options, text(value).c_str()));
              }},
    Attribute{"use_deterministic_compute",
              [](OrtSessionOptions* options, nb::handle value) {
                check(ort_api().SetDeterministicCompute(options, truth(value)));
              }},
    Attribute{"use_per_session_threads",
              [](OrtSessionOptions* options, nb::handle value) {
                if (!truth(value)) check(ort_api().DisablePerSessionThreads(options));
              }},
};

void set_attribute(PySessionOptions& self, const std::string& name, nb::handle value) {
  const auto found = std::ranges::find_if(kAttributes, [&](const Attribute& a) { return name == a.name; });
  if (found == kAttributes.end()) fail(ORT_INVALID_ARGUMENT, "session options have no attribute " + name);
  found->apply(self.handle.get(), value);
}

std::optional<std::string> config(const PySessionOptions& self, const std::string& key) {
  int there = 0;
  check(ort_api().HasSessionConfigEntry(self.handle.get(), key.c_str(), &there));
  if (there == 0) return std::nullopt;
  size_t size = 0;
  check(ort_api().GetSessionConfigEntry(self.handle.get(), key.c_str(), nullptr, &size));
  std::string value(size, '\0');
  check(ort_api().GetSessionConfigEntry(self.handle.get(), key.c_str(), value.data(), &size));
  value.resize(size > 0 ? size - 1 : 0);  // the 0 at the end is counted
  return value;
}

void add_provider(PySessionOptions& self, const std::string& name, nb::dict options) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : options) {
    texts.push_back(text(nb::str(nb::handle(key))));
    texts.push_back(text(nb::str(nb::handle(value))));
  }
  std::vector<const char*> keys, values;
  for (size_t i = 0; i < texts.size(); i += 2) {
    keys.push_back(texts[i].c_str());
    values.push_back(texts[i + 1].c_str());
  }
  check(ort_api().SessionOptionsAppendExecutionProvider(self.handle.get(), name.c_str(), keys.data(), values.data(),
                                                        keys.size()));
}

// Adds them to a copy: whether the library takes them.
void check_devices(const PySessionOptions& self, const std::vector<PyEpDevice>& devices, const nb::dict& options) {
  OrtSessionOptions* handle = nullptr;
  check(ort_api().CloneSessionOptions(self.handle.get(), &handle));
  const SessionOptionsHandle copy(handle);
  std::vector<const OrtEpDevice*> handles;
  for (const PyEpDevice& device : devices) handles.push_back(device.handle);
  std::vector<std::string> texts;
  for (const auto& [key, value] : options) {
    texts.push_back(text(nb::handle(key)));
    texts.push_back(text(nb::handle(value)));
  }
  std::vector<const char*> keys, values;
  for (size_t i = 0; i < texts.size(); i += 2) {
    keys.push_back(texts[i].c_str());
    values.push_back(texts[i + 1].c_str());
  }
  check(ort_api().SessionOptionsAppendExecutionProvider_V2(handle, environment(), handles.data(), handles.size(),
                                                           keys.data(), values.data(), keys.size()));
}

void add_external_initializers(PySessionOptions& self, const std::vector<std::string>& names, nb::list values) {
  std::vector<const OrtValue*> handles;
  for (const nb::handle value : values) handles.push_back(nb::cast<HeldValue&>(value).value.handle());
  check(ort_api().AddExternalInitializers(self.handle.get(), detail::c_texts(names).data(), handles.data(),
                                          names.size()));
  self.owners.append(values);
}

void add_files_in_memory(PySessionOptions& self, const std::vector<std::string>& names, nb::list contents) {
  std::vector<char*> data;
  std::vector<size_t> sizes;
  for (const nb::handle content : contents) {
    Py_buffer view;
    if (PyObject_GetBuffer(content.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
    data.push_back(static_cast<char*>(view.buf));
    sizes.push_back(static_cast<size_t>(view.len));
    PyBuffer_Release(&view);  // the object is kept below
  }
  check(ort_api().AddExternalInitializersFromFilesInMemory(self.handle.get(), detail::c_texts(names).data(),
                                                           data.data(), sizes.data(), names.size()));
  self.owners.append(contents);
}

PySessionOptions clone(const PySessionOptions& self) {
  OrtSessionOptions* handle = nullptr;
  check(ort_api().CloneSessionOptions(self.handle.get(), &handle));
  PySessionOptions copy(handle);
  copy.owners.append(self.owners);
  return copy;
}

void set_terminate(PyRunOptions& self, bool value) {
  value ? self.options.terminate() : self.options.unset_terminate();
  self.terminate = value;
}

std::optional<std::string> run_config(const PyRunOptions& self, const std::string& key) {
  const char* const value = ort_api().GetRunConfigEntry(self.options.handle(), key.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

PySessionOptions::PySessionOptions() {
  OrtSessionOptions* created = nullptr;
  check(ort_api().CreateSessionOptions(&created));
  handle.reset(created);
}

PyRunOptions::PyRunOptions() { check(sdx_api().run_options_set_poll(options.handle(), poll_signals, nullptr)); }

const RunOptions& default_run_options() {
  static const PyRunOptions& options = *new PyRunOptions();
  return options.options;
}

void bind_options(nb::module_& m) {
  nb::class_<PySessionOptions>(m, "SessionOptions")
      .def(nb::init<>())
      .def("clone", clone)
      .def("set", set_attribute)
      .def("config", config)
      .def("add_config",
           [](PySessionOptions& self, const std::string& key, const std::string& value) {
             check(ort_api().AddSessionConfigEntry(self.handle.get(), key.c_str(), value.c_str()));
           })
      .def("free_dimension_by_name",
           [](PySessionOptions& self, const std::string& name, int64_t value) {
             check(ort_api().AddFreeDimensionOverrideByName(self.handle.get(), name.c_str(), value));
           })
      .def("free_dimension_by_denotation",
           [](PySessionOptions& self, const std::string& denotation, int64_t value) {
             check(ort_api().AddFreeDimensionOverride(self.handle.get(), denotation.c_str(), value));
           })
      .def("add_initializer",
           [](PySessionOptions& self, const std::string& name, nb::object value) {
             check(
                 ort_api().AddInitializer(self.handle.get(), name.c_str(), nb::cast<HeldValue&>(value).value.handle()));
             self.owners.append(value);
           })
      .def("add_external_initializers", add_external_initializers)
      .def("add_files_in_memory", add_files_in_memory)
      .def("add_provider", add_provider)
      .def("check_devices", check_devices)
      .def("register_custom_ops_library",
           [](PySessionOptions& self, const std::string& path) {
             check(ort_api().RegisterCustomOpsLibrary_V2(self.handle.get(), path.c_str()));
           })
      .def("set_load_cancellation_flag", [](PySessionOptions& self, bool cancel) {
        check(ort_api().SessionOptionsSetLoadCancellationFlag(self.handle.get(), cancel));
      });

  nb::class_<PyRunOptions>(m, "RunOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "terminate", [](const PyRunOptions& self) { return self.terminate; }, set_terminate)
      .def_prop_rw(
          "log_severity_level", [](const PyRunOptions& self) { return self.log_severity_level; },
          [](PyRunOptions& self, int level) {
            if (level >= 0) check(ort_api().RunOptionsSetRunLogSeverityLevel(self.options.handle(), level));
            self.log_severity_level = level;
          })
      .def_prop_rw(
          "log_verbosity_level", [](const PyRunOptions& self) { return self.log_verbosity_level; },
          [](PyRunOptions& self, int level) {
            check(ort_api().RunOptionsSetRunLogVerbosityLevel(self.options.handle(), level));
            self.log_verbosity_level = level;
          })
      .def_prop_rw(
          "logid", [](const PyRunOptions& self) { return self.tag; },
          [](PyRunOptions& self, const std::string& tag) {
            self.options.tag(tag);
            self.tag = tag;
          })
      .def_rw("only_execute_path_to_fetches", &PyRunOptions::only_execute_path_to_fetches)
      .def("add_config", [](PyRunOptions& self, const std::string& key,
                            const std::string& value) { self.options.config(key, value); })
      .def("config", run_config)
      .def("set_time_limit",
           [](PyRunOptions& self, double seconds) {
             self.options.time_limit(std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9)));
           })
      .def("set_priority", [](PyRunOptions& self, int priority) { self.options.priority(priority); });
}

}  // namespace sardonyx::python
