#include "ops/testing/op_case.h"

// Values from onnxruntime 1.32.
OP_CASES_IN("com.microsoft", QLinearAveragePool,
            {"padded",
             {u8({1, 2, 3, 3}, {130, 85, 45, 186, 13, 0, 249, 114, 95, 173, 9, 160, 75, 206, 95, 39, 118, 102}),
              f32({}, {0.05}), u8({}, {7}), f32({}, {0.04}), u8({}, {31})},
             {u8({1, 2, 2, 2}, {69, 67, 163, 92, 83, 79, 62, 185})},
             {attr("kernel_shape", std::vector<int64_t>{2, 2}), attr("strides", std::vector<int64_t>{2, 2}),
              attr("pads", std::vector<int64_t>{1, 1, 1, 1}), attr("count_include_pad", 1)}},
            {"channels_last",
             {i8({1, 3, 4, 2}, {33,  29, -122, -121, -14, 85,  48,  -22, 47,  -66, -40, -72,
                                -37, 38, -86,  -116, 49,  -66, -32, -51, -62, -62, -69, 59}),
              f32({}, {0.05}), i8({}, {-7}), f32({}, {0.1}), i8({}, {3})},
             {i8({1, 2, 2, 2}, {-5, -2, -5, 5, -1, -23, -26, 6})},
             {attr("kernel_shape", std::vector<int64_t>{2, 3}), attr("channels_last", 1), attr("ceil_mode", 1),
              attr("strides", std::vector<int64_t>{2, 2})}});
