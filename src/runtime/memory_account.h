// MemoryAccount: bytes that runs hold, against a limit: of a session, and of the process through its parent.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/status.h"

namespace sdx::runtime {

class MemoryAccount {
 public:
  explicit MemoryAccount(size_t limit, MemoryAccount* parent = nullptr) : limit_(limit), parent_(parent) {}
  static MemoryAccount& process();  // its limit is the knob memory_limit

  // RUNTIME_EXCEPTION that says what was asked for, what is in use and what the limit is; nothing is charged then.
  Status charge(size_t bytes);
  void refund(size_t bytes);
  size_t limit() const;  // the lower of its own and its parents'; SIZE_MAX: none
  size_t used() const { return used_.load(std::memory_order_relaxed); }

 private:
  size_t limit_;
  MemoryAccount* parent_;
  std::atomic<size_t> used_ = 0;
};

}  // namespace sdx::runtime
