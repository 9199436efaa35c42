#include "ops/testing/op_case.h"

// Values from numpy: softmax(scale * q @ k.transpose + mask) @ v.
OP_CASES_IN(
    "sardonyx", ScaledDotProductAttention,
    {"one_head",
     {f32({1, 1, 2, 2}, {1, 0, 0, 2}), f32({1, 1, 3, 2}, {1, 0, 0, 1, 1, 1}), f32({1, 1, 3, 1}, {1, 2, 4})},
     {f32({1, 1, 2, 1}, {2.3836517, 2.6892752})},
     {attr("scale", 0.5f)}},
    {"by_position",
     {f32({1, 2, 1, 2}, {1, 0, 0, 2}), f32({1, 3, 1, 2}, {1, 0, 0, 1, 1, 1}), f32({1, 3, 1, 1}, {1, 2, 4})},
     {f32({1, 2, 1, 1}, {2.3836517, 2.6892752})},
     {attr("scale", 0.5f), attr("q_by_position", 1), attr("k_by_position", 1), attr("v_by_position", 1),
      attr("y_by_position", 1)}},
    {"two_heads_by_position",
     {f32({1, 1, 2, 1}, {1, 2}), f32({1, 2, 2, 1}, {0, 0, 1, 1}), f32({1, 2, 2, 1}, {1, 10, 3, 30})},
     {f32({1, 1, 2, 1}, {2.4621172, 27.61594})},
     {attr("q_by_position", 1), attr("k_by_position", 1), attr("v_by_position", 1), attr("y_by_position", 1)}},
    {"mask_is_added",
     {f32({1, 1, 1, 1}, {0}), f32({1, 1, 2, 1}, {1, 1}), f32({1, 1, 2, 1}, {1, 3}), f32({1, 2}, {0, 1})},
     {f32({1, 1, 1, 1}, {2.4621172})}},
    {"mask_of_one_key_is_broadcast",
     {f32({1, 1, 1, 1}, {0}), f32({1, 1, 2, 1}, {1, 1}), f32({1, 1, 2, 1}, {1, 3}), f32({1}, {7})},
     {f32({1, 1, 1, 1}, {2})}},
    {"one_hidden_key",
     {f32({1, 1, 1, 1}, {0}), f32({1, 1, 2, 1}, {1, 1}), f32({1, 1, 2, 1}, {1, 3}), f32({2}, {0, -kInf})},
     {f32({1, 1, 1, 1}, {1})}},
    {"all_keys_hidden_is_no_number",
     {f32({1, 1, 1, 1}, {0}), f32({1, 1, 2, 1}, {1, 1}), f32({1, 1, 2, 1}, {1, 3}), f32({2}, {-kInf, -kInf})},
     {f32({1, 1, 1, 1}, {kNaN})}},
    {"no_number_behind_a_hidden_key",
     {f32({1, 1, 1, 1}, {kNaN}), f32({1, 1, 2, 1}, {1, 1}), f32({1, 1, 2, 1}, {1, 3}), f32({2}, {0, -kInf})},
     {f32({1, 1, 1, 1}, {kNaN})}},
    {"no_keys", {f32({1, 1, 1, 1}, {2}), f32({1, 1, 0, 1}, {}), f32({1, 1, 0, 2}, {})}, {f32({1, 1, 1, 2}, {0, 0})}},
    {"no_queries", {f32({1, 1, 0, 1}, {}), f32({1, 1, 1, 1}, {1}), f32({1, 1, 1, 1}, {1})}, {f32({1, 1, 0, 1}, {})}});

OP_REJECTS_IN("sardonyx", ScaledDotProductAttention, "heads of q and k",
              {f32({1, 2, 1, 1}, {0, 0}), f32({1, 1, 1, 1}, {0}), f32({1, 1, 1, 1}, {0})});
OP_REJECTS_IN("sardonyx", ScaledDotProductAttention, "dimension 0 of the mask is 3, 1 or 2 is wanted",
              {f32({1, 1, 1, 1}, {0}), f32({1, 1, 2, 1}, {0, 0}), f32({1, 1, 2, 1}, {0, 0}), f32({3}, {0, 0, 0})});
