#include "ops/testing/op_case.h"

namespace {

using sdx::Value;

// [1, 1, 1, positions, 16] with the given lanes; 77 in the others.
Value lanes(std::initializer_list<std::initializer_list<double>> positions, double rest = 77) {
  Value made = sdx::ops::testing::f32({1, 1, static_cast<int64_t>(positions.size()), 16}, {rest});
  float* to = made.tensor().data<float>();
  for (const auto& position : positions) {
    std::copy(position.begin(), position.end(), to);
    to += 16;
  }
  return made;
}
const std::vector<int64_t> kOne2{1, 1}, kOne4{1, 1, 1, 1}, kUneven{0, 2, 1, 1}, kTwos{2, 2}, kUp{1, 2};

}  // namespace

OP_CASES_IN("sardonyx", BlockedConv,
            {"two_channels_to_three",
             {lanes({{1, 2}, {3, 4}}), f32({3, 2, 1}, {1, 10, 2, 20, 3, 30}), f32({3}, {0, 1, 2})},
             {lanes({{21, 43, 65}, {43, 87, 131}}, 0)}},
            {"padded_window",
             {lanes({{1}, {2}, {3}}), f32({1, 1, 3}, {1, 10, 100})},
             {lanes({{210}, {321}, {32}}, 0)},
             {attr("pads", kOne2)}},
            {"plain_input",
             {f32({1, 2, 2}, {1, 3, 2, 4}), f32({3, 2, 1}, {1, 10, 2, 20, 3, 30}), f32({3}, {0, 1, 2})},
             {lanes({{21, 43, 65}, {43, 87, 131}}, 0)},
             {attr("plain_input", 1)}},
            {"stride_and_dilation",
             {lanes({{1}, {2}, {3}, {4}, {5}, {6}, {7}}), f32({1, 1, 2}, {1, 10})},
             {lanes({{41}, {63}}, 0)},
             {attr("strides", std::vector<int64_t>{2}), attr("dilations", std::vector<int64_t>{3})}},
            {"depthwise_same_upper",
             {lanes({{1, -1}, {2, -2}, {3, -3}}), f32({2, 1, 2}, {1, 10, 1, 100})},
             {lanes({{21, -201}, {32, -302}, {3, -3}}, 0)},
             {attr("group", 2), attr("auto_pad", "SAME_UPPER")}},
            {"sum_then_relu",
             {lanes({{1, 2}, {3, 4}}), f32({1, 2, 1}, {1, 10}), none, lanes({{-22}, {1}})},
             {lanes({{0}, {44}}, 0)},
             {attr("activation", "Relu")}},
            {"sum_then_swish",
             {lanes({{1}}), f32({1, 1, 1}, {2}), f32({1}, {1}), lanes({{-1}})},
             {lanes({{1.7615941559557649}}, 0)},
             {attr("activation", "Swish")}},
            {"hard_swish",
             {lanes({{1}, {-9}, {5}}), f32({1, 1, 1}, {1})},
             {lanes({{0.6666666666666666}, {0}, {5}}, 0)},
             {attr("activation", "HardSwish")}},
            {"scaled_behind_the_activation",
             {lanes({{1}, {-9}, {5}}), f32({1, 1, 1}, {1})},
             {lanes({{2.3333333333333335}, {1}, {11}}, 0)},
             {attr("activation", "HardSwish"), attr("activation_scale", 2.0F), attr("activation_shift", 1.0F)}},
            {"scaled_behind_a_relu",
             {lanes({{3}, {-9}}), f32({1, 1, 1}, {1})},
             {lanes({{-5}, {1}}, 0)},
             {attr("activation", "Relu"), attr("activation_scale", -2.0F), attr("activation_shift", 1.0F)}},
            {"groups_within_a_block",
             {lanes({{1, 2, 3, 4}, {5, 6, 7, 8}}), f32({6, 2, 1}, {1, 10, 2, 20, 3, 30, 1, 100, 2, 200, 3, 300})},
             {lanes({{21, 42, 63, 403, 806, 1209}, {65, 130, 195, 807, 1614, 2421}}, 0)},
             {attr("group", 2)}},
            {"channels_in_another_order",
             {lanes({{1, 2, 3, 4}}), f32({2, 2, 1}, {1, 10, 1, 100}), f32({2}, {0, 1000})},
             {lanes({{31, 1402}}, 0)},
             {attr("group", 2), attr("input_order", std::vector<int64_t>{0, 2, 1, 3})}},
            {"filters_of_equal_elements",
             {f32({1, 2, 10, 10, 16}, {0.3}), f32({32, 32, 3, 3}, {0.1})},
             {f32({1, 2, 8, 8, 16}, {8.64})}},
            {"no_images", {f32({0, 1, 4, 16}, {}), f32({1, 1, 2}, {1})}, {f32({0, 1, 3, 16}, {})}},
            {"float16",
             {f16({1, 1, 2, 16}, {2}), f16({1, 3, 1}, {0.5, 1, 2})},
             {f16({1, 1, 2, 16},
                  {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})}});
