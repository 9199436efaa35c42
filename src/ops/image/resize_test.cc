#include "ops/testing/op_case.h"

OP_CASES(Resize, {"strings", {str({2}, {"a", "b"}), none, f32({1}, {2})}, {str({4}, {"a", "a", "b", "b"})}},
         {"empty_optional_inputs", {f32({2}, {1, 2}), f32({0}, {}), f32({1}, {2}), i64({0}, {})}, {f32({4}, {1, 1, 2, 2})}},
         {"empty", {f32({0, 2}, {}), none, f32({2}, {2, 1})}, {f32({0, 2}, {})}});
OP_REJECTS(Resize, "both are given", {f32({1}, {0}), none, f32({1}, {2}), i64({1}, {2})});
OP_REJECTS(Resize, "none is given", {f32({1}, {0})});
OP_REJECTS(Resize, "no positive number", {f32({1}, {0}), none, f32({1}, {0})});
OP_REJECTS(Resize, "for 2 axes", {f32({1, 1}, {0}), none, f32({1}, {1})});
OP_REJECTS(Resize, "mode is \"x\"", {f32({1}, {0}), none, f32({1}, {1})}, {attr("mode", "x")});
OP_REJECTS(Resize, "between elements of", {str({1}, {"a"}), none, f32({1}, {1})}, {attr("mode", "linear")});
OP_REJECTS(Resize, "wants a roi", {f32({1}, {0}), none, f32({1}, {1})}, {attr("coordinate_transformation_mode", "tf_crop_and_resize")});
namespace {
std::vector<sdx::Shape> images(uint32_t round) { return {sdx::Shape{1 + round % 2, 1 + round % 3, 1 + round % 9, 1 + round * 7 % 23}}; }
}  // namespace
#define SCALES {none, f32({4}, {1, 1, 2, 1.7})}
#define SMALLER {none, f32({4}, {1, 1, 0.6, 0.45 + 0.6})}
OP_SWEEP(Resize, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .shapes = images, .fixed_inputs = SCALES);
OP_SWEEP(Resize, .attributes = {attr("mode", "linear")}, .special_values = false, .shapes = images, .fixed_inputs = SCALES);
OP_SWEEP(Resize, .attributes = {attr("mode", "cubic")}, .special_values = false, .shapes = images, .fixed_inputs = SCALES);
OP_SWEEP(Resize, .attributes = {attr("mode", "cubic"), attr("antialias", 1)}, .special_values = false, .shapes = images, .fixed_inputs = SMALLER);
OP_SWEEP(Resize, .attributes = {attr("mode", "linear"), attr("coordinate_transformation_mode", "align_corners")}, .special_values = false, .shapes = images, .fixed_inputs = {none, none, i64({4}, {2, 3, 5, 4})});
OP_SWEEP(Resize, .attributes = {attr("mode", "linear")}, .special_values = false, .shapes = images, .fixed_inputs = {none, f32({4}, {1, 2, 1.5, 1})});
