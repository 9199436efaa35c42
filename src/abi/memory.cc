#include "abi/memory.h"

#include <cstdlib>
#include <cstring>

#include "abi/key_values.h"

namespace sdx::abi {
namespace {

// The public struct comes first, so that a pointer to it is one to the whole.
struct CpuAllocator : OrtAllocator {
  explicit CpuAllocator(const OrtMemoryInfo& memory_info) : OrtAllocator{}, info(memory_info) {
    version = ORT_API_VERSION;
    Alloc = [](OrtAllocator*, size_t size) { return allocate(size); };
    Free = [](OrtAllocator*, void* data) { std::free(data); };
    Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* {
      return &static_cast<const CpuAllocator*>(self)->info;
    };
    Reserve = Alloc;
    GetStats = [](const OrtAllocator*, OrtKeyValuePairs** out) -> OrtStatusPtr {
      *out = new (std::nothrow) OrtKeyValuePairs();
      return nullptr;
    };
    AllocOnStream = [](OrtAllocator*, size_t size, OrtSyncStream*) { return allocate(size); };
    Shrink = [](OrtAllocator*) -> OrtStatusPtr { return nullptr; };
  }

  static void* allocate(size_t size) {
    void* data = nullptr;
    return posix_memalign(&data, kTensorAlignment, size == 0 ? 1 : size) == 0 ? data : nullptr;
  }

  OrtMemoryInfo info;
};

}  // namespace

const OrtMemoryInfo& cpu_memory() {
  static const auto* const info = new OrtMemoryInfo();
  return *info;
}

bool is_cpu(const OrtMemoryInfo& info) {
  return info.device_type == OrtMemoryInfoDeviceType_CPU || info.mem_type == OrtMemTypeCPUOutput ||
         info.mem_type == OrtMemTypeCPUInput || info.device_mem_type == OrtDeviceMemoryType_HOST_ACCESSIBLE;
}

MemoryInfo to_engine(const OrtMemoryInfo& info) {
  if (is_cpu(info)) return {};
  const Device device = info.device_type == OrtMemoryInfoDeviceType_GPU ? Device::gpu : Device::npu;
  return {device, info.id, info.vendor_id};
}

OrtAllocator& default_allocator() {
  static auto* const allocator = new CpuAllocator(cpu_memory());
  return *allocator;
}

std::unique_ptr<OrtAllocator, void (*)(OrtAllocator*)> make_allocator(const OrtMemoryInfo& info) {
  return {new CpuAllocator(info), free_allocator};
}

void free_allocator(OrtAllocator* allocator) {
  static const auto free_of_ours = default_allocator().Free;
  if (allocator == nullptr || allocator == &default_allocator() || allocator->Free != free_of_ours) return;
  delete static_cast<CpuAllocator*>(allocator);
}

Result<std::shared_ptr<void>> allocate_with(OrtAllocator& allocator, size_t bytes) {
  void* data = allocator.Alloc(&allocator, bytes == 0 ? 1 : bytes);
  if (data == nullptr)
    return make_error(Code::runtime_exception, "the allocator that was given has no {} bytes", bytes);
  return std::shared_ptr<void>(data, [&allocator](void* memory) { allocator.Free(&allocator, memory); });
}

Status copy_text(std::string_view text, OrtAllocator& allocator, char** out) {
  void* data = allocator.Alloc(&allocator, text.size() + 1);
  if (data == nullptr)
    return make_error(Code::runtime_exception, "the allocator that was given has no {} bytes for a text",
                      text.size() + 1);
  std::memcpy(data, text.data(), text.size());
  static_cast<char*>(data)[text.size()] = '\0';
  *out = static_cast<char*>(data);
  return {};
}

}  // namespace sdx::abi
