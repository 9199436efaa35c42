// Allocators and arena settings.
#include <algorithm>

#include "abi/env.h"
#include "answer.h"
#include "session_handle.h"
#include "tables.h"

namespace sdx::api {
namespace {

Status set_arena_value(OrtArenaCfg& config, std::string_view key, size_t value) {
  const auto number = static_cast<int>(std::min<size_t>(value, INT32_MAX));
  if (key == "max_mem") {
    config.max_mem = value;
  } else if (key == "arena_extend_strategy") {
    config.arena_extend_strategy = number;
  } else if (key == "initial_chunk_size_bytes") {
    config.initial_chunk_size_bytes = number;
  } else if (key == "max_dead_bytes_per_chunk") {
    config.max_dead_bytes_per_chunk = number;
  } else if (key == "initial_growth_chunk_size_bytes") {
    config.initial_growth_chunk_size_bytes = number;
  } else if (key == "max_power_of_two_extend_bytes") {
    config.max_power_of_two_extend_bytes = static_cast<int64_t>(std::min<size_t>(value, INT64_MAX));
  } else {
    return invalid_argument("\"{}\" is no setting of an arena", key);
  }
  return {};
}

Status check_on_cpu(const OrtMemoryInfo& info) {
  if (abi::is_cpu(info)) return {};
  return invalid_argument("no allocator for the memory \"{}\" of device {}: this library has the CPU's only", info.name,
                          info.id);
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL GetAllocatorWithDefaultOptions(OrtAllocator** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = &abi::default_allocator();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AllocatorAlloc(OrtAllocator* ort_allocator, size_t size, void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_allocator);
    SDX_NEED(out);
    *out = ort_allocator->Alloc(ort_allocator, size);
    if (*out == nullptr && size > 0) return make_error(Code::runtime_exception, "the allocator has no {} bytes", size);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AllocatorFree(OrtAllocator* ort_allocator, void* p) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_allocator);
    if (p != nullptr) ort_allocator->Free(ort_allocator, p);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AllocatorGetInfo(const OrtAllocator* ort_allocator, const OrtMemoryInfo** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_allocator);
    SDX_NEED(out);
    *out = ort_allocator->Info(ort_allocator);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AllocatorGetStats(const OrtAllocator* ort_allocator, OrtKeyValuePairs** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(ort_allocator);
    SDX_NEED(out);
    constexpr uint32_t kSinceVersion = 23;
    if (ort_allocator->version >= kSinceVersion && ort_allocator->GetStats != nullptr)
      return take_status(ort_allocator->GetStats(ort_allocator, out));
    *out = new OrtKeyValuePairs();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateAllocator(const OrtSession* session, const OrtMemoryInfo* mem_info,
                                          OrtAllocator** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(mem_info);
    SDX_NEED(out);
    SDX_TRY(check_on_cpu(*mem_info));
    *out = abi::make_allocator(*mem_info).release();
    return {};
  });
}

void ORT_API_CALL ReleaseAllocator(OrtAllocator* input) noexcept { abi::free_allocator(input); }

// The engine plans its own memory; a registration is checked and otherwise without effect.
OrtStatusPtr ORT_API_CALL CreateAndRegisterAllocator(OrtEnv* env, const OrtMemoryInfo* mem_info,
                                                     const OrtArenaCfg* /*arena_cfg*/) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(mem_info);
    return check_on_cpu(*mem_info);
  });
}

OrtStatusPtr ORT_API_CALL CreateAndRegisterAllocatorV2(OrtEnv* env, const char* provider_type,
                                                       const OrtMemoryInfo* mem_info, const OrtArenaCfg* /*arena_cfg*/,
                                                       const char* const* /*provider_options_keys*/,
                                                       const char* const* /*provider_options_values*/,
                                                       size_t /*num_keys*/) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(provider_type);
    SDX_NEED(mem_info);
    return check_on_cpu(*mem_info);
  });
}

OrtStatusPtr ORT_API_CALL RegisterAllocator(OrtEnv* env, OrtAllocator* allocator) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(allocator);
    const std::lock_guard lock(env->mutex);
    env->registered_allocators.push_back(allocator);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL UnregisterAllocator(OrtEnv* env, const OrtMemoryInfo* mem_info) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(env);
    SDX_NEED(mem_info);
    const std::lock_guard lock(env->mutex);
    std::erase_if(env->registered_allocators, [&](OrtAllocator* allocator) {
      const OrtMemoryInfo* info = allocator->Info == nullptr ? nullptr : allocator->Info(allocator);
      return info != nullptr && *info == *mem_info;
    });
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateArenaCfg(size_t max_mem, int arena_extend_strategy, int initial_chunk_size_bytes,
                                         int max_dead_bytes_per_chunk, OrtArenaCfg** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    *out = new OrtArenaCfg{max_mem, arena_extend_strategy, initial_chunk_size_bytes, max_dead_bytes_per_chunk, -1, -1};
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateArenaCfgV2(const char* const* arena_config_keys, const size_t* arena_config_values,
                                           size_t num_keys, OrtArenaCfg** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(out);
    if (num_keys > 0) {
      SDX_NEED(arena_config_keys);
      SDX_NEED(arena_config_values);
    }
    auto config = std::make_unique<OrtArenaCfg>();
    for (size_t i = 0; i < num_keys; ++i) {
      SDX_NEED(arena_config_keys[i]);
      SDX_TRY(set_arena_value(*config, arena_config_keys[i], arena_config_values[i]));
    }
    *out = config.release();
    return {};
  });
}

void ORT_API_CALL ReleaseArenaCfg(OrtArenaCfg* input) noexcept { delete input; }

}  // namespace ort_api
}  // namespace sdx::api
