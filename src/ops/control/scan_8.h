// Scan before opset 9: batched, over axis 1, with optional lengths of the sequences.
#pragma once

#include "ops/upgrade.h"

namespace sdx::ops {

Status scan_8_to_9(UpgradeContext& ctx);

}  // namespace sdx::ops
