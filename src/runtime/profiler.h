// Profiler: what a session, or one run of it, did, written as a Chrome trace whose events and arguments have
// onnxruntime's names. Events stay in memory until `end` writes them. Any number of threads may add some at once.
#pragma once

#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fork.h"
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

  // Another one for each profiler of the process.
  uint64_t id() const { return id_; }
  // Events may point to the record from now on.
  void keep(std::shared_ptr<const StepRecord> record);
  // Those behind the first kMaxEvents are lost, with one warning.
  void add(std::vector<TraceEvent> events) noexcept;
  // From `start_ns` to now, on this thread.
  void add_session_event(const char* name, int64_t start_ns) noexcept;

  // Writes the file and returns its name; "" when that has been done, and in the child of a fork, whose events nobody
  // gets. Events that are added later are lost.
  Result<std::string> end();
  void discard();  // removes the file instead

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Content {
    std::unique_ptr<std::FILE, Close> file;
    std::vector<std::vector<TraceEvent>> events;
    std::vector<std::shared_ptr<const StepRecord>> records;
    size_t event_count = 0;
    std::map<std::string, std::string> operators;
  };
  // What was recorded, which it then no longer has; without a file where there is nothing to write.
  Content take();
  bool write(const Content& content) const;

  const Logger& logger_;
  const size_t max_events_;
  const int64_t start_ns_;
  const uint64_t started_ns_;
  const int process_;
  const uint64_t id_;
  std::string path_;
  Status failure_;  // of creating the file
  std::atomic<bool> recording_ = false;
  ForkMutex mutex_;
  Content content_;
  bool warned_ = false;
};

}  // namespace sdx::runtime
