#include "ops/testing/op_case.h"

using sdx::DType;
using sdx::OptionalValue;
using sdx::Sequence;
using sdx::tensor_type;
using sdx::Value;
using sdx::ops::testing::f32;

namespace {

Value seq(std::vector<Value> elements) { return Sequence{tensor_type(DType::f32), std::move(elements)}; }
Value opt(Value element) { return OptionalValue{tensor_type(DType::f32), std::move(element)}; }

}  // namespace

OP_CASES(SequenceConstruct, {"two", {f32({2}, {1, 2}), f32(3)}, {seq({f32({2}, {1, 2}), f32(3)})}});
OP_REJECTS(SequenceConstruct, "in another", {f32(1), i64(1)});
OP_CASES(SequenceEmpty, {"of_floats", {}, {seq({})}});
OP_REJECTS(SequenceEmpty, "no element type", {}, {attr("dtype", 99)});
OP_CASES(SequenceAt, {"first", {seq({f32(1), f32({2}, {2, 3})}), i64(0)}, {f32(1)}},
         {"from_the_end", {seq({f32(1), f32({2}, {2, 3})}), i64(-1)}, {f32({2}, {2, 3})}});
OP_REJECTS(SequenceAt, "position 2 is outside [-2, 1]", {seq({f32(1), f32(2)}), i64(2)});
OP_REJECTS(SequenceAt, "outside", {seq({}), i64(0)});
OP_CASES(SequenceInsert, {"at_the_end", {seq({f32(1)}), f32(2)}, {seq({f32(1), f32(2)})}},
         {"before_the_last", {seq({f32(1), f32(2)}), f32(3), i64(-1)}, {seq({f32(1), f32(3), f32(2)})}},
         {"at_n", {seq({f32(1)}), f32(3), i64(1)}, {seq({f32(1), f32(3)})}});
OP_REJECTS(SequenceInsert, "outside", {seq({f32(1)}), f32(3), i64(2)});
OP_REJECTS(SequenceInsert, "the element type", {seq({}), i64(3)});
OP_CASES(SequenceErase, {"last", {seq({f32(1), f32(2)})}, {seq({f32(1)})}},
         {"first", {seq({f32(1), f32(2)}), i64(0)}, {seq({f32(2)})}});
OP_REJECTS(SequenceErase, "nothing to erase", {seq({})});
OP_CASES(SequenceLength, {"two", {seq({f32(1), f32(2)})}, {i64(2)}}, {"none", {seq({})}, {i64(0)}});
OP_CASES(SplitToSequence, {"ones", {f32({2, 2}, {1, 2, 3, 4})}, {seq({f32({1, 2}, {1, 2}), f32({1, 2}, {3, 4})})}},
         {"ones_without_the_axis",
          {f32({2, 2}, {1, 2, 3, 4})},
          {seq({f32({2}, {1, 3}), f32({2}, {2, 4})})},
          {attr("axis", -1), attr("keepdims", 0)}},
         {"scalar_split_leaves_a_rest", {f32({3}, {1, 2, 3}), i64(2)}, {seq({f32({2}, {1, 2}), f32({1}, {3})})}},
         {"lengths",
          {f32({3}, {1, 2, 3}), i64({3}, {1, 0, 2})},
          {seq({f32({1}, {1}), f32({0}, {}), f32({2}, {2, 3})})}},
         {"empty_axis", {f32({0, 2}, {})}, {seq({})}});
OP_REJECTS(SplitToSequence, "adds up to 2", {f32({3}, {0}), i64({1}, {2})});
OP_REJECTS(SplitToSequence, "does not fit", {f32({3}, {0}), i64({2}, {4, -1})});
OP_REJECTS(SplitToSequence, "at least 1", {f32({3}, {0}), i64(0)});
OP_CASES(
    ConcatFromSequence,
    {"rows",
     {seq({f32({1, 2}, {1, 2}), f32({2, 2}, {3, 4, 5, 6})})},
     {f32({3, 2}, {1, 2, 3, 4, 5, 6})},
     {attr("axis", 0)}},
    {"columns", {seq({f32({2, 1}, {1, 2}), f32({2, 1}, {3, 4})})}, {f32({2, 2}, {1, 3, 2, 4})}, {attr("axis", -1)}},
    {"stack",
     {seq({f32({2}, {1, 2}), f32({2}, {3, 4})})},
     {f32({2, 2}, {1, 3, 2, 4})},
     {attr("axis", 1), attr("new_axis", 1)}},
    {"stack_scalars", {seq({f32(1), f32(2)})}, {f32({2}, {1, 2})}, {attr("axis", 0), attr("new_axis", 1)}});
OP_REJECTS(ConcatFromSequence, "nothing to join", {seq({})}, {attr("axis", 0)});
OP_REJECTS(ConcatFromSequence, "has shape", {seq({f32({2}, {0}), f32({1, 2}, {0})})}, {attr("axis", 0)});
OP_REJECTS(ConcatFromSequence, "outside", {seq({f32({2}, {0})})}, {attr("axis", 1)});
OP_CASES(Optional, {"full", {f32(1)}, {opt(f32(1))}},
         {"empty", {}, {opt(none)}, {{"type", sdx::Fact::tensor(DType::f32)}}});
OP_REJECTS(Optional, "neither", {});
OP_CASES(OptionalHasElement, {"full", {opt(f32(1))}, {boolean({}, {1})}}, {"empty", {opt(none)}, {boolean({}, {0})}},
         {"tensor", {f32(1)}, {boolean({}, {1})}}, {"omitted", {}, {boolean({}, {0})}});
OP_CASES(OptionalGetElement, {"full", {opt(f32(1))}, {f32(1)}}, {"tensor", {f32(1)}, {f32(1)}});
OP_REJECTS(OptionalGetElement, "empty", {opt(none)});
