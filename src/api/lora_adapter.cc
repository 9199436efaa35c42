// LoRA adapters: read from a file or from bytes, and made active in run options.
#include "abi/lora_adapter.h"

#include "abi/options.h"
#include "answer.h"
#include "base/mapped_file.h"
#include "tables.h"

namespace sdx::api {
namespace ort_api {

// `allocator`: for a copy on a device; there is none but the CPU, and null is as good.
OrtStatusPtr ORT_API_CALL CreateLoraAdapter(const char* adapter_file_path, OrtAllocator* /*allocator*/,
                                            OrtLoraAdapter** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(adapter_file_path);
    SDX_NEED(out);
    SDX_ASSIGN(const auto file, MappedFile::open(adapter_file_path));
    auto adapter = abi::read_adapter(file->bytes());
    if (!adapter.ok()) return std::move(adapter).status().with_prefix(formatted("adapter \"{}\": ", adapter_file_path));
    *out = adapter->release();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL CreateLoraAdapterFromArray(const void* bytes, size_t num_bytes, OrtAllocator* /*allocator*/,
                                                     OrtLoraAdapter** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(bytes);
    SDX_NEED(out);
    SDX_ASSIGN(auto adapter, abi::read_adapter({static_cast<const std::byte*>(bytes), num_bytes}));
    *out = adapter.release();
    return {};
  });
}

void ORT_API_CALL ReleaseLoraAdapter(OrtLoraAdapter* input) noexcept { delete input; }

// The adapter must outlive the runs.
OrtStatusPtr ORT_API_CALL RunOptionsAddActiveLoraAdapter(OrtRunOptions* options,
                                                         const OrtLoraAdapter* adapter) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(adapter);
    options->adapters.push_back(adapter);
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
