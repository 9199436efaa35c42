#include "plan/weight_store.h"

#include <algorithm>

#include "base/sha1.h"

namespace sdx::plan {

WeightStore& WeightStore::shared() {
  static WeightStore* const store = new WeightStore();  // outlives every session, whatever the order of exit
  return *store;
}

std::shared_ptr<WeightStore::Entry> WeightStore::entry_of(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= next_cleanup_) {
    // An entry that somebody is in has more than one owner.
    std::erase_if(entries_,
                  [](const auto& item) { return item.second.use_count() == 1 && item.second->object.expired(); });
    next_cleanup_ = std::max<size_t>(64, 2 * entries_.size());
  }
  auto& entry = entries_[key];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

Result<WeightStore::Object> WeightStore::get(const std::string& key, FunctionRef<Result<Object>()> make) {
  const std::shared_ptr<Entry> entry = entry_of(key);
  const std::lock_guard making(entry->making);
  {
    const std::lock_guard lock(mutex_);
    if (Object found = entry->object.lock()) return found;
  }
  SDX_ASSIGN(Object made, make());
  const std::lock_guard lock(mutex_);
  entry->object = made;
  return made;
}

std::string told_apart(const WeightSource& weights, const Tensor& weight) {
  constexpr size_t kSmall = 64 << 10;  // bytes
  std::string identity = weights.identity(weight);
  if (!identity.empty() || weights.is_made(weight) || weight.dtype() == DType::string || weight.byte_size() >= kSmall)
    return identity;
  return formatted("{} {}{}", sha1_hex({weight.bytes(), weight.byte_size()}), name(weight.dtype()),
                   to_text(weight.shape()));
}

size_t WeightStore::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<size_t>(
      std::ranges::count_if(entries_, [](const auto& item) { return !item.second->object.expired(); }));
}

}  // namespace sdx::plan
