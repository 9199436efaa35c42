// ScratchSlots: a kernel's scratch memory, cut into one part for each thread that may work on the node at once.
#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "kernel/kernel.h"

namespace sdx {

class ScratchSlots {
 public:
  static constexpr int kMaxSlots = 256;

  // Bytes of one slot are a multiple of kTensorAlignment; `memory` holds slots * slot_bytes.
  ScratchSlots(std::span<std::byte> memory, size_t slot_bytes) : memory_(memory), slot_bytes_(slot_bytes) {
    const size_t slots = slot_bytes == 0 ? 0 : memory.size() / slot_bytes;
    SDX_CHECK(slots > 0 && slot_bytes % kTensorAlignment == 0, "scratch memory without a slot");
    for (size_t i = 0; i < slots && i < kMaxSlots; ++i)
      free_[i / 64].fetch_or(uint64_t{1} << i % 64, std::memory_order_relaxed);
  }

  // A slot that nobody else has until the lease ends. There is one for every thread of the region.
  class Lease {
   public:
    explicit Lease(ScratchSlots& slots) : slots_(slots), index_(slots.take()) {}
    ~Lease() { slots_.give(index_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    std::byte* memory() const { return slots_.memory_.data() + index_ * slots_.slot_bytes_; }

   private:
    ScratchSlots& slots_;
    size_t index_;
  };

 private:
  size_t take() {
    while (true) {  // a slot may come free between two looks; it ends, as there are as many slots as threads
      for (size_t word = 0; word < free_.size(); ++word) {
        uint64_t seen = free_[word].load(std::memory_order_relaxed);
        while (seen != 0) {
          const uint64_t bit = seen & (0 - seen);
          if (free_[word].compare_exchange_weak(seen, seen & ~bit, std::memory_order_acquire))
            return word * 64 + static_cast<size_t>(std::countr_zero(bit));
        }
      }
    }
  }
  void give(size_t index) { free_[index / 64].fetch_or(uint64_t{1} << index % 64, std::memory_order_release); }

  std::span<std::byte> memory_;
  size_t slot_bytes_;
  std::array<std::atomic<uint64_t>, kMaxSlots / 64> free_ = {};
};

}  // namespace sdx
