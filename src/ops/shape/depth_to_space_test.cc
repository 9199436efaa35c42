#include "ops/testing/op_case.h"

OP_CASES(DepthToSpace,
         {"dcr",
          {f32({1, 4, 1, 2}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {f32({1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7})},
          {attr("blocksize", 2)}},
         {"crd_two_channels",
          {i8({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {i8({1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {attr("blocksize", 2), attr("mode", "CRD")}},
         {"dcr_two_channels",
          {i8({1, 8, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7})},
          {i8({1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7})},
          {attr("blocksize", 2)}});
OP_REJECTS(DepthToSpace, "no multiple", {f32({1, 3, 1, 1}, {0})}, {attr("blocksize", 2)});
OP_REJECTS(DepthToSpace, "positive", {f32({1, 3, 1, 1}, {0})}, {attr("blocksize", 0)});
OP_SWEEP(
    DepthToSpace, .types = {DType::u8, DType::f32}, .attributes = {attr("blocksize", 2)},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 2, 4 * (1 + round % 5), 1 + round % 7, 1 + round % 9}};
    });
