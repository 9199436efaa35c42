#include "ops/testing/op_case.h"

OP_CASES(Constant, {"number", {}, {f32(2.5)}, {attr("value_float", 2.5F)}},
         {"int", {}, {i64(-3)}, {attr("value_int", -3)}},
         {"ints", {}, {i64({2}, {1, 2})}, {attr("value_ints", std::vector<int64_t>{1, 2})}},
         {"string", {}, {str({}, {"ab"})}, {attr("value_string", "ab")}},
         {"floats", {}, {f32({2}, {1, 2})}, {{"value_floats", std::vector<float>{1, 2}}}},
         {"strings", {}, {str({2}, {"a", ""})}, {{"value_strings", std::vector<std::string>{"a", ""}}}},
         {"tensor", {}, {i8({2}, {1, -2})}, {{"value", i8({2}, {1, -2}).tensor()}}});
OP_REJECTS(Constant, "exclude each other", {}, {attr("value_int", 1), attr("value_float", 1.0F)});
OP_REJECTS(Constant, "is wanted", {}, {});
