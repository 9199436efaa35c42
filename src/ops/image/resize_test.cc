#include "ops/testing/op_case.h"

OP_CASES(
    Resize,
    {"linear_booleans",
     {boolean({2}, {1, 0}), none, f32({1}, {2.0})},
     {boolean({4}, {1, 1, 1, 0})},
     {attr("mode", "linear")}},
    {"nearest_half_pixel",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {1.0, 2.0, 2.0, 3.0, 4.0, 9.0, 10.0, 10.0, 11.0, 12.0})},
     {attr("mode", "nearest"), attr("coordinate_transformation_mode", "half_pixel")}},
    {"nearest_align_corners",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {1.0, 2.0, 2.0, 3.0, 4.0, 9.0, 10.0, 10.0, 11.0, 12.0})},
     {attr("mode", "nearest"), attr("coordinate_transformation_mode", "align_corners")}},
    {"nearest_asymmetric",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {1.0, 2.0, 2.0, 3.0, 4.0, 9.0, 10.0, 10.0, 11.0, 12.0})},
     {attr("mode", "nearest"), attr("coordinate_transformation_mode", "asymmetric")}},
    {"nearest_pytorch_half_pixel",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {1.0, 2.0, 2.0, 3.0, 4.0, 9.0, 10.0, 10.0, 11.0, 12.0})},
     {attr("mode", "nearest"), attr("coordinate_transformation_mode", "pytorch_half_pixel")}},
    {"nearest_half_pixel_symmetric",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {5.0, 6.0, 6.0, 7.0, 8.0, 9.0, 10.0, 10.0, 11.0, 12.0})},
     {attr("mode", "nearest"), attr("coordinate_transformation_mode", "half_pixel_symmetric")}},
    {"linear_half_pixel",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {2.3333332538604736, 2.904761791229248, 3.6190474033355713, 4.3333330154418945,
                         5.047618865966797, 9.0, 9.571428298950195, 10.285714149475098, 11.0, 11.714284896850586})},
     {attr("mode", "linear"), attr("coordinate_transformation_mode", "half_pixel")}},
    {"linear_align_corners",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {1.0, 1.6521738767623901, 2.3043477535247803, 2.95652174949646, 3.6086957454681396, 9.571428298950195,
           10.223602294921875, 10.875776290893555, 11.527949333190918, 12.180123329162598})},
     {attr("mode", "linear"), attr("coordinate_transformation_mode", "align_corners")}},
    {"linear_asymmetric",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {1.0, 1.7142857313156128, 2.4285714626312256, 3.142857074737549, 3.857142925262451, 7.666666507720947,
           8.380951881408691, 9.095237731933594, 9.809523582458496, 10.523809432983398})},
     {attr("mode", "linear"), attr("coordinate_transformation_mode", "asymmetric")}},
    {"linear_pytorch_half_pixel",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5}, {2.3333332538604736, 2.904761791229248, 3.6190474033355713, 4.3333330154418945,
                         5.047618865966797, 9.0, 9.571428298950195, 10.285714149475098, 11.0, 11.714284896850586})},
     {attr("mode", "linear"), attr("coordinate_transformation_mode", "pytorch_half_pixel")}},
    {"linear_half_pixel_symmetric",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {3.738095283508301, 4.452381134033203, 5.1666669845581055, 5.88095235824585, 6.595238208770752,
           10.40476131439209, 11.119047164916992, 11.833333015441895, 12.547618865966797, 13.2619047164917})},
     {attr("mode", "linear"), attr("coordinate_transformation_mode", "half_pixel_symmetric")}},
    {"cubic_half_pixel",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {1.9583239555358887, 2.5122601985931396, 3.366490364074707, 4.037042140960693, 4.816926002502441,
           8.921286582946777, 9.475221633911133, 10.329453468322754, 11.00000286102295, 11.779888153076172})},
     {attr("mode", "cubic"), attr("coordinate_transformation_mode", "half_pixel")}},
    {"cubic_align_corners",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {1.0, 1.5584783554077148, 2.345773220062256, 2.9375357627868652, 3.6915411949157715, 9.79883098602295,
           10.35731029510498, 11.144606590270996, 11.736370086669922, 12.49036693572998})},
     {attr("mode", "cubic"), attr("coordinate_transformation_mode", "align_corners")}},
    {"cubic_asymmetric",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {1.0, 1.6268219947814941, 2.4460642337799072, 3.199708938598633, 3.892127513885498, 7.51851749420166,
           8.145340919494629, 8.964582443237305, 9.718226432800293, 10.410642623901367})},
     {attr("mode", "cubic"), attr("coordinate_transformation_mode", "asymmetric")}},
    {"cubic_pytorch_half_pixel",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {1.9583239555358887, 2.5122601985931396, 3.366490364074707, 4.037042140960693, 4.816926002502441,
           8.921286582946777, 9.475221633911133, 10.329453468322754, 11.00000286102295, 11.779888153076172})},
     {attr("mode", "cubic"), attr("coordinate_transformation_mode", "pytorch_half_pixel")}},
    {"cubic_half_pixel_symmetric",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 1.399999976158142})},
     {f32({1, 1, 2, 5},
          {3.349958658218384, 4.006847381591797, 4.796297073364258, 5.5857462882995605, 6.242634296417236,
           10.757370948791504, 11.414259910583496, 12.203710556030273, 12.993159294128418, 13.650046348571777})},
     {attr("mode", "cubic"), attr("coordinate_transformation_mode", "half_pixel_symmetric")}},
    {"round_prefer_floor",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      none, i64({4}, {1, 1, 7, 3})},
     {f32({1, 1, 7, 3}, {1.0, 2.0, 4.0,  1.0,  2.0,  4.0,  5.0,  6.0,  8.0,  5.0, 6.0,
                         8.0, 9.0, 10.0, 12.0, 13.0, 14.0, 16.0, 13.0, 14.0, 16.0})},
     {attr("mode", "nearest"), attr("nearest_mode", "round_prefer_floor")}},
    {"round_prefer_ceil",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      none, i64({4}, {1, 1, 7, 3})},
     {f32({1, 1, 7, 3}, {1.0,  3.0, 4.0,  1.0,  3.0,  4.0,  5.0,  7.0,  8.0,  9.0, 11.0,
                         12.0, 9.0, 11.0, 12.0, 13.0, 15.0, 16.0, 13.0, 15.0, 16.0})},
     {attr("mode", "nearest"), attr("nearest_mode", "round_prefer_ceil")}},
    {"floor",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      none, i64({4}, {1, 1, 7, 3})},
     {f32({1, 1, 7, 3}, {1.0, 2.0, 3.0,  1.0,  2.0, 3.0,  1.0,  2.0,  3.0,  5.0, 6.0,
                         7.0, 9.0, 10.0, 11.0, 9.0, 10.0, 11.0, 13.0, 14.0, 15.0})},
     {attr("mode", "nearest"), attr("nearest_mode", "floor")}},
    {"ceil",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      none, i64({4}, {1, 1, 7, 3})},
     {f32({1, 1, 7, 3}, {2.0,  3.0,  4.0,  6.0,  7.0,  8.0,  6.0,  7.0,  8.0,  10.0, 11.0,
                         12.0, 14.0, 15.0, 16.0, 14.0, 15.0, 16.0, 14.0, 15.0, 16.0})},
     {attr("mode", "nearest"), attr("nearest_mode", "ceil")}},
    {"antialias_linear",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 0.6000000238418579})},
     {f32({1, 1, 2, 2}, {2.875, 4.5, 9.375, 11.0})},
     {attr("mode", "linear"), attr("antialias", 1)}},
    {"antialias_cubic",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.6000000238418579, 0.6000000238418579})},
     {f32({1, 1, 2, 2}, {2.5180695056915283, 4.285885810852051, 9.589335441589355, 11.357151985168457})},
     {attr("mode", "cubic"), attr("antialias", 1)}},
    {"exclude_outside",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      f32({4}, {1.0, 1.0, 0.800000011920929, 2.0})},
     {f32({1, 1, 3, 8}, {1.2062660455703735,
                         1.462384581565857,
                         2.004425048828125,
                         2.544501304626465,
                         3.044501304626465,
                         3.584577798843384,
                         4.126618385314941,
                         4.382736682891846,
                         6.411764621734619,
                         6.667883396148682,
                         7.20992374420166,
                         7.75,
                         8.25,
                         8.79007625579834,
                         9.332117080688477,
                         9.588234901428223,
                         11.787105560302734,
                         12.043224334716797,
                         12.585264205932617,
                         13.125341415405273,
                         13.625341415405273,
                         14.165417671203613,
                         14.707457542419434,
                         14.963576316833496})},
     {attr("mode", "cubic"), attr("exclude_outside", 1), attr("cubic_coeff_a", -0.5F)}},
    {"crop",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}),
      f32({8}, {0.0, 0.0, 0.4000000059604645, 0.6000000238418579, 1.0, 1.0, 0.6000000238418579, 1.2000000476837158}),
      none, i64({4}, {1, 1, 3, 3})},
     {f32({1, 1, 3, 3},
          {7.600000381469727, 8.5, 10.0, 8.800000190734863, 9.700000762939453, 10.0, 10.0, 10.90000057220459, 10.0})},
     {attr("mode", "linear"), attr("coordinate_transformation_mode", "tf_crop_and_resize"),
      attr("extrapolation_value", 10.0F)}},
    {"crop_nearest",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}),
      f32({4}, {0.4000000059604645, 0.6000000238418579, 0.6000000238418579, 1.2000000476837158}), none,
      i64({2}, {3, 3})},
     {f32({1, 1, 3, 3}, {7.0, 8.0, 10.0, 11.0, 12.0, 10.0, 11.0, 12.0, 10.0})},
     {attr("mode", "nearest"), attr("coordinate_transformation_mode", "tf_crop_and_resize"),
      attr("extrapolation_value", 10.0F), attr("axes", std::vector<int64_t>{2, 3})}},
    {"not_larger",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      none, i64({2}, {7, 8})},
     {f32({1, 1, 7, 7},
          {1.0,  1.0,  2.0,  2.0,  3.0,  4.0,  4.0,  1.0,  1.0,  2.0,  2.0,  3.0,  4.0,  4.0,  5.0,  5.0,  6.0,
           6.0,  7.0,  8.0,  8.0,  5.0,  5.0,  6.0,  6.0,  7.0,  8.0,  8.0,  9.0,  9.0,  10.0, 10.0, 11.0, 12.0,
           12.0, 13.0, 13.0, 14.0, 14.0, 15.0, 16.0, 16.0, 13.0, 13.0, 14.0, 14.0, 15.0, 16.0, 16.0})},
     {attr("mode", "nearest"), attr("keep_aspect_ratio_policy", "not_larger"),
      attr("axes", std::vector<int64_t>{2, 3})}},
    {"not_smaller",
     {f32({1, 1, 4, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0}), none,
      none, i64({2}, {8, 7})},
     {f32({1, 1, 8, 8}, {1.0,   1.25,  1.75,  2.25,  2.75,  3.25,  3.75,  4.0,   2.0,   2.25,  2.75,  3.25,  3.75,
                         4.25,  4.75,  5.0,   4.0,   4.25,  4.75,  5.25,  5.75,  6.25,  6.75,  7.0,   6.0,   6.25,
                         6.75,  7.25,  7.75,  8.25,  8.75,  9.0,   8.0,   8.25,  8.75,  9.25,  9.75,  10.25, 10.75,
                         11.0,  10.0,  10.25, 10.75, 11.25, 11.75, 12.25, 12.75, 13.0,  12.0,  12.25, 12.75, 13.25,
                         13.75, 14.25, 14.75, 15.0,  13.0,  13.25, 13.75, 14.25, 14.75, 15.25, 15.75, 16.0})},
     {attr("mode", "linear"), attr("keep_aspect_ratio_policy", "not_smaller"),
      attr("axes", std::vector<int64_t>{2, 3})}},
    {"one_dimension",
     {f32({3}, {1.0, 2.0, 3.0}), none, f32({1}, {2.0})},
     {f32({6}, {1.0, 1.25, 1.75, 2.25, 2.75, 3.0})},
     {attr("mode", "linear")}},
    {"volume",
     {f32({2, 2, 2}, {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}), none, f32({3}, {1.5, 2.0, 1.0})},
     {f32({3, 4, 2}, {0.0, 1.0, 0.5, 1.5, 1.5, 2.5, 2.0, 3.0, 2.0, 3.0, 2.5, 3.5,
                      3.5, 4.5, 4.0, 5.0, 4.0, 5.0, 4.5, 5.5, 5.5, 6.5, 6.0, 7.0})},
     {attr("mode", "linear")}},
    {"bytes",
     {u8({2, 2}, {10, 200, 30, 4}), none, f32({2}, {2.0, 1.5})},
     {u8({4, 3}, {10, 10, 200, 10, 10, 200, 30, 30, 4, 30, 30, 4})},
     {attr("mode", "nearest")}});
