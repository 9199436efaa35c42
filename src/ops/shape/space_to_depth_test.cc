#include "ops/testing/op_case.h"

OP_CASES(SpaceToDepth,
         {"dcr",
          {f32({1, 1, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {f32({1, 4, 1, 2}, {0, 2, 1, 3, 4, 6, 5, 7})},
          {attr("blocksize", 2)}},
         {"crd",
          {i8({1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {i8({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {attr("blocksize", 2), attr("mode", "CRD")}},
         {"dcr_two_channels",
          {i8({1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {i8({1, 8, 1, 1}, {0, 4, 1, 5, 2, 6, 3, 7})},
          {attr("blocksize", 2)}});
OP_REJECTS(SpaceToDepth, "no multiple", {f32({1, 1, 3, 2}, {0})}, {attr("blocksize", 2)});
OP_REJECTS(SpaceToDepth, "not DCR or CRD", {f32({1, 1, 2, 2}, {0})}, {attr("blocksize", 2), attr("mode", "X")});
OP_SWEEP(
    SpaceToDepth, .types = {DType::u8, DType::f32}, .attributes = {attr("blocksize", 3)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 2, 1 + round % 5, 3 * (round % 4), 3 * (1 + round % 9)}};
    });
