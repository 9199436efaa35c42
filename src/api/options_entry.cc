#include "options_entry.h"

namespace sdx::api {

Status check_thread_count(int threads) {
  constexpr int kMost = 4096;
  if (threads < 0 || threads > kMost)
    return invalid_argument("the number of threads is {}; 0 (the default) to {} is wanted", threads, kMost);
  return {};
}

// The handle's type is a pointer to an empty struct here and to void there: the calls are the same.
void set_create_hook(ThreadHooks& hooks, OrtCustomCreateThreadFn function) {
  hooks.create = reinterpret_cast<decltype(hooks.create)>(function);
}
void set_join_hook(ThreadHooks& hooks, OrtCustomJoinThreadFn function) {
  hooks.join = reinterpret_cast<decltype(hooks.join)>(function);
}

Status add_config(std::map<std::string, std::string>& config, const char* config_key, const char* config_value) {
  SDX_NEED(config_key);
  SDX_NEED(config_value);
  const std::string_view key = config_key, value = config_value;
  if (key.empty() || key.size() > kMaxConfigKey)
    return invalid_argument("a configuration key has {} characters; 1 to {} are wanted", key.size(), kMaxConfigKey);
  if (value.size() > kMaxConfigValue)
    return invalid_argument("the value of the configuration key \"{}\" has {} characters; at most {} are wanted", key,
                            value.size(), kMaxConfigValue);
  config.insert_or_assign(std::string(key), std::string(value));
  return {};
}

Status write_text(std::string_view text, char* buffer, size_t* size) {
  SDX_NEED(size);
  const size_t needed = text.size() + 1;
  const size_t room = *size;
  *size = needed;
  if (buffer == nullptr) return {};
  if (room < needed) return invalid_argument("there is room for {} bytes, the text takes {}", room, needed);
  text.copy(buffer, text.size());
  buffer[text.size()] = '\0';
  return {};
}

}  // namespace sdx::api
