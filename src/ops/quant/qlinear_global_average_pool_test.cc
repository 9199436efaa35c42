#include "ops/testing/op_case.h"

// Values from onnxruntime 1.32.
OP_CASES_IN("com.microsoft", QLinearGlobalAveragePool,
            {"channels_first",
             {u8({2, 3, 3, 5},
                 {122, 98,  37,  54,  178, 204, 74,  160, 223, 37,  70,  134, 143, 101, 102, 33,  156, 238,
                  50,  204, 46,  11,  191, 46,  192, 84,  145, 240, 235, 121, 52,  64,  217, 150, 43,  226,
                  246, 248, 159, 249, 155, 128, 248, 154, 201, 86,  202, 249, 13,  137, 94,  13,  21,  68,
                  49,  183, 54,  160, 219, 126, 32,  17,  75,  105, 126, 78,  217, 145, 247, 239, 181, 7,
                  54,  191, 139, 241, 180, 209, 13,  75,  174, 162, 94,  40,  150, 22,  171, 205, 171, 16}),
              f32({}, {0.013}), u8({}, {100}), f32({}, {0.011}), u8({}, {70})},
             {u8({2, 3, 1, 1}, {89, 109, 152, 84, 98, 103})}},
            {"channels_last",
             {i8({1, 3, 2, 3}, {5, -51, 14, 46, -78, -119, -2, 30, -96, 108, -5, 119, 9, 58, 70, -1, -28, 42}),
              f32({}, {0.013}), i8({}, {-10}), f32({}, {0.011}), i8({}, {7})},
             {i8({1, 1, 1, 3}, {51, 4, 25})},
             {attr("channels_last", 1)}});

namespace {
std::vector<::sdx::Shape> pixels(uint32_t round) { return {{1 + round % 3, 1 + round % 7, 5, 1 + round * 31 % 600}}; }
}  // namespace
OP_SWEEP_IN("com.microsoft", QLinearGlobalAveragePool, .types = {DType::u8}, .attributes = {attr("channels_last", 1)},
            .low = 0, .high = 255, .shapes = pixels,
            .fixed_inputs = {f32(0.013), u8({}, {100}), f32(0.011), u8({}, {70})});
OP_SWEEP_IN("com.microsoft", QLinearGlobalAveragePool, .types = {DType::i8}, .attributes = {attr("channels_last", 1)},
            .low = -128, .high = 127, .shapes = pixels,
            .fixed_inputs = {f32(0.013), i8({}, {-10}), f32(0.011), i8({}, {7})});
