#include "base/weight_heap.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "base/fork.h"
#include "base/page_memory.h"
#include "base/page_supply.h"

namespace sdx {
namespace {

constexpr size_t kChunk = size_t{32} << 20;

struct Span {
  size_t bytes = 0;
  bool has_pages = false;  // some may be resident
};

struct Chunk {
  std::byte* base = nullptr;
  size_t bytes = 0;
  size_t supplied = 0;          // what lies before has pages, or has them as it is touched
  size_t filled = 0;            // since the last scope ended, units before it were given pages
  std::map<size_t, Span> free;  // by offset
  std::unique_ptr<PageRange> pages;
};

struct Heap {
  ForkMutex mutex;
  std::vector<Chunk> chunks;
  std::atomic<size_t> held = 0;  // bytes of all chunks, for a look without the lock
  int scopes = 0;
  size_t expected = 0;      // what scopes announced, less the chunks since
  uint32_t generation = 0;  // of the process that the scopes are in: the threads of others are not here
};

Heap& heap() {
  static Heap& one = *new Heap;  // outlives every block
  return one;
}

constinit thread_local bool t_inside = false;

size_t in_pages(size_t bytes) {
  static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

void give_back(Chunk& chunk, size_t offset, Span& span) {
  if (span.has_pages) madvise(chunk.base + offset, span.bytes, MADV_DONTNEED);
  span.has_pages = false;
}

bool is_empty(const Chunk& chunk) { return chunk.free.size() == 1 && chunk.free.begin()->second.bytes == chunk.bytes; }

void drop_empty_chunks(Heap& heap) {
  std::erase_if(heap.chunks, [&](const Chunk& chunk) {
    if (!is_empty(chunk)) return false;
    free_pages(chunk.base, chunk.bytes);
    heap.held -= chunk.bytes;
    return true;
  });
}

bool add_chunk(Heap& heap, size_t bytes) {
  auto* memory = static_cast<std::byte*>(allocate_at_huge_page(bytes));
  if (memory == nullptr) return false;
  // The first unit is touched piece by piece where there is little.
  const size_t before = heap.expected >= kHugePage ? 0 : kHugePage;
  heap.expected -= std::min(heap.expected, bytes);
  heap.chunks.push_back({.base = memory,
                         .bytes = bytes,
                         .supplied = before,
                         .free = {{0, {bytes, false}}},
                         .pages = std::make_unique<PageRange>(memory + before, bytes - before)});
  heap.held += bytes;
  return true;
}

struct Taken {
  std::byte* block = nullptr;
  std::byte* supply = nullptr;  // from here on pages are wanted
  size_t supply_bytes = 0;
  PageRange* pages = nullptr;  // of the chunk, which stays as long as the block
};

// The smallest free span that fits; of those that have pages already, if there is one.
Taken take(Heap& heap, size_t bytes) {
  Chunk* best_chunk = nullptr;
  std::map<size_t, Span>::iterator best;
  for (Chunk& chunk : heap.chunks)
    for (auto it = chunk.free.begin(); it != chunk.free.end(); ++it) {
      const Span& span = it->second;
      if (span.bytes < bytes) continue;
      if (best_chunk != nullptr) {
        const bool better = span.has_pages != best->second.has_pages ? span.has_pages : span.bytes < best->second.bytes;
        if (!better) continue;
      }
      best_chunk = &chunk;
      best = it;
    }
  if (best_chunk == nullptr) return {};
  const auto [offset, span] = *best;
  best_chunk->free.erase(best);
  if (span.bytes > bytes) best_chunk->free[offset + bytes] = {span.bytes - bytes, span.has_pages};
  if (bytes >= kHugePage && best_chunk->supplied == kHugePage && offset == 0) {
    best_chunk->supplied = 0;
    best_chunk->pages = std::make_unique<PageRange>(best_chunk->base, best_chunk->bytes);
  }
  Taken taken{.block = best_chunk->base + offset};
  const size_t end = std::min(best_chunk->bytes, (offset + bytes + kHugePage - 1) / kHugePage * kHugePage);
  if (end > best_chunk->supplied) {
    taken.supply = best_chunk->base + best_chunk->supplied;
    taken.supply_bytes = end - best_chunk->supplied;
    taken.pages = best_chunk->pages.get();
    best_chunk->supplied = best_chunk->filled = end;
  }
  return taken;
}

void put_back(Chunk& chunk, size_t offset, size_t bytes, bool keeps_pages) {
  auto span = chunk.free.emplace(offset, Span{bytes, true}).first;
  if (!keeps_pages) give_back(chunk, offset, span->second);
  const auto join = [&](auto left, auto right) {
    if (left->first + left->second.bytes != right->first || left->second.has_pages != right->second.has_pages)
      return left;
    left->second.bytes += right->second.bytes;
    chunk.free.erase(right);
    return left;
  };
  if (const auto next = std::next(span); next != chunk.free.end()) join(span, next);
  if (span != chunk.free.begin()) join(std::prev(span), span);
}

}  // namespace

WeightHeap::Scope::Scope(size_t expected) : before_(t_inside) {
  t_inside = true;
  Heap& all = heap();
  const std::lock_guard lock(all.mutex);
  if (all.generation != process_generation()) all.scopes = 0;
  all.generation = process_generation();
  if (all.scopes++ == 0) all.expected = 0;
  all.expected += expected;
}

WeightHeap::Scope::~Scope() {
  t_inside = before_;
  Heap& all = heap();
  const std::lock_guard lock(all.mutex);
  if (all.generation != process_generation() || --all.scopes > 0) return;
  for (Chunk& chunk : all.chunks) {
    for (auto& [offset, span] : chunk.free) {
      span.has_pages = span.has_pages || offset < chunk.filled;
      give_back(chunk, offset, span);
    }
    chunk.filled = 0;
    chunk.pages->settle();
    for (auto it = chunk.free.begin(); it != chunk.free.end();) {  // neighbours are of one kind now
      const auto next = std::next(it);
      if (next == chunk.free.end() || it->first + it->second.bytes != next->first) {
        it = next;
        continue;
      }
      it->second.bytes += next->second.bytes;
      chunk.free.erase(next);
    }
  }
  drop_empty_chunks(all);
}

void* WeightHeap::allocate(size_t bytes) {
  if (!t_inside || bytes > SIZE_MAX / 4) return nullptr;
  Heap& all = heap();
  bytes = in_pages(bytes);
  Taken taken;
  {
    const std::lock_guard lock(all.mutex);
    taken = take(all, bytes);
    const size_t chunk = std::max(kChunk, (bytes + kHugePage - 1) / kHugePage * kHugePage);
    if (taken.block == nullptr && add_chunk(all, chunk)) taken = take(all, bytes);
  }
  if (taken.supply_bytes > 0) taken.pages->supply(taken.supply, taken.supply_bytes);
  return taken.block;
}

bool WeightHeap::free(void* memory, size_t bytes) {
  Heap& all = heap();
  if (all.held.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard lock(all.mutex);
  const auto address = reinterpret_cast<uintptr_t>(memory);
  for (Chunk& chunk : all.chunks) {
    const auto base = reinterpret_cast<uintptr_t>(chunk.base);
    if (address < base || address - base >= chunk.bytes) continue;
    put_back(chunk, address - base, in_pages(bytes), all.scopes > 0);
    if (all.scopes == 0) drop_empty_chunks(all);
    return true;
  }
  return false;
}

size_t WeightHeap::held_bytes() { return heap().held.load(std::memory_order_relaxed); }

}  // namespace sdx
