#include "providers/testing/locked_memory.h"

#include <sys/mman.h>

#include <cstring>

namespace sdx::providers {
namespace {

constexpr size_t kPage = 4096;

size_t whole_pages(size_t bytes) { return (bytes / kPage + 1) * kPage; }

}  // namespace

Result<std::shared_ptr<void>> LockedMemory::allocate(size_t bytes) {
  const size_t size = whole_pages(bytes);
  const std::lock_guard lock(blocks_->mutex);
  const int access = blocks_->open > 0 ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* memory = mmap(nullptr, size, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return make_error(Code::runtime_exception, "out of device memory: {} bytes were asked for", bytes);
  blocks_->sizes.emplace(static_cast<std::byte*>(memory), size);
  return std::shared_ptr<void>(memory, [blocks = blocks_, size](void* freed) {
    const std::lock_guard guard(blocks->mutex);
    blocks->sizes.erase(static_cast<std::byte*>(freed));
    munmap(freed, size);
  });
}

bool LockedMemory::contains(const void* data) const {
  const std::lock_guard lock(blocks_->mutex);
  const auto after = blocks_->sizes.upper_bound(static_cast<std::byte*>(const_cast<void*>(data)));
  if (after == blocks_->sizes.begin()) return false;
  const auto block = std::prev(after);
  return static_cast<const std::byte*>(data) < block->first + block->second;
}

size_t LockedMemory::blocks() const {
  const std::lock_guard lock(blocks_->mutex);
  return blocks_->sizes.size();
}

void LockedMemory::open() const {
  const std::lock_guard lock(blocks_->mutex);
  if (blocks_->open++ > 0) return;
  for (const auto& [memory, size] : blocks_->sizes) mprotect(memory, size, PROT_READ | PROT_WRITE);
}

void LockedMemory::close() const {
  const std::lock_guard lock(blocks_->mutex);
  if (--blocks_->open > 0) return;
  for (const auto& [memory, size] : blocks_->sizes) mprotect(memory, size, PROT_NONE);
}

Status LockedMemory::write(const void* host, void* device, size_t bytes) const {
  ++writes_;
  if (bytes == 0) return {};
  if (!contains(device) || contains(host)) return make_error(Code::fail, "a write does not lead into the device");
  const Access access(this);
  std::memcpy(device, host, bytes);
  return {};
}

Status LockedMemory::read(const void* device, void* host, size_t bytes) const {
  ++reads_;
  if (bytes == 0) return {};
  if (!contains(device) || contains(host)) return make_error(Code::fail, "a read does not come from the device");
  const Access access(this);
  std::memcpy(host, device, bytes);
  return {};
}

}  // namespace sdx::providers
