// What entries of session, run and threading options share.
#pragma once

#include <map>
#include <string>

#include "abi/options.h"
#include "answer.h"

namespace sdx::api {

Status check_thread_count(int threads);

void set_create_hook(ThreadHooks& hooks, OrtCustomCreateThreadFn function);
void set_join_hook(ThreadHooks& hooks, OrtCustomJoinThreadFn function);

inline constexpr size_t kMaxConfigKey = 1024;
inline constexpr size_t kMaxConfigValue = 8192;
Status add_config(std::map<std::string, std::string>& config, const char* config_key, const char* config_value);

// The way of entries that write a text into the caller's buffer: `size` holds the room, and afterwards what is needed,
// the closing 0 included. A null buffer asks for the size only.
Status write_text(std::string_view text, char* buffer, size_t* size);

}  // namespace sdx::api
