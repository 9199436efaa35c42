#include "runtime/provider_registry.h"

#include <algorithm>

#include "base/fork.h"
#include "providers/cpu/cpu_provider.h"

namespace sdx::runtime {
namespace {

struct Registry {
  ForkMutex mutex;
  ProviderOwners providers;
};

Registry& registry() {
  static Registry& all = *new Registry;
  return all;
}

}  // namespace

bool register_provider(std::shared_ptr<const providers::Provider> provider) {
  if (provider->name() == providers::cpu_provider().name()) return false;
  const std::lock_guard lock(registry().mutex);
  auto& all = registry().providers;
  if (std::ranges::any_of(all, [&](const auto& one) { return one->name() == provider->name(); })) return false;
  all.push_back(std::move(provider));
  return true;
}

bool unregister_provider(std::string_view name) {
  std::shared_ptr<const providers::Provider> gone;  // ends after the lock
  const std::lock_guard lock(registry().mutex);
  auto& all = registry().providers;
  const auto found = std::ranges::find_if(all, [&](const auto& one) { return one->name() == name; });
  if (found == all.end()) return false;
  gone = std::move(*found);
  all.erase(found);
  return true;
}

std::shared_ptr<const providers::Provider> find_provider(std::string_view name) {
  const std::lock_guard lock(registry().mutex);
  for (const auto& one : registry().providers)
    if (one->name() == name) return one;
  return nullptr;
}

std::vector<std::string> registered_providers() {
  const std::lock_guard lock(registry().mutex);
  std::vector<std::string> names;
  for (const auto& one : registry().providers) names.emplace_back(one->name());
  return names;
}

}  // namespace sdx::runtime
