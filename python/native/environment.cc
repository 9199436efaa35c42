// The process's environment: where log lines go, and the threads that sessions may share.
#include <atomic>
#include <cstdio>
#include <ctime>

#include "native.h"

namespace sardonyx::python {
namespace {

std::atomic<PyObject*> callback = nullptr;  // null: lines go to stderr
OrtEnv* current = nullptr;

void write_line(OrtLoggingLevel severity, const char* id, const char* location, const char* message) {
  constexpr const char* kNames[] = {"verbose", "info", "warning", "error", "fatal"};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  char time[32] = "";
  std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &parts);
  std::fprintf(stderr, "%s.%03ldZ [%s] %s%s%s (%s)\n", time, now.tv_nsec / 1000000, kNames[severity], id,
               *id == '\0' ? "" : ": ", message, location);
}

// Called from any thread, with or without Python's lock. Threads that Python does not know write to stderr: waiting for
// the lock there could be for ever.
void ORT_API_CALL log(void*, OrtLoggingLevel severity, const char* category, const char* id, const char* location,
                      const char* message) {
  if (callback.load() == nullptr || Py_IsInitialized() == 0 || PyGILState_GetThisThreadState() == nullptr)
    return write_line(severity, id, location, message);
  static thread_local bool busy = false;
  if (busy) return write_line(severity, id, location, message);  // the callback made this line
  busy = true;
  const PyGILState_STATE state = PyGILState_Ensure();
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);  // of whoever logs
  PyObject* const function = callback.load();
  if (function != nullptr) {
    Py_INCREF(function);
    PyObject* const result =
        PyObject_CallFunction(function, "issss", static_cast<int>(severity), category, id, location, message);
    if (result == nullptr) PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
    Py_DECREF(function);
  }
  PyErr_Restore(type, value, trace);
  PyGILState_Release(state);
  busy = false;
}

// Sessions of the environment before it live on: that one is never destroyed.
void replace(int intra_threads, int inter_threads) {
  OrtThreadingOptions* made = nullptr;
  check(ort_api().CreateThreadingOptions(&made));
  const detail::Handle<OrtThreadingOptions, &OrtApi::ReleaseThreadingOptions> options(made);
  check(ort_api().SetGlobalIntraOpNumThreads(made, intra_threads));
  check(ort_api().SetGlobalInterOpNumThreads(made, inter_threads));
  check(ort_api().CreateEnvWithCustomLoggerAndGlobalThreadPools(log, nullptr, ORT_LOGGING_LEVEL_WARNING, "Default",
                                                                made, &current));
}

void set_callback(nb::object function, int severity) {
  if (severity < ORT_LOGGING_LEVEL_VERBOSE || severity > ORT_LOGGING_LEVEL_FATAL)
    throw std::runtime_error("the log severity is " + std::to_string(severity) +
                             "; 0 (verbose) to 4 (fatal) are wanted");
  if (!function.is_none()) {
    if (PyCallable_Check(function.ptr()) == 0) throw nb::type_error("the callback is no function");
    check(ort_api().UpdateEnvWithCustomLogLevel(environment(), static_cast<OrtLoggingLevel>(severity)));
  }
  PyObject* const old = callback.exchange(function.is_none() ? nullptr : function.release().ptr());
  Py_XDECREF(old);
}

}  // namespace

OrtEnv* environment() {
  if (current == nullptr)
    check(ort_api().CreateEnvWithCustomLogger(log, nullptr, ORT_LOGGING_LEVEL_WARNING, "Default", &current));
  return current;
}

void bind_environment(nb::module_& m) {
  m.def("set_log_level", [](int level) {
    check(ort_api().UpdateEnvWithCustomLogLevel(environment(), static_cast<OrtLoggingLevel>(level)));
  });
  m.def("set_log_callback", set_callback, nb::arg("callback").none(), nb::arg("severity"));
  m.def("set_global_threads", replace);
}

}  // namespace sardonyx::python