OP_REJECTS_IN("sardonyx", BlockedConv, "blocked x has 8 lanes, 16 are wanted",
              {f32({1, 1, 5, 8}, {0}), f32({1, 3, 2}, {0})});
OP_REJECTS_IN("sardonyx", BlockedConv, "blocks of the weights' input channels",
              {f32({1, 2, 5, 16}, {0}), f32({1, 3, 2}, {0})});
OP_REJECTS_IN("sardonyx", BlockedConv, "dimension 2 of the output and z",
              {f32({1, 1, 5, 16}, {0}), f32({1, 3, 2}, {0}), none, f32({1, 1, 3, 16}, {0})});
OP_REJECTS_IN("sardonyx", BlockedConv, "input_order has 1 numbers for 2 channels",
              {f32({1, 1, 5, 16}, {0}), f32({1, 2, 1}, {0})}, {attr("input_order", std::vector<int64_t>{0})});
OP_REJECTS_IN("sardonyx", BlockedConv, "input_order holds 2 of 2 channels",
              {f32({1, 1, 5, 16}, {0}), f32({1, 2, 1}, {0})}, {attr("input_order", kUp)});
OP_REJECTS_IN("sardonyx", BlockedConv, "activation is \"Gelu\"", {f32({1, 1, 3, 16}, {0}), f32({1, 1, 1}, {0})},
              {attr("activation", "Gelu")});

