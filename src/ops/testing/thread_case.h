// Same bits for any number of threads: what every swept kernel must hold.
#pragma once

#include <string>
#include <vector>

#include "base/function_ref.h"
#include "base/thread_pool.h"
#include "base/value.h"

namespace sdx::ops::testing {

// Expects the same bits without a pool and with pools of 2, 3 and 8 threads.
void expect_same_bits(FunctionRef<Result<std::vector<Value>>(ThreadPool* pool)> run, const std::string& where);

// Shapes large enough that kernels cut their work into blocks.
inline constexpr uint32_t kWideShapes = 2;
Shape wide_shape(uint32_t index);

}  // namespace sdx::ops::testing
