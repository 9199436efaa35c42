// Cast between native types and 16-bit floats.
#include "ops/convert/cast_elements.h"

namespace sdx::ops {
namespace {

Verdict can_run_cast(const NodeFacts& facts) {
  return can_cast(facts.dtype(0), dtype_from_onnx(facts.attr_int("to", 0)));
}

}  // namespace

SDX_CPU_KERNELS(cast, {.name = "cast", .can_run = can_run_cast, .run = run_cast});

}  // namespace sdx::ops
