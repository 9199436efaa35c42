// Events as lines of a Chrome trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "runtime/trace_event.h"

namespace sdx::runtime {

class TraceJson {
 public:
  // `operators`: of the model's nodes, by the names that origins have; outlives this.
  TraceJson(int64_t start_ns, int process, const std::map<std::string, std::string>& operators)
      : start_ns_(start_ns), process_(process), operators_(operators) {}

  // The event, and behind it the memory that is in use from then on, where that changes; joined by ",\n".
  std::string lines(const TraceEvent& event);

 private:
  int64_t microseconds(int64_t time_ns) const { return (time_ns - start_ns_) / 1000; }
  void put_step(JsonText& json, const TraceEvent& event) const;
  std::string event_line(const TraceEvent& event) const;
  std::string memory_line(const TraceEvent& event) const;

  int64_t start_ns_;
  int process_;
  const std::map<std::string, std::string>& operators_;
  std::map<int32_t, std::pair<size_t, size_t>> in_use_;  // by thread: in arenas, and elsewhere
};

}  // namespace sdx::runtime