namespace {

int64_t blocks(int64_t channels) { return (channels + 15) / 16; }

std::vector<sdx::Shape> squares(uint32_t r) {  // square kernels of 1 to 3
  const int64_t kernel = 1 + r % 3, channels = 1 + r * 5 % 39, outputs = 1 + r * 17 % 77;
  return {{1 + r % 2, blocks(channels), 3 + r * 11 % 17, 3 + r * 3 % 33, 16},
          {outputs, channels, kernel, kernel},
          {outputs}};
}
std::vector<sdx::Shape> with_sums(uint32_t r) {
  std::vector<sdx::Shape> made = squares(r);
  const int64_t kernel = made[1][2];
  made.push_back({made[0][0], blocks(made[1][0]), made[0][2] - kernel + 1, made[0][3] - kernel + 1, 16});
  return made;
}
std::vector<sdx::Shape> plain(uint32_t r) {
  const int64_t kernel = 1 + r * 2 % 7, channels = 1 + r % 5, outputs = 1 + r * 17 % 77;
  return {{1 + r % 2, channels, 7 + r * 11 % 17, 7 + r * 5 % 97}, {outputs, channels, kernel, kernel}, {outputs}};
}
std::vector<sdx::Shape> depthwise(uint32_t r) {
  return {{1 + r % 2, 3, 5 + r * 11 % 23, 5 + r * 3 % 41, 16}, {38, 1, 1 + r % 5, 1 + r % 4}, {38}};
}
std::vector<sdx::Shape> padded_depthwise(uint32_t r) {  // of narrow and wide planes, with a sum
  const sdx::Shape x{1 + r % 2, 3, 1 + r * 5 % 37, 1 + r * 7 % 67, 16};
  return {x, {38, 1, 1 + r % 3 * 2, 1 + r / 3 % 3 * 2}, {38}, x};
}
std::vector<sdx::Shape> depthwise_threes(uint32_t r) {  // of every width, with a sum
  const sdx::Shape x{1 + r % 2, 3, 2 + r * 5 % 37, 2 + r * 7 % 67, 16};
  return {x, {38, 1, 3, 3}, {38}, x};
}
std::vector<sdx::Shape> depthwise_threes_alone(uint32_t r) {
  std::vector<sdx::Shape> made = depthwise_threes(r);
  made.pop_back();
  return made;
}
std::vector<sdx::Shape> halved_depthwise_threes(uint32_t r) {
  std::vector<sdx::Shape> made = depthwise_threes(r);
  for (size_t axis : {2, 3}) made[3][axis] = (made[0][axis] + 1) / 2;
  return made;
}
std::vector<sdx::Shape> depthwise_volumes(uint32_t r) {
  return {{1, 3, 2 + r % 4, 3 + r % 9, 3 + r * 5 % 23, 16}, {38, 1, 1 + r % 3, 3, 1 + r % 4}, {38}};
}
std::vector<sdx::Shape> grouped(uint32_t r) {
  return {{1 + r % 2, 3, 3 + r * 11 % 23, 3 + r * 3 % 29, 16}, {96, 16, 1 + r % 3, 1 + r % 2}, {96}};
}
std::vector<sdx::Shape> uneven_groups(uint32_t r) {  // of three, with a sum
  const int64_t depth = 1 + r * 7 % 37, filters = 8 + r * 5 % 41, height = 1 + r * 3 % 7, width = 1 + r * 5 % 31;
  return {{1 + r % 2, blocks(3 * depth), height, width, 16},
          {3 * filters, depth, 1, 1},
          {3 * filters},
          {1 + r % 2, blocks(3 * filters), height, width, 16}};
}
std::vector<sdx::Shape> in_order(uint32_t r) {
  return {{1, 2, 1 + r * 3 % 7, 1 + r * 5 % 31, 16}, {24 + r * 4 % 40, 10, 1, 1}, {24 + r * 4 % 40}};
}
std::vector<int64_t> turned(int64_t count) {
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i) order.push_back(i * 7 % count);
  return order;
}
std::vector<sdx::Shape> plain_with_sums(uint32_t r) {
  std::vector<sdx::Shape> made = plain(r);
  made.push_back({made[0][0], blocks(made[1][0]), made[0][2], made[0][3], 16});
  return made;
}
std::vector<sdx::Shape> grouped_with_sums(uint32_t r) {
  std::vector<sdx::Shape> made = grouped(r);
  made.push_back({made[0][0], 6, made[0][2], made[0][3], 16});
  return made;
}
std::vector<sdx::Shape> strided_points(uint32_t r) {  // by two, with a sum
  const int64_t height = 1 + r * 3 % 11, width = 1 + r * 5 % 61;
  return {{1 + r % 2, 3, height, width, 16},
          {20 + r, 35, 1, 1},
          {20 + r},
          {1 + r % 2, blocks(20 + r), (height + 1) / 2, (width + 1) / 2, 16}};
}
// More channels than weights, or a copy of the input, are taken at once: sums go on in the output.
std::vector<sdx::Shape> deepest(uint32_t r) {
  const int64_t kernel = r % 4 == 3 ? 3 : 1, height = 2 + r % 3 * (kernel == 3 ? 5 : 1), width = 3 + r * 7 % 19;
  return {{1, 45, height, width, 16}, {33 + r % 9, 713, kernel, kernel}, {33 + r % 9}, {1, 3, height, width, 16}};
}
std::vector<sdx::Shape> lines(uint32_t r) { return {{1, 2, 20 + r * 13, 16}, {5 + r, 23, 3}, {5 + r}}; }
std::vector<sdx::Shape> columns(uint32_t r) {  // of width one
  return {{1 + r % 2, 2, 20 + r * 13, 1, 16}, {5 + 9 * r, 23, 3 + r % 3, 1}, {5 + 9 * r}};
}
std::vector<sdx::Shape> volumes(uint32_t r) {
  return {{1, 2, 3 + r % 4, 3 + r % 5, 3 + r % 7, 16}, {20, 23, 1 + r % 3, 1 + r % 2, 2}, {20}};
}
std::vector<sdx::Shape> volumes_with_sums(uint32_t r) {
  std::vector<sdx::Shape> made = volumes(r);
  made.push_back({1, 2, made[0][2], made[0][3], made[0][4], 16});
  return made;
}
std::vector<sdx::Shape> deep(uint32_t r) {
  const int64_t kernel = r % 2 == 0 ? 1 : 3;
  return {{1, 20, 3 + r % 6, 3 + r % 11, 16}, {38, 313, kernel, kernel}, {38}};
}

std::vector<sdx::Shape> points(uint32_t r) {  // of volumes
  return {{1 + r % 2, 3, 1 + r % 4, 1 + r * 3 % 11, 1 + r * 5 % 23, 16}, {20 + r, 35, 1, 1, 1}, {20 + r}};
}

