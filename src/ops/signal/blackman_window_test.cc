#include "ops/testing/op_case.h"

OP_CASES(BlackmanWindow,
         {"periodic", {i64({}, {5})}, {f32({5}, {-1.387779e-17, 0.20077014, 0.849229872, 0.849229872, 0.20077014})}},
         {"symmetric",
          {i32({}, {6})},
          {f32({6}, {-1.387779e-17, 0.20077014, 0.849229872, 0.849229872, 0.20077014, -1.387779e-17})},
          {attr("periodic", 0)}},
         {"double",
          {i64({}, {3})},
          {f64({3}, {-1.3877787807814457e-17, 0.6299999999999999, 0.6300000000000002})},
          {attr("output_datatype", 11)}},
         {"one_point", {i64({}, {1})}, {f32({1}, {1})}, {attr("periodic", 0)}},
         {"no_point", {i64({}, {0})}, {f32({0}, {})}});
OP_REJECTS(BlackmanWindow, "size is -1", {i64({}, {-1})});
OP_REJECTS(BlackmanWindow, "output_datatype is 8", {i64({}, {2})}, {attr("output_datatype", 8)});
