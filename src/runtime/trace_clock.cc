#include "runtime/trace_clock.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>

namespace sdx::runtime {
namespace {

int64_t steady_ns() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

#ifdef __x86_64__
// Linux tells time by the counter where it found that all cores agree on it and that its rate never changes.
bool system_uses_counter() {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(
      std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re"));
  char text[8] = {};
  return file != nullptr && std::fgets(text, sizeof text, file.get()) != nullptr && std::string_view(text) == "tsc\n";
}

bool uses_counter() {
  enum : int8_t { unknown, no, yes };
  static constinit std::atomic<int8_t> known = unknown;
  int8_t now = known.load(std::memory_order_relaxed);
  if (now == unknown) [[unlikely]] {
    now = system_uses_counter() ? yes : no;
    known.store(now, std::memory_order_relaxed);
  }
  return now == yes;
}
#endif

}  // namespace

int64_t TraceClock::now() {
#ifdef __x86_64__
  if (uses_counter()) [[likely]]
    return static_cast<int64_t>(__builtin_ia32_rdtsc());
#endif
  return steady_ns();
}

TickScale::Moment TickScale::moment() {
  const int64_t before = TraceClock::now(), ns = steady_ns(), after = TraceClock::now();
  return {before + (after - before) / 2, ns};
}

TickScale::TickScale() : start_(moment()) {}

void TickScale::calibrate() {
  const Moment end = moment();
  if (end.ticks > start_.ticks && end.ns > start_.ns)
    ns_per_tick_ = static_cast<double>(end.ns - start_.ns) / static_cast<double>(end.ticks - start_.ticks);
}

}  // namespace sdx::runtime
