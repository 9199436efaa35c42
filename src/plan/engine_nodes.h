// Nodes that only the partition makes, and that no model can name: groups that a provider has compiled, and copies
// between memories.
#pragma once

#include "ops/op.h"
#include "providers/provider.h"

namespace sdx::plan {

inline constexpr std::string_view kEngineDomain = "sardonyx.engine";
inline constexpr std::string_view kCompiledGroup = "CompiledGroup";
inline constexpr std::string_view kCopyToHost = "MemcpyToHost", kCopyFromHost = "MemcpyFromHost";

bool is_compiled_group(const Node& node);
bool is_copy(const Node& node);

// Of any node; null where nobody knows its operator.
const ops::Contract* contract_of(const Node& node);

// What runs them, with its state ready.
struct ReadyKernel {
  const Kernel* kernel = nullptr;
  std::shared_ptr<const KernelState> state;
};
ReadyKernel group_kernel(std::shared_ptr<const providers::Executable> executable);
ReadyKernel copy_kernel(const Node& node, const providers::DeviceMemory& memory);

}  // namespace sdx::plan