std::vector<sdx::Shape> threes(uint32_t r) {
  const int64_t channels = 32 + r * 5 % 39, outputs = 32 + r * 17 % 77, height = 3 + r * 7 % 23,
                width = 3 + r * 11 % 29;
  return {{1 + r % 2, blocks(channels), height, width, 16},
          {outputs, channels, 3, 3},
          {outputs},
          {1 + r % 2, blocks(outputs), height, width, 16}};
}

}  // namespace
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .types = {DType::f32, DType::f64}, .special_values = false,
            .shapes = squares);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .special_values = false, .shapes = columns);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("pads", std::vector<int64_t>{2, 0, 1, 0})},
            .special_values = false, .shapes = columns);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("activation", "LeakyRelu")},
            .special_values = false, .shapes = with_sums);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("plain_input", 1), attr("auto_pad", "SAME_UPPER"), attr("activation", "Relu")},
            .special_values = false, .shapes = plain_with_sums);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("group", 3), attr("auto_pad", "SAME_UPPER")},
            .special_values = false, .shapes = grouped_with_sums);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("auto_pad", "SAME_UPPER"), attr("activation", "Swish")}, .special_values = false,
            .shapes = volumes_with_sums);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("strides", kTwos), attr("activation", "Relu")},
            .special_values = false, .shapes = strided_points);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("auto_pad", "SAME_UPPER"), attr("activation", "Relu")}, .special_values = false,
            .shapes = deepest);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("pads", kOne4), attr("strides", kTwos)},
            .special_values = false, .shapes = squares);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("strides", kTwos)}, .special_values = false,
            .shapes = squares);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("strides", std::vector<int64_t>{2, 1, 3})},
            .special_values = false, .shapes = points);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("auto_pad", "SAME_LOWER"), attr("dilations", kTwos)}, .special_values = false,
            .shapes = squares);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("plain_input", 1), attr("auto_pad", "SAME_UPPER")}, .special_values = false,
            .shapes = plain);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("plain_input", 1), attr("pads", kUneven), attr("strides", kTwos)},
            .special_values = false, .shapes = plain);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("plain_input", 1), attr("strides", std::vector<int64_t>{1, 3})},
            .special_values = false, .shapes = plain);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("group", 38)}, .special_values = false,
            .shapes = depthwise);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("group", 38), attr("pads", kUneven), attr("strides", kTwos)}, .special_values = false,
            .shapes = depthwise);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("group", 38), attr("auto_pad", "SAME_UPPER"), attr("dilations", kTwos)},
            .special_values = false, .shapes = depthwise);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("group", 38), attr("auto_pad", "SAME_UPPER"), attr("activation", "HardSwish"),
                           attr("activation_scale", 0.5F), attr("activation_shift", -2.0F)},
            .special_values = false, .shapes = padded_depthwise);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("group", 38), attr("auto_pad", "SAME_LOWER"), attr("activation", "Swish")},
            .special_values = false, .shapes = padded_depthwise);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("group", 38), attr("pads", kOne4), attr("activation", "Relu")}, .special_values = false,
            .shapes = depthwise_threes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("group", 38), attr("pads", kOne4)},
            .special_values = false, .shapes = depthwise_threes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3,
            .attributes = {attr("group", 38), attr("pads", kOne4), attr("activation", "Relu")}, .special_values = false,
            .shapes = depthwise_threes_alone);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("group", 38),
                           attr("pads", kOne4),
                           attr("strides", kTwos),
                           attr("activation", "Clip"),
                           {"activation_params", std::vector<float>{-40.0F, 60.0F}}},
            .special_values = false, .shapes = halved_depthwise_threes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("group", 38), attr("pads", std::vector<int64_t>{2, 1, 2, 1}),
                           attr("dilations", std::vector<int64_t>{2, 1}), attr("strides", kTwos)},
            .special_values = false, .shapes = halved_depthwise_threes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("group", 38), attr("auto_pad", "SAME_UPPER")},
            .special_values = false, .shapes = depthwise_volumes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("group", 3), attr("pads", kUneven)},
            .special_values = false, .shapes = grouped);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("group", 3), attr("activation", "Relu")},
            .special_values = false, .shapes = uneven_groups);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("activation", "HardSwish"), attr("activation_scale", 0.5F),
                           attr("activation_shift", -2.0F)},
            .special_values = false, .shapes = with_sums);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4,
            .attributes = {attr("pads", kOne4), attr("activation", "Relu"), attr("activation_scale", 0.5F),
                           attr("activation_shift", -2.0F)},
            .special_values = false, .shapes = threes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("group", 3), attr("activation", "HardSwish")},
            .special_values = false, .shapes = uneven_groups);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("group", 2), attr("input_order", turned(20))},
            .special_values = false, .shapes = in_order);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("strides", std::vector<int64_t>{3})},
            .special_values = false, .shapes = lines);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("auto_pad", "SAME_UPPER")},
            .special_values = false, .shapes = volumes);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 3, .attributes = {attr("pads", kOne4)}, .special_values = false,
            .shapes = deep);
OP_SWEEP_IN("sardonyx", BlockedConv, .inputs = 4, .attributes = {attr("pads", kOne4), attr("activation", "HardSwish")},
            .special_values = false, .shapes = threes);
