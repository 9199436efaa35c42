#include "runtime/profiler.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <iterator>
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
    : logger_(logger), max_events_(max_events), start_ns_(now_ns()), started_ns_(since_1970_ns()) {
  auto time = std::chrono::system_clock::now();
  int error = EEXIST;
  for (int i = 0; i < kNamesTried && error == EEXIST; ++i, time += std::chrono::milliseconds(1)) {
    path_ = std::string(prefix) + time_suffix(time);
    file_.reset(std::fopen(path_.c_str(), "wxe"));
    error = file_ != nullptr ? 0 : errno;
  }
  if (file_ == nullptr) {
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
  operators_ = std::move(by_origin);
}

void Profiler::add(std::span<TraceEvent> events) noexcept {
  if (!is_recording()) return;
  size_t taken = 0;
  try {
    const std::lock_guard lock(mutex_);
    if (!is_recording()) return;
    taken = std::min(events.size(), max_events_ - events_.size());
    events_.insert(events_.end(), std::make_move_iterator(events.begin()),
                   std::make_move_iterator(events.begin() + static_cast<ptrdiff_t>(taken)));
  } catch (const std::bad_alloc&) {  // a profile loses events sooner than a run fails for it
    taken = 0;
  }
  if (taken == events.size()) return;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(warned_, true)) return;
  }
  SDX_LOG(logger_, warning, "the profile {} is full: it keeps {} events, later ones are lost", path_, max_events_);
}

void Profiler::add_session_event(const char* name, int64_t start_ns) noexcept {
  TraceEvent event{.name = name, .start_ns = start_ns, .end_ns = now_ns(), .thread = thread_id()};
  add({&event, 1});
}

Result<std::string> Profiler::end() {
  const std::lock_guard lock(mutex_);
  if (!failure_.ok()) return failure_;
  if (!recording_.exchange(false)) return std::string();
  const Status written = write();
  events_ = {};
  file_.reset();
  if (!written.ok()) {
    std::remove(path_.c_str());
    return written;
  }
  return path_;
}

void Profiler::discard() {
  const std::lock_guard lock(mutex_);
  if (!recording_.exchange(false)) return;
  events_ = {};
  file_.reset();
  std::remove(path_.c_str());
}

Status Profiler::write() {
  TraceJson json(start_ns_, getpid(), operators_);
  const auto put = [&](std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
  };
  bool written = put("[\n");
  for (size_t i = 0; i < events_.size() && written; ++i)
    written = put(json.lines(events_[i])) && put(i + 1 < events_.size() ? ",\n" : "\n");
  written = written && put("]\n");
  if (!written || std::fflush(file_.get()) != 0) return cannot_write(path_, errno);
  return {};
}

}  // namespace sdx::runtime
