// LabelEncoder's table, prepared once.
#pragma once

#include <unordered_map>

#include "ops/op.h"

namespace sdx::ops {

struct LabelTable : KernelState {
  DType key_type = DType::undefined;
  Tensor values, otherwise;  // a vector of the values; one element
  std::vector<std::string> texts;
  std::unordered_map<std::string_view, int64_t> by_text;  // key to position of its value
  std::unordered_map<uint64_t, int64_t> by_bits;          // integers, and floating keys by bits
};

Result<std::unique_ptr<LabelTable>> label_table(const Attributes& attributes);
Status run_label_encoder(KernelContext& ctx, const LabelTable& table);

}  // namespace sdx::ops