OP_CASES(Resize, {"strings", {str({2}, {"a", "b"}), none, f32({1}, {2})}, {str({4}, {"a", "a", "b", "b"})}},
         {"empty_optional_inputs",
          {f32({2}, {1, 2}), f32({0}, {}), f32({1}, {2}), i64({0}, {})},
          {f32({4}, {1, 1, 2, 2})}},
         {"empty", {f32({0, 2}, {}), none, f32({2}, {2, 1})}, {f32({0, 2}, {})}});
OP_REJECTS(Resize, "both are given", {f32({1}, {0}), none, f32({1}, {2}), i64({1}, {2})});
OP_REJECTS(Resize, "none is given", {f32({1}, {0})});
OP_REJECTS(Resize, "no positive number", {f32({1}, {0}), none, f32({1}, {0})});
OP_REJECTS(Resize, "for 2 axes", {f32({1, 1}, {0}), none, f32({1}, {1})});
OP_REJECTS(Resize, "mode is \"x\"", {f32({1}, {0}), none, f32({1}, {1})}, {attr("mode", "x")});
OP_REJECTS(Resize, "between elements of", {str({1}, {"a"}), none, f32({1}, {1})}, {attr("mode", "linear")});
OP_REJECTS(Resize, "wants a roi", {f32({1}, {0}), none, f32({1}, {1})},
           {attr("coordinate_transformation_mode", "tf_crop_and_resize")});
