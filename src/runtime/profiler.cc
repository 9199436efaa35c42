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

#include "runtime/run_trace.h"
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

int32_t Profiler::thread_id() {
  struct Known {
    uint32_t generation = 0;
    int32_t id = 0;
  };
  static thread_local constinit Known known;
  if (const uint32_t generation = process_generation(); known.generation != generation)
    known = {generation, static_cast<int32_t>(syscall(SYS_gettid))};
  return known.id;
}

Profiler::Profiler(std::string_view prefix, const Logger& logger, size_t max_events)
    : logger_(logger), max_events_(max_events), started_ns_(since_1970_ns()), process_(getpid()), id_(next_id()) {
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

TraceBlock Profiler::borrow(int32_t thread, size_t expected_events) {
  const std::lock_guard lock(mutex_);
  Open& open = content_.open[thread];
  TraceBlock block = std::exchange(open.block, {});
  if (block.events.capacity() > 0) return block;
  const size_t room = std::clamp(std::max(expected_events, open.next_events), size_t{16}, TraceBlock::kEvents);
  block.events.reserve(room);
  open.next_events = 2 * room;
  return block;
}

void Profiler::give_back(int32_t thread, TraceBlock block) noexcept {
  bool full = false;
  try {
    const std::lock_guard lock(mutex_);
    if (!is_recording() || block.events.empty()) return;
    const size_t added = block.events.size() - block.counted;
    const size_t taken = std::min(added, max_events_ - content_.event_count);
    full = taken < added && !std::exchange(warned_, true);
    block.counted += taken;
    block.events.resize(block.counted);
    content_.event_count += taken;
    Open& open = content_.open[thread];
    if (block.events.size() == block.events.capacity() || !open.block.events.empty()) {
      content_.full.push_back(std::move(block));
    } else {
      open.block = std::move(block);
    }
  } catch (const std::bad_alloc&) {  // a profile loses events sooner than a run fails for it
  }
  if (full)
    SDX_LOG(logger_, warning, "the profile {} is full: it keeps {} events, later ones are lost", path_, max_events_);
}

void Profiler::add_session_event(SessionEvent event, int64_t start) noexcept {
  if (is_recording()) RunTrace(*this, 1).add_session_event(event, start);
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

bool Profiler::write(const Content& content) {
  scale_.calibrate();
  TraceJson json(scale_, process_, content.operators);
  const auto put = [&](std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), content.file.get()) == text.size();
  };
  if (!put("[\n")) return false;
  size_t left = content.event_count;
  const auto put_block = [&](const TraceBlock& block) {
    return std::ranges::all_of(block.events, [&](const TraceEvent& event) {
      return put(json.lines(event, block.memories)) && put(--left > 0 ? ",\n" : "\n");
    });
  };
  for (const TraceBlock& block : content.full)
    if (!put_block(block)) return false;
  for (const auto& [thread, open] : content.open)
    if (!put_block(open.block)) return false;
  return put("]\n") && std::fflush(content.file.get()) == 0;
}

}  // namespace sdx::runtime
