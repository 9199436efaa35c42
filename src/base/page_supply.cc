#include "base/page_supply.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "base/fork.h"
#include "base/page_memory.h"

namespace sdx {
namespace {

struct Shared {
  ForkMutex mutex;
  PageChoice choice;
};

Shared& shared() {
  static Shared& one = *new Shared;
  return one;
}

template <typename F>
auto locked(F f) {
  const std::lock_guard lock(shared().mutex);
  return f(shared().choice);
}

void allow_huge([[maybe_unused]] std::byte* unit) {
#ifdef MADV_HUGEPAGE
  madvise(unit, kHugePage, MADV_HUGEPAGE);
#endif
}

void populate(std::byte* unit) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(unit, kHugePage, MADV_POPULATE_WRITE) == 0) return;
#endif
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (size_t at = 0; at < kHugePage; at += page) *static_cast<volatile std::byte*>(unit + at) = std::byte{0};
}

void supply_unit(std::byte* unit) {
  const PageChoice::Pages pages = locked([](PageChoice& choice) { return choice.next(); });
  if (pages == PageChoice::Pages::huge) allow_huge(unit);
  const auto start = std::chrono::steady_clock::now();
  populate(unit);
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  locked([&](PageChoice& choice) { choice.learn(pages, taken.count()); });
  if (pages == PageChoice::Pages::small) allow_huge(unit);  // the system may make one of them when it has time
}

template <typename F>
void for_units(void* memory, size_t bytes, F f) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t end = (begin + bytes) / kHugePage * kHugePage;
  for (uintptr_t unit = (begin + kHugePage - 1) / kHugePage * kHugePage; unit < end; unit += kHugePage)
    f(reinterpret_cast<std::byte*>(unit));
}

}  // namespace

PageChoice::Pages PageChoice::cheaper() const { return huge_us_ <= small_us_ ? Pages::huge : Pages::small; }

PageChoice::Pages PageChoice::next() {
  if (cheaper() == Pages::huge) return Pages::huge;
  if (--units_until_retry_ > 0) return Pages::small;
  retry_after_ = std::min(retry_after_, 1 << 20) * kRetryGrowth;
  units_until_retry_ = retry_after_;
  return Pages::huge;
}

void PageChoice::learn(Pages pages, double us) {
  double& known = pages == Pages::huge ? huge_us_ : small_us_;
  known = (known + us) / 2;
  if (pages != Pages::huge || us > small_us_) return;
  huge_us_ = us;  // they come again
  units_until_retry_ = retry_after_ = kFirstRetry;
}

void* allocate_at_huge_page(size_t bytes) {
  if (bytes > SIZE_MAX - kHugePage) return nullptr;
  auto* memory = static_cast<std::byte*>(allocate_pages(bytes + kHugePage));
  if (memory == nullptr) return nullptr;
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(memory) % kHugePage) % kHugePage;
  if (before > 0) free_pages(memory, before);
  free_pages(memory + before + bytes, kHugePage - before);
  return memory + before;
}

void supply_pages(void* memory, size_t bytes) { for_units(memory, bytes, supply_unit); }

void advise_huge_pages(void* memory, size_t bytes) {
  if (bytes < kHugePage) return;
  if (locked([](PageChoice& choice) { return choice.cheaper(); }) == PageChoice::Pages::small) return;
#ifdef MADV_HUGEPAGE
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage,
                  end = (begin + bytes) / kHugePage * kHugePage;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

}  // namespace sdx
