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
#include "runtime/trace_clock.h"
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

  static int32_t thread_id();

  bool is_recording() const { return recording_.load(std::memory_order_relaxed); }
  uint64_t started_ns() const { return started_ns_; }  // since 1970

  // What the nodes of the model are, by the names that origins have.
  void set_operators(std::map<std::string, std::string> by_origin);

  // Another one for each profiler of the process.
  uint64_t id() const { return id_; }
  // Events may point to the record from now on.
  void keep(std::shared_ptr<const StepRecord> record);
  // Room for at least one more event of this thread, behind those that it added before.
  TraceBlock borrow(int32_t thread, size_t expected_events);
  // What is new in the block counts. Events behind the first kMaxEvents are lost, with one warning.
  void give_back(int32_t thread, TraceBlock block) noexcept;
  // From `start`, a time of the TraceClock, to now, on this thread.
  void add_session_event(SessionEvent event, int64_t start) noexcept;

  // Writes the file and returns its name; "" when that has been done, and in the child of a fork, whose events nobody
  // gets. Events that are added later are lost.
  Result<std::string> end();
  void discard();  // removes the file instead

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Open {  // what a thread goes on with; lent, or not there yet, where it has no events
    TraceBlock block;
    size_t next_events = 0;
  };
  struct Content {
    std::unique_ptr<std::FILE, Close> file;
    std::vector<TraceBlock> full;
    std::map<int32_t, Open> open;  // by thread
    std::vector<std::shared_ptr<const StepRecord>> records;
    size_t event_count = 0;
    std::map<std::string, std::string> operators;
  };
  // What was recorded, which it then no longer has; without a file where there is nothing to write.
  Content take();
  bool write(const Content& content);

  const Logger& logger_;
  const size_t max_events_;
  TickScale scale_;
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
