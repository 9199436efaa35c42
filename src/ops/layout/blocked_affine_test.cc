#include "ops/testing/op_case.h"

// Values by hand from the formula.
OP_CASES_IN(
    "sardonyx", BlockedAffine,
    {"a_number_a_channel",
     {f32({1, 1, 2, 16}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,  //
                          0, 1, 0, 1, 0, 1, 0, 1, 0, 1,  0,  1,  0,  1,  0,  kInf}),
      f32({1, 16}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}),
      f32({1, 16}, {0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 0, 0, 0, 0, -1})},
     {f32({1, 1, 2, 16}, {1, 4, 4, 9, 7, 14, 10, 19, 9, 20, 11, 24, 13, 28, 15, 31,  //
                          0, 2, 1, 3, 2, 4,  3,  5,  0, 2,  0,  2,  0,  2,  0,  kInf})}},
    {"relu",
     {f32({1, 1, 16}, {1, -1, 2, -2, kNaN, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), f32({1, 16}, {2}), f32({1, 16}, {1})},
     {f32({1, 1, 16}, {3, 0, 5, 0, kNaN, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})},
     {attr("activation", "Relu")}},
    {"hard_swish",
     {f32({1, 1, 16}, {3, -3, -6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), f32({1, 16}, {1}), f32({1, 16}, {0})},
     {f32({1, 1, 16}, {3, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
     {attr("activation", "HardSwish")}},
    {"parts_of_x",
     {f32({2, 1, 16}, {1}), f32({3, 16}, {1}), f32({3, 16}, {10}), f32({2, 2, 16}, {2})},
     {f32({2, 3, 16}, {11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,  //
                       12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,  //
                       12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,  //
                       11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,  //
                       12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12,  //
                       12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12})}},
    {"nothing", {f32({0, 1, 16}, {}), f32({1, 16}, {1}), f32({1, 16}, {0})}, {f32({0, 1, 16}, {})}});

OP_REJECTS_IN("sardonyx", BlockedAffine, "blocks of scale or shift and of x: 2 and 1 differ",
              {f32({1, 1, 16}, {0}), f32({2, 16}, {0}), f32({2, 16}, {0})});
OP_REJECTS_IN("sardonyx", BlockedAffine, "scale or shift has rank 1",
              {f32({1, 1, 16}, {0}), f32({16}, {0}), f32({16}, {0})});

OP_SWEEP_IN(
    "sardonyx", BlockedAffine, .inputs = 3, .attributes = {attr("activation", "Sigmoid")}, .special_values = false,
    .shapes = [](uint32_t round) {
      const int64_t blocks = 1 + round % 3;
      return std::vector<sdx::Shape>{
          {1 + round % 2, blocks, 1 + round * 7 % 30, 1 + round * 3 % 31, 16}, {blocks, 16}, {blocks, 16}};
    });

OP_REJECTS_IN("sardonyx", BlockedAffine, "dimension 2 of input 3",
              {f32({1, 1, 2, 16}, {0}), f32({2, 16}, {0}), f32({2, 16}, {0}), f32({1, 1, 3, 16}, {0})});
OP_SWEEP_IN(
    "sardonyx", BlockedAffine, .inputs = 5, .attributes = {attr("activation", "Relu")}, .special_values = false,
    .shapes = [](uint32_t round) {
      const int64_t batch = 1 + round % 3, first = 1 + round % 4, more = 1 + round * 5 % 3, rows = 1 + round * 7 % 30;
      return std::vector<sdx::Shape>{{batch, first, rows, 19, 16},
                                     {first + more + 2, 16},
                                     {first + more + 2, 16},
                                     {batch, more, rows, 19, 16},
                                     {batch, 2, rows, 19, 16}};
    });
