// Memory as the ABI sees it: OrtMemoryInfo, the default allocator, and memory that callers' allocators hand out.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/tensor.h"
#include "onnxruntime_c_api.h"

struct OrtMemoryInfo {
  std::string name = "Cpu";
  OrtAllocatorType allocator_type = OrtDeviceAllocator;
  int id = 0;
  OrtMemType mem_type = OrtMemTypeDefault;
  OrtMemoryInfoDeviceType device_type = OrtMemoryInfoDeviceType_CPU;
  uint32_t vendor_id = 0;
  OrtDeviceMemoryType device_mem_type = OrtDeviceMemoryType_DEFAULT;
  size_t alignment = 0;
  friend bool operator==(const OrtMemoryInfo&, const OrtMemoryInfo&) = default;
};

// Settings of an arena. They are read and kept; memory does not come from arenas here.
struct OrtArenaCfg {
  size_t max_mem = 0;
  int arena_extend_strategy = -1;
  int initial_chunk_size_bytes = -1;
  int max_dead_bytes_per_chunk = -1;
  int initial_growth_chunk_size_bytes = -1;
  int64_t max_power_of_two_extend_bytes = -1;
};

namespace sdx::abi {

const OrtMemoryInfo& cpu_memory();
bool is_cpu(const OrtMemoryInfo& info);
MemoryInfo to_engine(const OrtMemoryInfo& info);

// The CPU's, of the whole process. Never freed.
OrtAllocator& default_allocator();

// An allocator of its own handle with the info given; CPU memory.
std::unique_ptr<OrtAllocator, void (*)(OrtAllocator*)> make_allocator(const OrtMemoryInfo& info);
void free_allocator(OrtAllocator* allocator);  // what make_allocator made; others are left alone

// Memory of `allocator`, given back to it with the last owner.
Result<std::shared_ptr<void>> allocate_with(OrtAllocator& allocator, size_t bytes);

// A text for the caller to free with `allocator`.
Status copy_text(std::string_view text, OrtAllocator& allocator, char** out);

}  // namespace sdx::abi
