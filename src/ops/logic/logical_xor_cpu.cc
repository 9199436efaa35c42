// Xor of bytes that are 0 or 1.
#include <functional>

#include "ops/elementwise.h"

namespace sdx::ops {

SDX_CPU_KERNELS(logical_xor, {.name = "logical_xor", .can_run = takes<DType::boolean>, .run = [](KernelContext& ctx) {
                                return run_binary<uint8_t, uint8_t>(ctx,
                                                                    plain_binary<uint8_t, uint8_t, std::bit_xor<>>);
                              }});

}  // namespace sdx::ops
