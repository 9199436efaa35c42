#include "ops/testing/op_case.h"

OP_CASES(HammingWindow,
         {"periodic", {i64({}, {5})}, {f32({5}, {0.086956523, 0.402405292, 0.912812114, 0.912812114, 0.402405292})}},
         {"symmetric",
          {i32({}, {6})},
          {f32({6}, {0.086956523, 0.402405292, 0.912812114, 0.912812114, 0.402405292, 0.086956523})},
          {attr("periodic", 0)}},
         {"double",
          {i64({}, {3})},
          {f64({3}, {0.08695652173913043, 0.7717391304347825, 0.7717391304347827})},
          {attr("output_datatype", 11)}},
         {"one_point", {i64({}, {1})}, {f32({1}, {1})}, {attr("periodic", 0)}},
         {"no_point", {i64({}, {0})}, {f32({0}, {})}});
OP_REJECTS(HammingWindow, "size is -1", {i64({}, {-1})});
OP_REJECTS(HammingWindow, "output_datatype is 8", {i64({}, {2})}, {attr("output_datatype", 8)});
