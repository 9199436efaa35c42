#include "runtime/profiler.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <mutex>
#include <utility>

#include "runtime/trace_json.h"

namespace sdx::runtime {
namespace {

constexpr int kNamesTried = 1000;  // one a millisecond: of other profiles that begin at the same time

// "_2026-01-31_23-59-59_999.json", in local time.
std::string time_suffix(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  const auto whole = std::chrono::system_clock::from_time_t(seconds);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(time - whole).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  return formatted("_{:04}-{:02}-{:02}_{:02}-{:02}-{:02}_{:03}.json", local.tm_year + 1900, local.tm_mon + 1,
                   local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec, rest);
}

uint64_t since_1970_ns() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

uint64_t next_id() {
  static constinit std::atomic<uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

Status cannot_write(const std::string& path, int error) {
  return make_error(Code::fail, "the profile cannot be written to {}: {}", path, std::strerror(error));
}

}  // namespace

int64_t Profiler::now_ns() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

int32_t Profiler::thread_id() { return static_cast<int32_t>(syscall(SYS_gettid)); }

Profiler::Profiler(std::string_view prefix, const Logger& logger, size_t max_events)
    : logger_(logger),
      max_events_(max_events),
      start_ns_(now_ns()),
      started_ns_(since_1970_ns()),
      process_(getpid()),
      id_(next_id()) {
  auto time = std::chrono::system_clock::now();
  int error = EEXIST;
  for (int i = 0; i < kNamesTried && error == EEXIST; ++i, time += std::chrono::milliseconds(1)) {
    path_ = std::string(prefix) + time_suffix(time);
    content_.file.reset(std::fopen(path_.c_str(), "wxe"));
    error = content_.file != nullptr ? 0 : errno;
  }
  if (content_.file == nullptr) {
    failure_ = cannot_write(path_, error);
    SDX_LOG(logger_, warning, "{}", failure_.message());
    return;
  }
  recording_ = true;
}

Profiler::~Profiler() {
  if (!is_recording()) return;
  const auto ended = end();
  if (!ended.ok()) SDX_LOG(logger_, warning, "{}", ended.status().message());
}

void Profiler::set_operators(std::map<std::string, std::string> by_origin) {
  const std::lock_guard lock(mutex_);
  content_.operators = std::move(by_origin);
}

void Profiler::keep(std::shared_ptr<const StepRecord> record) {
  const std::lock_guard lock(mutex_);
  if (is_recording()) content_.records.push_back(std::move(record));
}

void Profiler::add(std::vector<TraceEvent> events) noexcept {
  if (!is_recording() || events.empty()) return;
  bool full = false;
  try {
    const std::lock_guard lock(mutex_);
    if (!is_recording()) return;
    const size_t taken = std::min(events.size(), max_events_ - content_.event_count);
    full = taken < events.size() && !std::exchange(warned_, true);
    events.resize(taken);
    if (taken > 0) content_.events.push_back(std::move(events));
    content_.event_count += taken;
  } catch (const std::bad_alloc&) {  // a profile loses events sooner than a run fails for it
  }
  if (full)
    SDX_LOG(logger_, warning, "the profile {} is full: it keeps {} events, later ones are lost", path_, max_events_);
}

void Profiler::add_session_event(const char* name, int64_t start_ns) noexcept {
  try {
    add({TraceEvent{.name = name, .start_ns = start_ns, .end_ns = now_ns(), .thread = thread_id()}});
  } catch (const std::bad_alloc&) {  // the event is lost
  }
}

Profiler::Content Profiler::take() {
  Content content;
  const std::lock_guard lock(mutex_);
  if (recording_.exchange(false)) std::swap(content, content_);
  if (getpid() != process_) content.file.reset();  // the parent's
  return content;
}

Result<std::string> Profiler::end() {
  if (!failure_.ok()) return failure_;
  const Content content = take();
  if (content.file == nullptr) return std::string();
  if (write(content)) return path_;
  Status failure = cannot_write(path_, errno);
  std::remove(path_.c_str());
  return failure;
}

void Profiler::discard() {
  if (take().file != nullptr) std::remove(path_.c_str());
}

bool Profiler::write(const Content& content) const {
  TraceJson json(start_ns_, process_, content.operators);
  const auto put = [&](std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), content.file.get()) == text.size();
  };
  if (!put("[\n")) return false;
  size_t left = content.event_count;
  for (const auto& part : content.events)
    for (const TraceEvent& event : part)
      if (!put(json.lines(event)) || !put(--left > 0 ? ",\n" : "\n")) return false;
  return put("]\n") && std::fflush(content.file.get()) == 0;
}

}  // namespace sdx::runtime
