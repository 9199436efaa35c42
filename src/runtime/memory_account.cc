#include "runtime/memory_account.h"

#include <algorithm>
#include <charconv>

#include "base/knobs.h"

namespace sdx::runtime {
namespace {

size_t limit_from_knob() {
  const std::string_view text = knob::memory_limit();
  size_t bytes = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), bytes);
  return parsed.ec == std::errc() && bytes > 0 ? bytes : SIZE_MAX;
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
