// Pages for memory that is about to be filled, in units of a huge page: huge or small ones, whichever the system has
// been quicker to give. Huge pages cost a tenth of a fault for each 4 KB, but a system short of them (memory in
// fragments, or lent to a virtual machine's host while it was free) takes milliseconds for each.
#pragma once

#include <cstddef>

#include "base/fork.h"

namespace sdx {

class ThreadPool;

inline constexpr size_t kHugePage = size_t{2} << 20;

// `bytes`, whole pages, from the boundary of a huge page on; null when out of memory. free_pages gives it back.
void* allocate_at_huge_page(size_t bytes);
// Lets the whole units inside have huge pages when they are touched, unless these come slowly.
void advise_huge_pages(void* memory, size_t bytes);

// Which pages to ask for, by what they cost. Used by any number of threads.
class PageChoice {
 public:
  enum class Pages : unsigned char { huge, small };
  Pages next();  // of the next unit
  Pages cheaper() const;
  void learn(Pages pages, double us);

 private:
  // Of a unit, as on a system at rest.
  double huge_us_ = 100, small_us_ = 700;
  int units_until_retry_ = 0, retry_after_ = kFirstRetry;
  bool tries_ = false;
  // Those that the system has at hand come first: behind a slow one there are few fast ones.
  static constexpr int kFirstRetry = 64, kRetryGrowth = 8, kLastRetry = 2000;
};

// The whole units inside some memory. The system is told the kind of pages for all of them at once, and again when the
// choice changes: each time that waits for the pages that other threads are being given.
class PageRange {
 public:
  PageRange(void* memory, size_t bytes);
  PageRange(const PageRange&) = delete;
  PageRange& operator=(const PageRange&) = delete;

  // Pages for the units inside this part of it. By all threads of the pool (null: the caller's alone).
  void supply(void* memory, size_t bytes, ThreadPool* pool = nullptr);
  // No more will be supplied for now: of small pages, the system may make huge ones when it has time.
  void settle();
  int times_asked();

 private:
  void supply_unit(std::byte* unit);
  int ask_for(PageChoice::Pages pages);

  ForkMutex mutex_;
  std::byte* const first_;
  const size_t bytes_;
  PageChoice::Pages asked_ = PageChoice::Pages::huge;
  int times_asked_ = 0;
};

}  // namespace sdx
