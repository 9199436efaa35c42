#include "ops/testing/op_case.h"

OP_CASES(HannWindow, {"periodic", {i64({}, {5})}, {f32({5}, {0, 0.345491499, 0.904508471, 0.904508471, 0.345491499})}},
         {"symmetric",
          {i32({}, {6})},
          {f32({6}, {0, 0.345491499, 0.904508471, 0.904508471, 0.345491499, 0})},
          {attr("periodic", 0)}},
         {"double",
          {i64({}, {3})},
          {f64({3}, {0.0, 0.7499999999999999, 0.7500000000000002})},
          {attr("output_datatype", 11)}},
         {"one_point", {i64({}, {1})}, {f32({1}, {1})}, {attr("periodic", 0)}},
         {"no_point", {i64({}, {0})}, {f32({0}, {})}});
OP_REJECTS(HannWindow, "size is -1", {i64({}, {-1})});
OP_REJECTS(HannWindow, "output_datatype is 8", {i64({}, {2})}, {attr("output_datatype", 8)});
