// Which nodes become blocked, what they become, and where reorders remain.
#include <gmock/gmock.h>

#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

std::string init(std::string_view name, std::vector<int64_t> shape, double value = 0.5) {
  std::string dims, values;
  int64_t count = 1;
  for (const int64_t size : shape) {
    dims += formatted("{}{}", dims.empty() ? "" : ", ", size);
    count *= size;
  }
  for (int64_t i = 0; i < count; ++i) values += formatted("{}{}", i == 0 ? "" : ", ", value);
  return formatted("init {}: f32[{}] = {{{}}}\n", name, dims, values);
}

// A convolution from plain channels in front, one to plain channels behind; between them `body` from a to b. `more`:
// weights and inputs.
Outcome between(std::string_view more, std::string_view body, int64_t channels = 32, int64_t last = 32) {
  return after("block_layout fuse_blocked", "graph \"g\" {\ninput x: f32[n, 3, 40, 40]\n" +
                                                init("w", {channels, 3, 3, 3}) + init("v", {32, last, 3, 3}) +
                                                std::string(more) + "a: f32[?] = Conv(x, w)\n" + std::string(body) +
                                                "\ny: f32[?] = Conv(b, v)\noutput y\n}");
}
std::string blocked(std::string_view body, std::string_view more = "") { return between(more, body).text; }

TEST(block_layout, what_lies_between_convolutions_has_no_reorder) {
  const auto expect = [](std::string_view body, std::string_view ops, const std::string& more = "") {
    EXPECT_EQ(blocked(body, more), formatted("BlockedConv {}BlockedConv UnblockChannels", ops)) << body;
  };
  expect("b: f32[?] = Exp(a)", "Exp ");
  expect("b: f32[?] = MaxPool(a) {kernel_shape = ints[2, 2], strides = ints[2, 2], pads = ints[0, 1, 0, 1]}",
         "MaxPool ");
  expect("b: f32[?] = AveragePool(a) {kernel_shape = ints[2, 2]}", "AveragePool ");
  expect("b: f32[?] = Mul(a, s)", "Mul ", init("s", {32, 1, 1}));
  expect("b: f32[?] = Mul(s, a)", "Mul ", init("s", {1, 32, 1, 1}));
  expect("b: f32[?] = Mul(a, s)", "Mul ", init("s", {}));
  expect("b: f32[?] = Mul(a, s)", "Mul ", init("s", {38}));
  expect("b: f32[?] = PRelu(a, s)", "PRelu ", init("s", {32, 1, 1}));
  expect("g: f32[?] = GlobalAveragePool(a)\nb: f32[?] = Mul(a, g)", "ReduceMean Mul ");
  expect("g: f32[?] = ReduceMean(a, t) {keepdims = 1}\nb: f32[?] = Mul(a, g)", "ReduceMean Mul ",
         "init t: i64[2] = {-1, 2}\n");
  expect("c: f32[?] = Exp(a)\nd: f32[?] = Tanh(a)\nb: f32[?] = Mul(c, d)", "Exp Tanh Mul ");
  expect("b: f32[?] = BatchNormalization(a, s, s, s, s)", "BlockedAffine ", init("s", {32}));
  expect("c: f32[?] = BatchNormalization(a, s, s, s, s)\nb: f32[?] = Relu(c)", "BlockedAffine ", init("s", {32}));
  expect("b: f32[?] = Resize(a, _, r) {mode = \"nearest\"}", "Resize ", "init r: f32[4] = {1, 1, 2, 2}\n");
  expect("b: f32[?] = Resize(a, _, _, r) {mode = \"linear\", axes = ints[-2, -1]}", "Resize ",
         "init r: i64[2] = {50, 60}\n");
  expect("b: f32[?] = Pad(a, p)", "Pad ", "init p: i64[8] = {0, 0, 1, 2, 0, 0, 3, 4}\n");
  expect("b: f32[?] = Slice(a, p, q, t)", "Slice ",
         "init p: i64[2] = {0, -2}\ninit q: i64[2] = {9, 2}\ninit t: i64[2] = {-1, 2}\ninit u: i64[2] = {1, -1}\n");
  expect("b: f32[?] = Mul(a, i)", "Mul ", "input i: f32[1]\n");
}

