#include "ops/testing/op_case.h"

namespace {

sdx::Attribute steps(std::vector<std::string> texts) { return {"steps", std::move(texts)}; }

}  // namespace

// Values from numpy: a @ b + bias.
OP_CASES_IN("sardonyx", BiasMatMul,
            {"rows",
             {f32({2, 2}, {1, 2, 3, 4}), f32({2, 3}, {1, 0, 2, 0, 1, -1}), f32({3}, {10, 20, 30})},
             {f32({2, 3}, {11, 22, 30, 13, 24, 32})}},
            {"stacks",
             {f32({2, 1, 2}, {1, 2, 3, 4}), f32({2, 1}, {1, -1}), f32({1}, {0.5})},
             {f32({2, 1, 1}, {-0.5, -0.5})}},
            {"stacks_of_both",
             {f32({2, 1, 1}, {1, 2}), f32({2, 1, 2}, {1, 2, 3, 4}), f32({2}, {10, 20})},
             {f32({2, 1, 2}, {11, 22, 16, 28})}},
            {"turned",
             {f32({1, 2}, {1, 2}), f32({3, 2}, {1, 0, 0, 1, 1, 1}), f32({3}, {1, 1, 1})},
             {f32({1, 3}, {2, 3, 4})},
             {attr("transB", 1)}},
            {"nothing_to_sum", {f32({2, 0}, {}), f32({0, 2}, {}), f32({2}, {3, 4})}, {f32({2, 2}, {3, 4, 3, 4})}},
            {"no_rows", {f32({0, 2}, {}), f32({2, 2}, {1, 2, 3, 4}), f32({2}, {3, 4})}, {f32({0, 2}, {})}},
            {"infinity_and_no_number",
             {f32({1, 1}, {kInf}), f32({1, 2}, {1, 0}), f32({2}, {1, 1})},
             {f32({1, 2}, {kInf, kNaN})}},
            {"steps",
             {f32({2, 1}, {1, 2}), f32({1, 2}, {1, -3}), f32({2}, {1, 1}), f32({2, 2}, {10, 20, 30, 40}),
              f32({2}, {1, 2}), f32({1, 1}, {100})},
             {f32({2, 2}, {113, 122, 134, 142})},
             {steps({"Relu i0", "Add t0 i1", "Add t1 i2", "Add t2 i3"})}},
            {"steps_without_bias",
             {f32({1, 2}, {1, 2}), f32({2, 1}, {3, 4}), none, f32({1}, {1})},
             {f32({1, 1}, {24})},
             {steps({"Add i0 i1", "Mul t0 2"})}});

OP_REJECTS_IN("sardonyx", BiasMatMul, "input 3 has 3 in dimension 0, the product 2",
              {f32({1, 1}, {0}), f32({1, 2}, {0, 0}), f32({2}, {0, 0}), f32({3}, {0, 0, 0})}, {steps({"Add i0 i1"})});

OP_REJECTS_IN("sardonyx", BiasMatMul, "bias and columns: 2 and 3 differ",
              {f32({1, 1}, {0}), f32({1, 3}, {0, 0, 0}), f32({2}, {0, 0})});
OP_REJECTS_IN("sardonyx", BiasMatMul, "the bias has rank 2, 1 is wanted",
              {f32({1, 1}, {0}), f32({1, 1}, {0}), f32({1, 1}, {0})});

// Values from numpy with ml_dtypes: bfloat16 rounds 1.00390625 to 1 and 1.01171875 to 1.015625; the sums are not
// rounded.
OP_CASES_IN("sardonyx", BiasMatMul,
            {"rounded_operands",
             {f32({2, 3}, {1.00390625, 1.01171875, -1, 3, 0.1, 1e-3}),
              f32({3, 2}, {1, 1.00390625, 1.01171875, 2, 0.3, -7}), f32({2}, {0.001, 0})},
             {f32({2, 2}, {1.7317128906724975, 10.03125, 3.1029622982023284, 3.1931991577148438})},
             {attr("bf16", 1)}},
            {"rounded_operands_turned",
             {f32({1, 1, 3}, {1.00390625, 1.01171875, -1}), f32({2, 3}, {1, 1.01171875, 0.3, 1.00390625, 2, -7})},
             {f32({1, 1, 2}, {1.730712890625, 10.03125})},
             {attr("bf16", 1), attr("transB", 1)}},
            {"rounded_operands_and_steps",
             {f32({2, 1}, {1, 2}), f32({1, 2}, {1, -3}), f32({2}, {1, 1}), f32({2, 2}, {10, 20, 30, 40})},
             {f32({2, 2}, {12, 18, 33, 35})},
             {attr("bf16", 1), steps({"Add i0 i1"})}});
