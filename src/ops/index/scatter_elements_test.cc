#include "ops/testing/op_case.h"

OP_CASES(ScatterElements, {"rows", {f32({3, 3}, {0}), i64({2, 3}, {1, 0, 2, 0, 2, 1}), f32({2, 3}, {1, 1.1, 1.2, 2, 2.1, 2.2})}, {f32({3, 3}, {2, 1.1, 0, 1, 0, 2.2, 0, 2.1, 1.2})}},
         {"columns", {f32({1, 5}, {1, 2, 3, 4, 5}), i64({1, 2}, {1, -2}), f32({1, 2}, {1.5, 2.5})}, {f32({1, 5}, {1, 1.5, 3, 2.5, 5})}, {attr("axis", 1)}},
         {"add", {f32({3}, {1, 2, 3}), i64({3}, {0, 0, 2}), f32({3}, {10, 20, 30})}, {f32({3}, {31, 2, 33})}, {attr("reduction", "add")}},
         {"mul", {i64({2}, {3, 4}), i64({2}, {1, 1}), i64({2}, {2, -1})}, {i64({2}, {3, -8})}, {attr("reduction", "mul")}},
         {"max", {f32({2}, {3, kNaN}), i64({2}, {0, 1}), f32({2}, {5, 1})}, {f32({2}, {5, kNaN})}, {attr("reduction", "max")}},
         {"min", {i8({2}, {3, -4}), i64({2}, {0, 1}), i8({2}, {-5, 1})}, {i8({2}, {-5, -4})}, {attr("reduction", "min")}},
         {"wraps", {i8({1}, {100}), i64({1}, {0}), i8({1}, {100})}, {i8({1}, {-56})}, {attr("reduction", "add")}},
         {"last_wins", {str({2}, {"a", "b"}), i64({2}, {1, 1}), str({2}, {"c", "d"})}, {str({2}, {"a", "d"})}},
         {"nothing", {f32({2}, {1, 2}), i64({0}, {}), f32({0}, {})}, {f32({2}, {1, 2})}});
OP_REJECTS(ScatterElements, "outside", {f32({2}, {0}), i64({1}, {2}), f32({1}, {0})});
OP_REJECTS(ScatterElements, "indices and updates", {f32({2}, {0}), i64({1}, {0}), f32({2}, {0})});
OP_REJECTS(ScatterElements, "not none", {f32({2}, {0}), i64({1}, {0}), f32({1}, {0})}, {attr("reduction", "sub")});
OP_REJECTS(ScatterElements, "no reduction", {str({1}, {"a"}), i64({1}, {0}), str({1}, {"b"})}, {attr("reduction", "add")});
