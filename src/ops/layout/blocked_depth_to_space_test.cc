#include <algorithm>

#include "ops/testing/op_case.h"

namespace {

using Ints = std::vector<int64_t>;

// [1, blocks, positions..., 16], each position filled with one number.
sdx::Value filled(sdx::ops::testing::Dims shape, std::initializer_list<double> numbers) {
  sdx::Value made = sdx::ops::testing::f32(shape, {0});
  float* to = made.tensor().data<float>();
  for (const double number : numbers) to = std::fill_n(to, 16, static_cast<float>(number));
  return made;
}

}  // namespace

// Values by hand from the formula.
OP_CASES_IN("sardonyx", BlockedDepthToSpace,
            {"one_axis",
             {filled({1, 2, 3, 16}, {1, 2, 3, 4, 5, 6})},
             {filled({1, 1, 6, 16}, {1, 4, 2, 5, 3, 6})},
             {attr("factors", Ints{2})}},
            {"blocks_of_each_part",
             {filled({1, 4, 1, 16}, {1, 2, 3, 4})},
             {filled({1, 2, 2, 16}, {1, 3, 2, 4})},
             {attr("factors", Ints{2})}},
            {"two_axes",
             {filled({1, 4, 1, 2, 16}, {1, 2, 3, 4, 5, 6, 7, 8})},
             {filled({1, 1, 2, 4, 16}, {1, 3, 2, 4, 5, 7, 6, 8})},
             {attr("factors", Ints{2, 2})}},
            {"nothing", {f32({0, 2, 3, 16}, {})}, {f32({0, 1, 6, 16}, {})}, {attr("factors", Ints{2})}});

OP_REJECTS_IN("sardonyx", BlockedDepthToSpace, "factors holds 0", {f32({1, 2, 1, 16}, {0})},
              {attr("factors", Ints{0})});
OP_REJECTS_IN("sardonyx", BlockedDepthToSpace, "the input has rank 4 for 2 factors", {f32({1, 4, 1, 16}, {0})},
              {attr("factors", Ints{2, 2})});
OP_REJECTS_IN("sardonyx", BlockedDepthToSpace, "blocks of channels", {f32({1, 3, 1, 16}, {0})},
              {attr("factors", Ints{2})});

OP_SWEEP_IN(
    "sardonyx", BlockedDepthToSpace, .attributes = {attr("factors", Ints{2, 3})}, .shapes = [](uint32_t round) {
      return std::vector<sdx::Shape>{{1 + round % 2, 6 * (1 + round % 3), 1 + round % 5, 1 + round * 3 % 23, 16}};
    });
