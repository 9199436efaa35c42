// Events as lines of a Chrome trace.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/json_text.h"
#include "runtime/trace_clock.h"
#include "runtime/trace_event.h"

namespace sdx::runtime {

class TraceJson {
 public:
  // `operators`: of the model's nodes, by the names that origins have. Both outlive this.
  TraceJson(const TickScale& scale, int process, const std::map<std::string, std::string>& operators)
      : scale_(scale), process_(process), operators_(operators) {}

  // The event, and behind it the memory that is in use from then on, where that changes; joined by ",\n".
  std::string lines(const TraceEvent& event, std::span<const TracedMemory> memories);

 private:
  struct Thread {
    size_t arena = 0, other = 0;  // as the last line of memory says
    bool has_line = false;
    size_t peak = 0;  // of the run so far
  };
  int64_t microseconds(int64_t time) const { return scale_.since_start(time) / 1000; }
  void put_step(JsonText& json, const TraceEvent& event, const TracedMemory& memory, size_t peak) const;
  std::string event_line(const TraceEvent& event, const TracedMemory* memory, size_t peak) const;
  std::string memory_line(const TraceEvent& event, const Thread& thread) const;

  const TickScale& scale_;
  int process_;
  const std::map<std::string, std::string>& operators_;
  std::map<int32_t, Thread> threads_;
};

}  // namespace sdx::runtime
