// The CPU: takes every operator that has a kernel or a reference. Always the last in the order of priority.
#pragma once

#include "providers/provider.h"

namespace sdx::providers {

const Provider& cpu_provider();

}  // namespace sdx::providers
