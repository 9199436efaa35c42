// BitShift for unsigned integers.
#include "ops/native_loops.h"

namespace sdx::ops {
namespace {

Verdict takes_unsigned(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  return is_unsigned_integer(type) && bit_width(type) >= 8 ? yes() : no("only unsigned integers of whole bytes");
}

}  // namespace

SDX_CPU_KERNELS(bit_shift, {.name = "bit_shift", .can_run = takes_unsigned, .run = [](KernelContext& ctx) {
                              const bool left = ctx.attr_string("direction", "") == "LEFT";
                              return left ? run_native<Native::shift_left>(ctx) : run_native<Native::shift_right>(ctx);
                            }});

}  // namespace sdx::ops
