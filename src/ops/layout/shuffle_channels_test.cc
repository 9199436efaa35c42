#include "ops/testing/op_case.h"

OP_CASES_IN("sardonyx", ShuffleChannels,
            {"two_groups",
             {f32({1, 6, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})},
             {f32({1, 6, 2}, {1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12})},
             {attr("groups", 2)}},
            {"images_of_one_number",
             {f32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})},
             {f32({2, 4}, {1, 3, 2, 4, 5, 7, 6, 8})},
             {attr("groups", 2)}},
            {"nothing", {f32({0, 4, 3}, {})}, {f32({0, 4, 3}, {})}, {attr("groups", 4)}});
OP_REJECTS_IN("sardonyx", ShuffleChannels, "groups is 0", {f32({1, 4}, {0})});
OP_REJECTS_IN("sardonyx", ShuffleChannels, "channels", {f32({1, 4}, {0})}, {attr("groups", 3)});

namespace {

std::vector<sdx::Shape> images(uint32_t r) { return {{1 + r % 3, 3 * (1 + r % 7), 1 + r * 5 % 23, r % 5 * 7}}; }

}  // namespace
OP_SWEEP_IN("sardonyx", ShuffleChannels, .types = {DType::f32, DType::f16, DType::bf16, DType::f64},
            .attributes = {attr("groups", 3)}, .shapes = images);
