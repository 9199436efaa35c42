// What kernels of custom operators are given: the node (OrtKernelInfo) and one run of it (OrtKernelContext).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abi/env.h"
#include "abi/type_info.h"
#include "abi/value.h"
#include "graph/attribute.h"
#include "kernel/kernel.h"

struct OrtKernelInfo {
  struct Operand {
    std::string name;
    OrtTypeInfo type;
    std::shared_ptr<const OrtValue> constant;  // null: known by runs only
  };
  std::string name, op, domain;
  int since_version = 1;
  sdx::Attributes attributes;
  std::vector<Operand> inputs, outputs;  // an omitted one has no name
  std::map<std::string, std::string> config;
  const OrtLogger* logger = nullptr;
};

struct OrtKernelContext {
  struct Output {
    bool wanted = false;
    sdx::DType dtype = sdx::DType::undefined;
    std::unique_ptr<OrtValue> value;  // once the kernel asked for it
  };
  std::vector<const OrtValue*> inputs;  // null: omitted
  std::vector<Output> outputs;
  const OrtLogger* logger = nullptr;
  const sdx::RunEnvironment* environment = nullptr;
  std::vector<std::shared_ptr<void>> scratch;
};

namespace sdx::abi {

// The output's value, made with its first call.
Result<OrtValue*> output_of(OrtKernelContext& context, size_t index, std::span<const int64_t> dims);

}  // namespace sdx::abi
