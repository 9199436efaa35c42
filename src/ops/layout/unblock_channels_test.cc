#include "ops/testing/op_case.h"

// Values by hand from the formula.
OP_CASES_IN("sardonyx", UnblockChannels,
            {"three_channels",
             {f32({1, 1, 2, 16}, {1, 3, 5, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                  2, 4, 6, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
             {f32({1, 3, 2}, {1, 2, 3, 4, 5, 6})},
             {attr("channels", 3)}},
            {"channels_last",
             {f32({1, 1, 2, 16}, {1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                  4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
             {f32({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
             {attr("channels", 3), attr("channels_last", 1)}},
            {"a_second_block",
             {f16({1, 2, 16}, {0,  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,  //
                               16, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,  9,  9,  9,  9,  9})},
             {f16({1, 17}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})},
             {attr("channels", 17)}},
            {"nothing", {f32({1, 1, 0, 16}, {})}, {f32({1, 3, 0}, {})}, {attr("channels", 3)}});

OP_REJECTS_IN("sardonyx", UnblockChannels, "lanes: 3 and 16 differ", {f32({1, 1, 3}, {0, 0, 0})},
              {attr("channels", 3)});
OP_REJECTS_IN("sardonyx", UnblockChannels, "blocks of channels: 1 and 2 differ", {f32({1, 1, 16}, {0})},
              {attr("channels", 17)});
OP_REJECTS_IN("sardonyx", UnblockChannels, "channels is -1; a number from 0 on is wanted", {f32({1, 1, 16}, {0})});

OP_SWEEP_IN(
    "sardonyx", UnblockChannels, .types = {DType::f32, DType::f16}, .attributes = {attr("channels", 37)},
    .shapes = [](uint32_t round) {
      return std::vector<::sdx::Shape>{{1 + round % 2, 3, 1 + round % 5, 1 + round * 3 % 23, 16}};
    });
OP_SWEEP_IN(
    "sardonyx", UnblockChannels, .attributes = {attr("channels", 20), attr("channels_last", 1)},
    .shapes = [](uint32_t round) {
      return std::vector<::sdx::Shape>{{1 + round % 2, 2, 1 + round % 29, 16}};
    });
