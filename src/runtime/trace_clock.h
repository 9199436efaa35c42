// The clock of profiles. Where the system itself tells time by the processor's counter, it is that counter: reading it
// costs half as much as asking the system.
#pragma once

#include <cstdint>

namespace sdx::runtime {

class TraceClock {
 public:
  static int64_t now();  // in ticks: of the counter, else nanoseconds of the steady clock
};

// Turns ticks into nanoseconds since it was made.
class TickScale {
 public:
  TickScale();
  void calibrate();  // now that some time has passed

  double per_tick() const { return ns_per_tick_; }
  int64_t since_start(int64_t ticks) const { return length(ticks - start_.ticks); }
  int64_t length(int64_t ticks) const { return static_cast<int64_t>(static_cast<double>(ticks) * ns_per_tick_); }

 private:
  struct Moment {
    int64_t ticks, ns;  // of the trace's clock and of the steady one
  };
  static Moment moment();

  Moment start_;
  double ns_per_tick_ = 1;
};

}  // namespace sdx::runtime
