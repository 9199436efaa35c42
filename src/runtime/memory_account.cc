#include "runtime/memory_account.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <memory>

#include "base/knobs.h"

namespace sdx::runtime {
namespace {

// More than the machine, or the container, has: the system would end the process instead of refusing memory.
size_t machine_memory() {
  size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "re"), std::fclose);
    char text[32] = {};
    if (file == nullptr || std::fgets(text, sizeof(text), file.get()) == nullptr) continue;
    size_t limit = 0;  // stays so for "max"
    const auto parsed = std::from_chars(text, std::end(text), limit);
    if (parsed.ec == std::errc() && limit > 0) bytes = std::min(bytes, limit);
  }
  return bytes;
}

size_t limit_from_knob() {
  const std::string_view text = knob::memory_limit();
  size_t bytes = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return parsed.ec == std::errc() && bytes > 0 ? bytes : machine_memory();
}

}  // namespace

MemoryAccount& MemoryAccount::process() {
  static auto* const account = new MemoryAccount(limit_from_knob());  // outlives every session
  return *account;
}

size_t MemoryAccount::limit() const { return parent_ != nullptr ? std::min(limit_, parent_->limit()) : limit_; }

Status MemoryAccount::charge(size_t bytes) {
  const size_t before = used_.fetch_add(bytes, std::memory_order_relaxed);
  if (limit_ != SIZE_MAX && (bytes > limit_ || before > limit_ - bytes)) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return make_error(Code::runtime_exception,
                      "out of memory: {} bytes were asked for, {} of the limit of {} are in use", bytes, before,
                      limit_);
  }
  if (parent_ == nullptr) return {};
  Status status = parent_->charge(bytes);
  if (!status.ok()) used_.fetch_sub(bytes, std::memory_order_relaxed);
  return status;
}

void MemoryAccount::refund(size_t bytes) {
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  if (parent_ != nullptr) parent_->refund(bytes);
}

}  // namespace sdx::runtime