TEST(block_layout, convolutions_take_in_what_is_behind_them) {
  EXPECT_EQ(blocked("b: f32[?] = Relu(a)"), "BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(blocked("b: f32[?] = HardSwish(a)"), "BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(blocked("h: f32[?] = HardSigmoid(a) {alpha = 0.16666667}\nb: f32[?] = Mul(h, a)"),
            "BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(blocked("h: f32[?] = HardSigmoid(a)\nb: f32[?] = Mul(h, a)"),
            "BlockedConv HardSigmoid Mul BlockedConv UnblockChannels")
      << "of another slope";
  EXPECT_EQ(blocked("h: f32[?] = Sigmoid(a)\nb: f32[?] = Mul(a, h)"), "BlockedConv BlockedConv UnblockChannels");
  const std::string weight = init("u", {32, 32, 1, 1});
  EXPECT_EQ(blocked("c: f32[?] = Conv(a, u)\nd: f32[?] = Add(c, a)\nb: f32[?] = Relu(d)", weight),
            "BlockedConv BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(blocked("c: f32[?] = Conv(a, u)\nr: f32[?] = Relu(c)\nb: f32[?] = Add(a, r)", weight),
            "BlockedConv BlockedConv Add BlockedConv UnblockChannels")
      << "the sum is behind the activation";
}

TEST(block_layout, sums_of_products_are_worth_a_reorder_where_several_follow_each_other) {
  const auto chain = [](int sums) {
    std::string text = "graph \"g\" {\ninput i: f32[1, 24, 56, 56]\n" + init("w", {96, 24, 1, 1}) +
                       "x: f32[?] = Softmax(i)\nc0: f32[?] = Conv(x, w)\n";
    for (int i = 1; i <= sums; ++i)
      text += formatted("c{}: f32[?] = com.microsoft.FusedConv(x, w, _, c{})\n", i, i - 1);
    return after("block_layout", text + formatted("output c{}\n}}", sums)).text;
  };
  EXPECT_EQ(chain(1), "Softmax Conv FusedConv");
  EXPECT_EQ(chain(9),
            "Softmax BlockChannels BlockedConv BlockedConv BlockedConv BlockedConv BlockedConv BlockedConv "
            "BlockedConv BlockedConv BlockedConv BlockedConv UnblockChannels");
}

TEST(fuse_blocked, scales_and_shifts_behind_an_activation) {
  const std::string numbers = init("s", {1}, 0.5) + init("t", {}, 3);
  const Outcome both = between(numbers, "c: f32[?] = HardSwish(a)\nd: f32[?] = Mul(c, s)\nb: f32[?] = Add(t, d)");
  EXPECT_EQ(both.text, "BlockedConv BlockedConv UnblockChannels");
  EXPECT_THAT(both.graph, testing::HasSubstr("activation_scale = 0.5"));
  EXPECT_THAT(both.graph, testing::HasSubstr("activation_shift = 3"));
  const Outcome turned = between(numbers, "c: f32[?] = Relu(a)\nd: f32[?] = Add(c, t)\nb: f32[?] = Mul(d, s)");
  EXPECT_EQ(turned.text, "BlockedConv BlockedConv UnblockChannels");
  EXPECT_THAT(turned.graph, testing::HasSubstr("activation_shift = 1.5"));
  EXPECT_EQ(blocked("c: f32[?] = Relu(a)\nb: f32[?] = Mul(c, u)", init("u", {1, 1, 38, 1})),
            "BlockedConv BlockedConv UnblockChannels")
      << "equal numbers";
  EXPECT_EQ(blocked("c: f32[?] = Relu(a)\nb: f32[?] = Mul(c, c)"), "BlockedConv Mul BlockedConv UnblockChannels");
  EXPECT_EQ(blocked("c: f32[?] = Relu(a)\nb: f32[?] = Mul(c, i)", "input i: f32[]\n"),
            "BlockedConv Mul BlockedConv UnblockChannels");
}

TEST(fuse_blocked, normalizations_read_what_is_joined_where_it_is) {
  const std::string numbers = init("s", {64}) + init("t", {96}) + init("k", {32, 64, 1, 1}) + init("l", {32, 96, 1, 1});
  const std::string two =
      "c: f32[?] = Exp(a)\nj: f32[?] = Concat(a, c) {axis = 1}\n"
      "n: f32[?] = BatchNormalization(j, s, s, s, s)\nd: f32[?] = Conv(n, k)\n";
  EXPECT_EQ(between(numbers, two + "b: f32[?] = Relu(d)").text,
            "BlockedConv Exp BlockedAffine BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(
      between(numbers, two + "e: f32[?] = Concat(j, d) {axis = 1}\nm: f32[?] = BatchNormalization(e, t, t, t, t)\n"
                             "b: f32[?] = Conv(m, l)")
          .text,
      "BlockedConv Exp BlockedAffine BlockedConv BlockedAffine BlockedConv BlockedConv UnblockChannels");
  EXPECT_THAT(between(numbers, two + "b: f32[?] = Relu(d)\nz: f32[?] = Exp(j)\noutput z").text,
              testing::HasSubstr("Concat"))
      << "what is joined is wanted";
}

TEST(block_layout, channels_in_blocks) {
  const std::string u = init("u", {24, 3, 3, 3}), s = "init s: i64[2] = {16, 16}\n";
  EXPECT_EQ(between(u, "c: f32[?] = Conv(x, u)\nb: f32[?] = Concat(a, c) {axis = 1}", 32, 56).text,
            "BlockedConv BlockedConv Concat BlockedConv UnblockChannels");
  EXPECT_THAT(between(u, "c: f32[?] = Conv(x, u)\nb: f32[?] = Concat(c, a) {axis = -3}", 32, 56).text,
              testing::HasSubstr("BlockedConv BlockedGather BlockedConv"))
      << "24 channels in front";
  EXPECT_EQ(blocked("c: f32[?], d: f32[?] = Split(a, s) {axis = 1}\nb: f32[?] = Concat(d, c) {axis = 1}", s),
            "BlockedConv Split Concat BlockedConv UnblockChannels");
  EXPECT_EQ(between("init f: i64[1] = {16}\ninit t: i64[1] = {32}\ninit i: i64[1] = {1}\n",
                    "b: f32[?] = Slice(a, f, t, i)", 32, 16)
                .text,
            "BlockedConv Slice BlockedConv UnblockChannels");
  EXPECT_THAT(between("init f: i64[1] = {8}\ninit t: i64[1] = {24}\ninit i: i64[1] = {1}\n",
                      "b: f32[?] = Slice(a, f, t, i)", 32, 16)
                  .text,
              testing::HasSubstr("BlockedConv BlockedGather BlockedConv"));
  EXPECT_THAT(between(init("k", {32, 20, 1, 1}) + "init s: i64[2] = {12, 20}\n",
                      "c: f32[?], d: f32[?] = Split(a, s) {axis = 1}\ne: f32[?] = Conv(d, k)\nb: f32[?] = Concat(c, e) "
                      "{axis = 1}",
                      32, 44)
                  .text,
              testing::HasSubstr("BlockedConv BlockedGather BlockedGather BlockedConv BlockedGather BlockedConv"));
}

// A shuffle of `groups` channels between grouped convolutions.
std::string shuffled(std::string_view split, std::string_view perm, std::string_view joined, std::string_view behind) {
  return after("fuse_shuffles block_layout fold_orders fuse_blocked",
               "graph \"g\" {\ninput x: f32[n, 3, 40, 40]\n" + init("w", {48, 3, 7, 7}) + init("k", {32, 24, 1, 1}) +
                   init("d", {48, 1, 3, 3}) + init("e", {48}) +
                   formatted("init s: i64[5] = {{{}}}\ninit j: i64[4] = {{{}}}\na: f32[?] = Conv(x, w)\n"
                             "p: f32[?] = Reshape(a, s)\nt: f32[?] = Transpose(p) {{perm = ints[{}]}}\n"
                             "q: f32[?] = Reshape(t, j)\n{}\noutput y\n}}",
                             split, joined, perm, behind))
      .text;
}

TEST(fold_orders, convolutions_take_in_a_shuffle) {
  const std::string split = "-1, 2, 24, 34, 34", joined = "-1, 48, 34, 34", perm = "0, 2, 1, 3, 4";
  const std::string grouped = "y: f32[?] = Conv(q, k) {group = 2}";
  EXPECT_EQ(shuffled(split, perm, joined, grouped), "BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(shuffled(split, perm, joined, "c: f32[?] = Conv(q, d, e) {group = 48}\ny: f32[?] = Conv(c, k) {group = 2}"),
            "BlockedConv BlockedConv BlockedConv UnblockChannels");
  EXPECT_EQ(shuffled(split, perm, joined, grouped + "\noutput q"), "BlockedConv BlockedGather UnblockChannels Conv")
      << "the shuffled channels are wanted";
  EXPECT_EQ(shuffled(split, perm, joined, "y: f32[?] = Conv(q, k) {group = 2, strides = ints[2, 2]}"),
            "BlockedConv BlockedGather UnblockChannels Conv")
      << "groups within blocks, with strides";
}

TEST(fuse_shuffles, only_of_channels) {
  const std::string grouped = "y: f32[?] = Conv(q, k) {group = 2}";
  EXPECT_THAT(shuffled("-1, 48, 2, 17, 34", "0, 1, 2, 3, 4", "-1, 48, 34, 34", grouped),
              testing::HasSubstr("Reshape Transpose Reshape"));
  EXPECT_THAT(shuffled("-1, 2, 24, 34, 34", "0, 2, 1, 4, 3", "-1, 48, 34, 34", grouped),
              testing::HasSubstr("Reshape Transpose Reshape"));
}

TEST(block_layout, channels_moved_to_or_from_the_last_axis_are_reordered_at_once) {
  EXPECT_EQ(after("block_layout", "graph \"g\" {\ninput x: f32[n, 40, 40, 32]\n" + init("w", {32, 32, 3, 3}) +
                                      "a: f32[?] = Transpose(x) {perm = ints[0, 3, 1, 2]}\nb: f32[?] = Conv(a, w)\n" +
                                      "y: f32[?] = Transpose(b) {perm = ints[0, 2, 3, 1]}\noutput y\n}")
                .text,
            "BlockChannels BlockedConv UnblockChannels");
  EXPECT_EQ(after("block_layout", "graph \"g\" {\ninput x: f32[n, 900, 32]\n" + init("w", {32, 32, 3}) +
                                      "a: f32[?] = Transpose(x) {perm = ints[0, 2, 1]}\nb: f32[?] = Conv(a, w)\n" +
                                      "y: f32[?] = Transpose(b) {perm = ints[0, 2, 1]}\noutput y\n}")
                .text,
            "BlockChannels BlockedConv UnblockChannels");
}

TEST(block_layout, transposed_convolutions_without_overlap) {
  const auto up = [](std::string_view attributes, std::string_view behind = "b: f32[?] = Relu(c)") {
    return blocked(formatted("c: f32[?] = ConvTranspose(a, u, s) {{{}}}\n{}", attributes, behind),
                   init("u", {32, 32, 2, 2}) + init("s", {32}));
  };
  EXPECT_EQ(up("strides = ints[2, 2]"), "BlockedConv BlockedConv BlockedDepthToSpace BlockedConv UnblockChannels");
  EXPECT_EQ(up("strides = ints[2, 2]", "b: f32[?] = Exp(c)"),
            "BlockedConv BlockedConv BlockedDepthToSpace Exp BlockedConv UnblockChannels");
  EXPECT_THAT(up("strides = ints[1, 1]"), testing::HasSubstr("ConvTranspose"));
  EXPECT_THAT(up("strides = ints[2, 2], pads = ints[0, 1, 0, 1]"), testing::HasSubstr("ConvTranspose"));
}

TEST(block_layout, one_number_for_all_channels) {
  const std::string gate = "input g: f32[n, 1, 38, 38]\n";
  EXPECT_EQ(blocked("b: f32[?] = Mul(g, a)", gate), "BlockedConv Unsqueeze Mul BlockedConv UnblockChannels");
}

TEST(block_layout, only_what_pays) {
  EXPECT_EQ(after("block_layout", "graph \"g\" {\ninput x: f32[n, 8, 4]\n" + init("w", {1, 8, 1}) +
                                      "y: f32[?] = Conv(x, w)\noutput y\n}")
                .text,
            "Conv")
      << "one output channel";
  EXPECT_EQ(after("block_layout", "graph \"g\" {\ninput x: f32[n, 8, 4]\ny: f32[?] = Exp(x)\noutput y\n}").text, "Exp");
  EXPECT_EQ(after("block_layout",
                  "graph \"g\" {\ninput x: f32[n, 8, 4]\ninput w: f32[8, 8, 1]\ny: f32[?] = Conv(x, "
                  "w)\noutput y\n}")
                .text,
            "Conv")
      << "no constant weight";
}

TEST(block_layout, windows_that_do_not_overlap_are_not_worth_a_reorder) {
  const auto alone = [](int64_t stride) {
    const std::string conv = formatted("y: f32[?] = Conv(x, w) {{strides = ints[{}, {}]}}\n", stride, stride);
    return after("block_layout",
                 "graph \"g\" {\ninput x: f32[n, 64, 64, 64]\n" + init("w", {64, 64, 2, 2}) + conv + "output y\n}")
        .text;
  };
  EXPECT_EQ(alone(2), "Conv");
  EXPECT_EQ(alone(1), "BlockChannels BlockedConv UnblockChannels");
}

TEST(block_layout, few_channels_of_an_input_are_read_as_they_are) {
  const auto alone = [](int64_t channels) {
    return after("block_layout", formatted("graph \"g\" {{\ninput x: f32[n, {}, 64, 64]\n", channels) +
                                     init("w", {64, channels, 3, 3}) + "y: f32[?] = Conv(x, w)\noutput y\n}")
        .text;
  };
  EXPECT_EQ(alone(31), "BlockedConv UnblockChannels");
  EXPECT_EQ(alone(32), "BlockChannels BlockedConv UnblockChannels");
}

TEST(block_layout, outputs_within_a_region_are_reordered_once) {
  const Outcome outcome = between("", "b: f32[?] = Exp(a)\noutput b\nc: f32[?] = Softmax(b)\noutput c");
  EXPECT_EQ(outcome.text, "BlockedConv Exp UnblockChannels Softmax BlockedConv UnblockChannels");
}

TEST(block_layout, a_symbolic_image) {
  const std::string text = "graph \"g\" {\ninput x: f32[n, 3, h, w]\n" + init("k", {32, 3, 3, 3}) +
                           init("v", {32, 32, 3, 3}) +
                           "a: f32[?] = Conv(x, k) {strides = ints[2, 2]}\nb: f32[?] = Relu(a)\n"
                           "y: f32[?] = Conv(b, v)\noutput y\n}";
  EXPECT_EQ(after("block_layout fuse_blocked", text).text, "BlockedConv BlockedConv UnblockChannels");
}

TEST(block_layout, stops_where_it_is_told_to) {
  const std::string text = "graph \"g\" {\ninput x: f32[1, 3, 40, 40]\n" + init("k", {32, 3, 3, 3}) +
                           init("v", {32, 32, 3, 3}) + "a: f32[?] = Conv(x, k)\ny: f32[?] = Conv(a, v)\noutput y\n}";
  EXPECT_EQ(after("block_layout", text, 1).text, "BlockedConv UnblockChannels Conv");
}

}  // namespace
}  // namespace sdx::passes