namespace {
std::vector<sdx::Shape> images(uint32_t round) {
  return {sdx::Shape{1 + round % 2, 1 + round % 3, 1 + round % 9, 1 + round * 7 % 23}};
}
}  // namespace
#define SCALES \
  { none, f32({4}, {1, 1, 2, 1.7}) }
#define SMALLER \
  { none, f32({4}, {1, 1, 0.6, 0.45 + 0.6}) }
OP_SWEEP(Resize, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .shapes = images, .fixed_inputs = SCALES);
OP_SWEEP(Resize, .attributes = {attr("mode", "linear")}, .special_values = false, .shapes = images,
         .fixed_inputs = SCALES);
OP_SWEEP(Resize, .attributes = {attr("mode", "cubic")}, .special_values = false, .shapes = images,
         .fixed_inputs = SCALES);
OP_SWEEP(Resize, .attributes = {attr("mode", "cubic"), attr("antialias", 1)}, .special_values = false, .shapes = images,
         .fixed_inputs = SMALLER);
OP_SWEEP(Resize, .attributes = {attr("mode", "linear"), attr("coordinate_transformation_mode", "align_corners")},
         .special_values = false, .shapes = images, .fixed_inputs = {none, none, i64({4}, {2, 3, 5, 4})});
OP_SWEEP(Resize, .attributes = {attr("mode", "linear")}, .special_values = false, .shapes = images,
         .fixed_inputs = {none, f32({4}, {1, 2, 1.5, 1})});

