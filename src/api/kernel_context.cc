// What a kernel of a custom operator asks of a run.
#include "abi/kernel.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace ort_api {

OrtStatusPtr ORT_API_CALL KernelContext_GetInputCount(const OrtKernelContext* context, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    *out = context->inputs.size();
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetOutputCount(const OrtKernelContext* context, size_t* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    *out = context->outputs.size();
    return {};
  });
}

// An omitted input is a null pointer.
OrtStatusPtr ORT_API_CALL KernelContext_GetInput(const OrtKernelContext* context, size_t index,
                                                 const OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    if (index >= context->inputs.size())
      return invalid_argument("input {} is asked for, the node has {}", index, context->inputs.size());
    *out = context->inputs[index];
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetOutput(OrtKernelContext* context, size_t index, const int64_t* dim_values,
                                                  size_t dim_count, OrtValue** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    if (dim_count > 0) SDX_NEED(dim_values);
    SDX_ASSIGN(*out, abi::output_of(*context, index, {dim_values, dim_count}));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetPreallocatedOutput(const OrtKernelContext* context, size_t /*output_index*/,
                                                              OrtValue** output) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(output);
    *output = nullptr;  // none is: KernelContext_GetOutput makes it
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetGPUComputeStream(const OrtKernelContext* context, void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    *out = nullptr;
    return {};
  });
}
OrtStatusPtr ORT_API_CALL KernelContext_GetSyncStream(const OrtKernelContext* context, OrtSyncStream** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(out);
    *out = nullptr;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetLogger(const OrtKernelContext* context, const OrtLogger** logger) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(logger);
    *logger = context->logger;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetAllocator(const OrtKernelContext* context, const OrtMemoryInfo* mem_info,
                                                     OrtAllocator** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(mem_info);
    SDX_NEED(out);
    if (!abi::is_cpu(*mem_info)) return not_implemented("memory of {} has no allocator here", mem_info->name);
    *out = &abi::default_allocator();
    return {};
  });
}

// Memory until the run of the node ends.
OrtStatusPtr ORT_API_CALL KernelContext_GetScratchBuffer(const OrtKernelContext* context, const OrtMemoryInfo* mem_info,
                                                         size_t count_or_bytes, void** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(mem_info);
    SDX_NEED(out);
    SDX_ASSIGN(auto memory, abi::allocate_with(abi::default_allocator(), count_or_bytes));
    *out = memory.get();
    const_cast<OrtKernelContext*>(context)->scratch.push_back(std::move(memory));
    return {};
  });
}

OrtStatusPtr ORT_API_CALL KernelContext_GetResource(const OrtKernelContext* context, int /*resource_version*/,
                                                    int resource_id, void** resource) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(resource);
    return not_implemented("the resource {} is a GPU's; custom operators run on the CPU", resource_id);
  });
}

// In batches cut by `num_batch` alone; 0: one element each.
OrtStatusPtr ORT_API_CALL KernelContext_ParallelFor(const OrtKernelContext* context, void (*fn)(void*, size_t),
                                                    size_t total, size_t num_batch, void* usr_data) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(context);
    SDX_NEED(fn);
    const size_t batches = num_batch == 0 ? total : std::min(num_batch, total);
    const auto batch = [&](int64_t index) {
      const size_t i = static_cast<size_t>(index);
      for (size_t k = total * i / batches; k < total * (i + 1) / batches; ++k) fn(usr_data, k);
    };
    ThreadPool* const pool = context->environment == nullptr ? nullptr : context->environment->pool;
    if (pool != nullptr && batches > 1) {
      pool->parallel_for(static_cast<int64_t>(batches), batch);
      return {};
    }
    for (size_t i = 0; i < batches; ++i) batch(static_cast<int64_t>(i));
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
