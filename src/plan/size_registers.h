// The sizes of a program for numbers of the model's symbols, without a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plan/program.h"

namespace sdx::plan {

// The registers that hold symbols; the others are 0 until a stage is evaluated. Fails, naming it, where a symbol that a
// size needs has no number.
Result<std::vector<int64_t>> symbol_registers(const Program& program, const std::map<std::string, int64_t>& symbols);

// Of all stages; nothing where a size is negative or more than can be addressed.
Result<std::vector<int64_t>> size_registers(const Program& program, const std::map<std::string, int64_t>& symbols);

}  // namespace sdx::plan
