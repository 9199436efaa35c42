#include "runtime/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "base/page_memory.h"
#include "base/page_supply.h"

namespace sdx::runtime {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kSmallest = 64 * 1024;
constexpr size_t kWorthShrinking = 256 * 1024;
constexpr size_t kSuppliedAtOnce = size_t{64} << 20;  // a run that is to stop does not wait for more

size_t to_pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

void supply(std::byte* memory, size_t bytes, ThreadPool* pool) {
  const size_t now = std::min(bytes, kSuppliedAtOnce);
  PageRange range(memory, now);
  range.supply(memory, now, pool);
  range.settle();
  advise_huge_pages(memory + now, bytes - now);
}

}  // namespace

Arena::~Arena() { release(); }

void Arena::release() {
  if (base_ != nullptr) free_pages(base_, capacity_);
  base_ = nullptr;
  capacity_ = touched_ = recent_ = 0;
  runs_ = 0;
}

// Address space is free, pages are not: growing by doubling keeps the base where sizes creep up.
Status Arena::reserve(size_t bytes, ThreadPool* pool) {
  if (bytes <= capacity_) {
    if (bytes > touched_) supply(base_ + touched_, bytes - touched_, pool);
    touched_ = std::max(touched_, to_pages(bytes));
    return {};
  }
  const auto out_of_memory = [&] {
    return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
  };
  if (bytes > SIZE_MAX / 4) return out_of_memory();
  const size_t recent = recent_;
  release();
  for (const size_t wanted : {std::bit_ceil(std::max(bytes, kSmallest)), to_pages(bytes)}) {
    void* memory = wanted < kHugePage ? allocate_pages(wanted) : allocate_at_huge_page(wanted);
    if (memory == nullptr) continue;
    base_ = static_cast<std::byte*>(memory);
    capacity_ = wanted;
    touched_ = to_pages(bytes);
    recent_ = recent;
    supply(base_, bytes, pool);  // no further: what is not asked for is not to be there
    return {};
  }
  return out_of_memory();
}

void Arena::finish(size_t bytes) {
  recent_ = std::max(recent_, to_pages(bytes));
  if (++runs_ < kRunsToShrink) return;
  if (touched_ > recent_ + kWorthShrinking && touched_ - recent_ > recent_ / 16) {
    madvise(base_ + recent_, touched_ - recent_, MADV_DONTNEED);
    touched_ = recent_;
  }
  recent_ = 0;
  runs_ = 0;
}

ArenaPool& ArenaPool::shared() {
  static ArenaPool* const pool = new ArenaPool();  // outlives every session, whatever the order of exit
  return *pool;
}

ArenaPool::~ArenaPool() {
  for (auto& slot : idle_) delete slot.load();
}

std::unique_ptr<Arena> ArenaPool::take(const Arena* preferred) {
  takes_.fetch_add(1, std::memory_order_relaxed);
  if (preferred != nullptr) {
    for (auto& slot : idle_) {
      Arena* seen = slot.load(std::memory_order_relaxed);
      if (seen == preferred && slot.compare_exchange_strong(seen, nullptr, std::memory_order_acquire))
        return std::unique_ptr<Arena>(seen);
    }
  }
  for (auto& slot : idle_) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    if (Arena* taken = slot.exchange(nullptr, std::memory_order_acquire)) return std::unique_ptr<Arena>(taken);
  }
  return std::make_unique<Arena>();
}

void ArenaPool::give_back(std::unique_ptr<Arena> arena) {
  const uint64_t now = takes_.load(std::memory_order_relaxed);
  arena->last_use = now;
  Arena* given = arena.release();
  for (auto& slot : idle_) {
    Arena* empty = nullptr;
    if (slot.load(std::memory_order_relaxed) != nullptr) continue;
    if (!slot.compare_exchange_strong(empty, given, std::memory_order_release)) continue;
    given = nullptr;
    break;
  }
  delete given;  // more idle arenas than anybody needs
  if (now % kTakesToForget != 0) return;
  for (auto& slot : idle_) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    std::unique_ptr<Arena> idle(slot.exchange(nullptr, std::memory_order_acquire));
    if (idle == nullptr || now - std::min(now, idle->last_use) > kTakesToForget) continue;
    Arena* empty = nullptr;
    Arena* kept = idle.release();
    if (!slot.compare_exchange_strong(empty, kept, std::memory_order_release)) delete kept;
  }
}

}  // namespace sdx::runtime
