// Options of sessions and runs, as the extension holds them.
#pragma once

#include "native.h"

namespace sardonyx::python {

using SessionOptionsHandle = detail::Handle<OrtSessionOptions, &OrtApi::ReleaseSessionOptions>;

// What is added entry by entry lives here; plain attributes are set by _options.py on a clone, just before loading.
struct PySessionOptions {
  PySessionOptions();
  explicit PySessionOptions(OrtSessionOptions* taken) : handle(taken) {}
  SessionOptionsHandle handle;
  nb::list owners;  // values and memory that must outlive the sessions
};

struct PyRunOptions {
  PyRunOptions();
  RunOptions options;
  int log_severity_level = -1, log_verbosity_level = 0;
  std::string tag;
  bool terminate = false, only_execute_path_to_fetches = false;
};

// Polls for Ctrl-C; used by runs without options of their own.
const RunOptions& default_run_options();

}  // namespace sardonyx::python
