// What leaves a run: values that own their memory alone.
#pragma once

#include <set>

#include "base/value.h"

namespace sdx::runtime {

// The value without an owner: an output that is a view of it is then seen to need a copy.
Value lent(const Value& value);

// The value itself where it owns its memory and none in `taken` shares it, else a copy. Adds its memory to `taken`.
Result<Value> detached(const Value& value, std::set<const void*>& taken);

}  // namespace sdx::runtime
