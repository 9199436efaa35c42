#include "base/page_supply.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <mutex>

#include "base/fork.h"
#include "base/page_memory.h"
#include "base/thread_pool.h"

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

void advise([[maybe_unused]] std::byte* units, [[maybe_unused]] size_t bytes, [[maybe_unused]] bool huge) {
#ifdef MADV_HUGEPAGE
  if (bytes > 0) madvise(units, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
}

void populate(std::byte* unit) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(unit, kHugePage, MADV_POPULATE_WRITE) == 0) return;
#endif
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (size_t at = 0; at < kHugePage; at += page) *static_cast<volatile std::byte*>(unit + at) = std::byte{0};
}

// Of this thread: what others run meanwhile on its processor says nothing about pages.
double own_time_us() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

struct Units {
  std::byte* first;
  size_t count;
};

Units units_inside(void* memory, size_t bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage,
                  end = (begin + bytes) / kHugePage * kHugePage;
  return {reinterpret_cast<std::byte*>(first), first < end ? (end - first) / kHugePage : 0};
}

}  // namespace

PageChoice::Pages PageChoice::cheaper() const { return huge_us_ <= small_us_ ? Pages::huge : Pages::small; }

PageChoice::Pages PageChoice::next() {
  if (cheaper() == Pages::huge) return Pages::huge;
  if (--units_until_retry_ > 0) return Pages::small;
  units_until_retry_ = retry_after_;  // until it is learned what came of it
  tries_ = true;
  return Pages::huge;
}

void PageChoice::learn(Pages pages, double us) {
  const bool was_usual = cheaper() == Pages::huge;
  double& known = pages == Pages::huge ? huge_us_ : small_us_;
  known = (known + us) / 2;
  if (pages != Pages::huge) return;
  if (us <= small_us_) {
    huge_us_ = us;  // they come again
    retry_after_ = std::max(retry_after_ / 2, kFirstRetry);
  } else if (cheaper() == Pages::small && (was_usual || tries_)) {  // not for each thread that met a slow one at once
    units_until_retry_ = retry_after_;
    retry_after_ = std::min(retry_after_ * kRetryGrowth, kLastRetry);
  }
  tries_ = false;
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

void advise_huge_pages(void* memory, size_t bytes) {
  if (bytes < kHugePage) return;
  if (locked([](PageChoice& choice) { return choice.cheaper(); }) == PageChoice::Pages::small) return;
  const Units units = units_inside(memory, bytes);
  advise(units.first, units.count * kHugePage, true);
}

PageRange::PageRange(void* memory, size_t bytes)
    : first_(units_inside(memory, bytes).first), bytes_(units_inside(memory, bytes).count * kHugePage) {}

int PageRange::ask_for(PageChoice::Pages pages) {
  const std::lock_guard lock(mutex_);
  if (times_asked_ > 0 && asked_ == pages) return times_asked_;
  advise(first_, bytes_, pages == PageChoice::Pages::huge);
  asked_ = pages;
  return ++times_asked_;
}

int PageRange::times_asked() {
  const std::lock_guard lock(mutex_);
  return times_asked_;
}

void PageRange::supply_unit(std::byte* unit) {
  PageChoice::Pages pages = {}, usual = {};
  locked([&](PageChoice& choice) {
    pages = choice.next();
    usual = choice.cheaper();
  });
  const int asked = ask_for(usual);
  if (pages != usual) advise(unit, kHugePage, true);  // a try; if it goes well, the next unit asks for all
  const double start = own_time_us();
  populate(unit);
  const double taken = own_time_us() - start;
  if (asked == times_asked()) locked([&](PageChoice& choice) { choice.learn(pages, taken); });
}

void PageRange::supply(void* memory, size_t bytes, ThreadPool* pool) {
  const Units units = units_inside(memory, bytes);
  const auto supply = [&](int64_t i) { supply_unit(units.first + static_cast<size_t>(i) * kHugePage); };
  const auto count = static_cast<int64_t>(units.count);
  if (pool != nullptr && pool->size() > 1 && count > 1) return pool->parallel_for(count, supply);
  for (int64_t i = 0; i < count; ++i) supply(i);
}

void PageRange::settle() {
  if (times_asked() > 0) ask_for(PageChoice::Pages::huge);
}

}  // namespace sdx
