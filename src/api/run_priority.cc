#include "run_priority.h"

#include "base/fork.h"

namespace sdx::api {
namespace {

constexpr int kLevels = 3;
constinit std::atomic<bool> used{false};
constinit std::atomic<int> under_way[kLevels]{};
constinit std::atomic<uint32_t> counted_generation{0};

// A child of a fork has none of its parent's runs.
uint32_t generation() noexcept {
  const uint32_t now = process_generation();
  uint32_t last = counted_generation.load(std::memory_order_relaxed);
  if (last != now && counted_generation.compare_exchange_strong(last, now))
    for (std::atomic<int>& count : under_way) count.store(0, std::memory_order_relaxed);
  return now;
}

}  // namespace

void use_priorities() noexcept { used.store(true, std::memory_order_relaxed); }
bool priorities_used() noexcept { return used.load(std::memory_order_relaxed); }

RunPriority::RunPriority(int priority) noexcept : level_(priority + 1) {
  if (!priorities_used()) [[likely]]
    return;
  counted_in_ = generation();
  under_way[level_].fetch_add(1, std::memory_order_relaxed);
}

RunPriority::~RunPriority() {
  if (counted_in_ != 0 && counted_in_ == generation()) under_way[level_].fetch_sub(1, std::memory_order_relaxed);
}

bool RunPriority::gives_way() const noexcept {
  if (counted_in_ == 0) return false;
  for (int level = level_ + 1; level < kLevels; ++level)
    if (under_way[level].load(std::memory_order_relaxed) > 0) return true;
  return false;
}

}  // namespace sdx::api
