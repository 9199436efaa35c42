#include "ops/testing/op_case.h"

// Values by hand from the formula.
OP_CASES_IN("sardonyx", BlockChannels,
            {"three_channels",
             {f32({1, 3, 2}, {1, 2, 3, 4, 5, 6})},
             {f32({1, 1, 2, 16}, {1, 3, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                  2, 4, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})}},
            {"channels_last",
             {f32({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
             {f32({1, 1, 2, 16}, {1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                  4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
             {attr("channels_last", 1)}},
            {"a_second_block",
             {f16({1, 17}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})},
             {f16({1, 2, 16}, {0,  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,  //
                               16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0})}},
            {"no_channels", {f32({2, 0, 3}, {})}, {f32({2, 0, 3, 16}, {})}},
            {"nothing", {f32({0, 3, 2}, {})}, {f32({0, 1, 2, 16}, {})}});

OP_REJECTS_IN("sardonyx", BlockChannels, "the input has rank 1; batch and channels are wanted", {f32({2}, {0, 0})});

OP_SWEEP_IN(
    "sardonyx", BlockChannels, .shapes = [](uint32_t round) {
      return std::vector<::sdx::Shape>{{1 + round % 2, 1 + round * 7 % 50, 1 + round % 5, 1 + round * 3 % 23}};
    });
OP_SWEEP_IN(
    "sardonyx", BlockChannels, .types = {DType::f32, DType::bf16}, .attributes = {attr("channels_last", 1)},
    .shapes = [](uint32_t round) {
      return std::vector<::sdx::Shape>{{1 + round % 2, 1 + round % 29, 1 + round * 7 % 50}};
    });
