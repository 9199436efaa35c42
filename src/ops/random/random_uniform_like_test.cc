#include "ops/testing/op_case.h"

OP_CASES(RandomUniformLike, {"like",
                             {f32({2, 2}, {0, 0, 0, 0})},
                             {f32({2, 2}, {0.96702981, 0.54723227, 0.972684383, 0.714815974})},
                             {attr("seed", 4.0F)}});
