// ZipMap with its keys prepared once a session; the maps of a run share a copy.
#include "ops/ml/zip_map.h"

namespace sdx::ops {
namespace {

struct PreparedKeys : KernelState {
  Tensor keys;
};

}  // namespace

SDX_CPU_KERNELS(zip_map, {.name = "zip_map",
                          .can_run = [](const NodeFacts&) { return yes(); },
                          .prepare = [](const NodeFacts& facts) -> Result<std::unique_ptr<KernelState>> {
                            auto prepared = std::make_unique<PreparedKeys>();
                            SDX_ASSIGN(prepared->keys, zip_map_keys(facts.attributes()));
                            return std::unique_ptr<KernelState>(std::move(prepared));
                          },
                          .run = [](KernelContext& ctx) -> Status {
                            SDX_ASSIGN(const Tensor keys, clone(ctx.state<PreparedKeys>().keys));
                            return run_zip_map(ctx, keys);
                          }});

}  // namespace sdx::ops
