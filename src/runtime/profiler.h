// Profiler: what a session, or one run of it, did, written as a Chrome trace whose events and arguments have
// onnxruntime's names. Events stay in memory until `end` writes them. Any number of threads may add some at once.
#pragma once

#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/status.h"
#include "runtime/trace_event.h"

namespace sdx::runtime {

class Profiler {
 public:
  static constexpr size_t kMaxEvents = 1'000'000;

  // Creates the file `<prefix>_<date>_<time>_<milliseconds>.json`. Where that cannot be, it logs a warning, records
  // nothing, and `end` fails. The logger outlives the profiler.
  Profiler(std::string_view prefix, const Logger& logger, size_t max_events = kMaxEvents);
  ~Profiler();  // ends it; a failure is logged
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  static int64_t now_ns();  // of the steady clock
  static int32_t thread_id();

  bool is_recording() const { return recording_.load(std::memory_order_relaxed); }
  uint64_t started_ns() const { return started_ns_; }  // since 1970

  // What the nodes of the model are, by the names that origins have.
  void set_operators(std::map<std::string, std::string> by_origin);

  // Takes what the events hold. Those behind the first kMaxEvents are lost, with one warning.
  void add(std::span<TraceEvent> events) noexcept;
  // From `start_ns` to now, on this thread.
  void add_session_event(const char* name, int64_t start_ns) noexcept;

  // Writes the file and returns its name; "" when that has been done. Events that are added later are lost.
  Result<std::string> end();
  void discard();  // removes the file instead

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  Status write();

  const Logger& logger_;
  const size_t max_events_;
  const int64_t start_ns_;
  const uint64_t started_ns_;
  std::string path_;
  Status failure_;  // of creating the file
  std::atomic<bool> recording_ = false;
  std::mutex mutex_;
  std::unique_ptr<std::FILE, Close> file_;
  std::map<std::string, std::string> operators_;
  std::vector<TraceEvent> events_;
  bool warned_ = false;
};

}  // namespace sdx::runtime
