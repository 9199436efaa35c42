// The passes that run, alone in its file: a program that defines the function itself leaves this one out.
#include "passes/pipeline.h"

namespace sdx::passes {

std::span<const Pass* const> all_passes() { return shipped_passes(); }

}  // namespace sdx::passes
