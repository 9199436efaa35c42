// What leaves a run: values that own their memory alone.
#pragma once

#include <algorithm>
#include <set>

#include "base/small_vector.h"
#include "base/value.h"

namespace sdx::runtime {

// The value without an owner: an output that is a view of it is then seen to need a copy.
Value lent(const Value& value);

// The memory of the values that left so far: few, as a rule.
class TakenMemory {
 public:
  bool insert(const void* memory) {  // false: somebody has it
    if (std::ranges::find(few_, memory) != few_.end()) return false;
    if (few_.size() == kFew) return many_.insert(memory).second;
    few_.push_back(memory);
    return true;
  }

 private:
  static constexpr size_t kFew = 16;
  SmallVector<const void*, kFew> few_;
  std::set<const void*> many_;
};

// The value itself where it owns its memory and none in `taken` shares it, else a copy. Adds its memory to `taken`.
Result<Value> detached(const Value& value, TakenMemory& taken);

}  // namespace sdx::runtime
