// IdleBag: objects that anybody may take, use alone and give back. No locks: threads do not wait for each other, and
// the child of a fork finds nothing locked by a thread that it does not have.
#pragma once

#include <array>
#include <atomic>
#include <memory>

namespace sdx {

template <typename T, size_t kSlots = 64>
class IdleBag {
 public:
  IdleBag() = default;
  IdleBag(const IdleBag&) = delete;
  IdleBag& operator=(const IdleBag&) = delete;
  ~IdleBag() { clear(); }

  // Null when there is none. A fork between the taking of an object and its return loses it to the child alone.
  std::unique_ptr<T> take() {
    for (auto& slot : slots_)
      if (slot.load(std::memory_order_relaxed) != nullptr)
        if (T* found = slot.exchange(nullptr, std::memory_order_acquire); found != nullptr)
          return std::unique_ptr<T>(found);
    return nullptr;
  }

  // Destroys the object where the bag is full.
  void give(std::unique_ptr<T> object) {
    for (auto& slot : slots_) {
      T* expected = nullptr;
      if (slot.load(std::memory_order_relaxed) != nullptr) continue;
      if (!slot.compare_exchange_strong(expected, object.get(), std::memory_order_release, std::memory_order_relaxed))
        continue;
      static_cast<void>(object.release());
      return;
    }
  }

  // Destroys what is idle now.
  void clear() {
    while (take() != nullptr) {
    }
  }

 private:
  std::array<std::atomic<T*>, kSlots> slots_{};
};

}  // namespace sdx
