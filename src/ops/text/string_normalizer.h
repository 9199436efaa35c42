// What StringNormalizer's contract and kernel share.
#pragma once

#include <unordered_set>

#include "ops/op.h"
#include "ops/text/utf8.h"

namespace sdx::ops {

struct StringRules : KernelState {
  Case action = Case::unchanged;
  CaseRules case_rules = CaseRules::unicode;
  bool exact_case = false;
  std::unordered_set<std::string> stops;  // as they are compared
};
Result<StringRules> string_rules(const Attributes& attributes);
Status run_string_normalizer(KernelContext& ctx, const StringRules& rules);

}  // namespace sdx::ops