namespace {

// Shapes whose rows go alone, sixteen together, and over several bands.
std::vector<sdx::Shape> rows(uint32_t round) {
  return {sdx::Shape{1 + round % 3, 1 + round * 5 % 47, 1 + round * 7 % 90}};
}
std::vector<sdx::Shape> volumes(uint32_t round) {
  return {sdx::Shape{1 + round % 3, 1 + round % 4, 1 + round % 7, 1 + round * 5 % 33}};
}
std::vector<sdx::Shape> last_channels(uint32_t round) {
  return {sdx::Shape{1, 1 + round % 9, 1 + round * 5 % 13, 1 + round * 3 % 20}};
}

}  // namespace

#define INTERPOLATED \
  std::vector<DType> { DType::f32, DType::f16, DType::bf16, DType::f64, DType::u8, DType::i16, DType::i32 }
#define PICKED \
  std::vector<DType> { DType::u8, DType::f16, DType::f32, DType::f64 }
#define SWEEP_RESIZE(types_, shapes_, scales, ...)                                                              \
  OP_SWEEP(Resize, .types = types_, .attributes = {__VA_ARGS__}, .low = 0, .high = 90, .special_values = false, \
           .shapes = shapes_, .fixed_inputs = {none, scales})
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 2, 2}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, rows, f32({3}, {1, 2, 2}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 0.5, 0.4}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, rows, f32({3}, {1, 0.5, 0.4}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 1.7, 0.6}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, rows, f32({3}, {1, 1.7, 0.6}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 1, 3}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, rows, f32({3}, {1, 1, 3}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 3.5, 1}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, rows, f32({3}, {1, 3.5, 1}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 1, 0.13}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, rows, f32({3}, {1, 1, 0.13}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, volumes, f32({4}, {1, 2, 2, 2}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, volumes, f32({4}, {1, 2, 2, 2}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, volumes, f32({4}, {1, 0.5, 0.5, 0.6}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, volumes, f32({4}, {1, 0.5, 0.5, 0.6}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, volumes, f32({4}, {1, 2.5, 1, 1.3}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, volumes, f32({4}, {1, 2.5, 1, 1.3}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, last_channels, f32({4}, {1, 2, 2, 1}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, last_channels, f32({4}, {1, 2, 2, 1}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, last_channels, f32({4}, {1, 0.6, 0.4, 1}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, last_channels, f32({4}, {1, 0.6, 0.4, 1}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, last_channels, f32({4}, {1, 1, 2.3, 1}), attr("mode", "linear"));
SWEEP_RESIZE(PICKED, last_channels, f32({4}, {1, 1, 2.3, 1}), attr("mode", "nearest"), attr("nearest_mode", "floor"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 2, 2}), attr("mode", "cubic"));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 0.3, 0.11}), attr("mode", "linear"), attr("antialias", 1));
SWEEP_RESIZE(INTERPOLATED, rows, f32({3}, {1, 0.7, 0.3}), attr("mode", "cubic"), attr("antialias", 1),
             attr("exclude_outside", 1));

// Both ends outside, and what stays as it is.
#define SWEEP_CROP(mode_, types_)                                                                            \
  OP_SWEEP(Resize, .types = types_,                                                                          \
           .attributes = {attr("mode", mode_), attr("coordinate_transformation_mode", "tf_crop_and_resize"), \
                          attr("extrapolation_value", 7.0F)},                                                \
           .low = 0, .high = 90, .special_values = false, .shapes = volumes,                                 \
           .fixed_inputs = {f32({8}, {0, -0.3, 0.1, 0.2, 1, 1.2, 0.9, 1.1}), f32({4}, {1, 2, 1.5, 2})})
SWEEP_CROP("linear", INTERPOLATED);
SWEEP_CROP("nearest", PICKED);

// An integer is cut off, or rounded where the input is smoothed, and does not wrap.
OP_CASES(Resize,
         {"integers_are_cut_off",
          {u8({4}, {0, 3, 255, 255}), none, f32({1}, {2})},
          {u8({8}, {0, 0, 2, 66, 192, 255, 255, 255})},
          {attr("mode", "linear")}},
         {"smoothed_integers_are_rounded",
          {u8({4}, {0, 3, 6, 7}), none, f32({1}, {0.5})},
          {u8({2}, {2, 6})},
          {attr("mode", "linear"), attr("antialias", 1)}},
         {"cubic_integers_do_not_wrap",
          {u8({4}, {0, 0, 255, 255}), none, f32({1}, {2})},
          {u8({8}, {0, 0, 0, 57, 197, 255, 255, 255})},
          {attr("mode", "cubic")}});
