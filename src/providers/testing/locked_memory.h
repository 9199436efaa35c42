// LockedMemory: memory of a device that is none. Nobody may touch it but through `read` and `write`, or inside an
// Access: whoever does faults.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "providers/provider.h"

namespace sdx::providers {

class LockedMemory final : public DeviceMemory, private Allocator {
 public:
  explicit LockedMemory(int32_t device_id) : device_id_(device_id) {}

  MemoryInfo info() const override { return {Device::npu, device_id_, 0x5d5d}; }
  Allocator& allocator() const override { return const_cast<LockedMemory&>(*this); }
  Status write(const void* host, void* device, size_t bytes) const override;
  Status read(const void* device, void* host, size_t bytes) const override;
  void* stream() const override { return const_cast<LockedMemory*>(this); }

  bool contains(const void* data) const;
  size_t copies() const { return reads_ + writes_; }  // so far
  size_t blocks() const;                              // that are held

  // While one lives, the memory can be used.
  class Access {
   public:
    explicit Access(const LockedMemory* memory) : memory_(memory) {
      if (memory_ != nullptr) memory_->open();
    }
    ~Access() {
      if (memory_ != nullptr) memory_->close();
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    const LockedMemory* memory_;
  };

 private:
  Result<std::shared_ptr<void>> allocate(size_t bytes) override;
  void open() const;
  void close() const;

  struct Blocks {  // shared with the buffers, which may outlive the memory
    std::mutex mutex;
    std::map<std::byte*, size_t> sizes;
    int open = 0;
  };
  int32_t device_id_;
  std::shared_ptr<Blocks> blocks_ = std::make_shared<Blocks>();
  mutable std::atomic<size_t> reads_ = 0, writes_ = 0;
};

}  // namespace sdx::providers
