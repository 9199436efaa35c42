// NonMaxSuppression: per batch entry and class, boxes in falling order of score (of equal ones the lower index first),
// but none whose overlap (intersection over union) with one chosen before is above iou_threshold.
#include "ops/index/non_max_suppression.h"

#include <cmath>

#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_nms(InferContext& ctx) {
  if (const int64_t format = ctx.attr_int("center_point_box", 0); format != 0 && format != 1)
    return ctx.fail("center_point_box is {}, not 0 or 1", format);
  for (const size_t i : {0, 1})
    if (ctx.has_rank(i) && ctx.rank(i) != 3)
      return ctx.fail("{} have rank {}, 3 is wanted", i == 0 ? "boxes" : "scores", ctx.rank(i));
  if (ctx.has_rank(0) && ctx.has_rank(1)) {
    SDX_TRY(ctx.same(ctx.dim(0, 0), ctx.dim(1, 0), "batch size of boxes and scores").status());
    SDX_TRY(ctx.same(ctx.dim(0, 1), ctx.dim(1, 2), "number of boxes and scores").status());
  }
  if (ctx.has_rank(0) && ctx.dim(0, 2).is_known() && !ctx.dim(0, 2).is(4))
    return ctx.fail("a box has {} numbers, 4 are wanted", ctx.dim(0, 2).known());
  if (ctx.has_rank(0)) ctx.assume({Constraint::Kind::equal, ctx.dim(0, 2), Dim(4)});
  for (size_t i = 2; i < 5; ++i) {
    if (ctx.has_input(i) && ctx.input(i).known_shape() && count_of(*ctx.input(i).known_shape()) != 1)
      return ctx.fail("input {} is no scalar", i);
    SDX_TRY(ctx.require_one_element(i, "a limit is no scalar"));
  }
  return tensor_fact(DType::i64, SymShape{ctx.unknown_dim(), Dim(3)});
}

Box box_at(const Tensor& boxes, int64_t i, bool center) {
  float v[4];
  for (int64_t k = 0; k < 4; ++k) v[k] = static_cast<float>(load_double(boxes, i * 4 + k));
  return box_of(v, center);
}

Status nms_reference(KernelContext& ctx) {
  const Tensor &boxes = ctx.input(0), &scores = ctx.input(1);
  SDX_ASSIGN(const SuppressionLimits limits, limits_of(ctx));
  const int64_t batches = scores.dim(0), classes = scores.dim(1), count = scores.dim(2);
  std::vector<int64_t> selected;
  for (int64_t row = 0; row < batches * classes && limits.most > 0; ++row) {
    SDX_TRY(ctx.check_cancelled());
    const int64_t batch = row / classes;
    std::vector<std::pair<double, int64_t>> order;
    for (int64_t i = 0; i < count; ++i) {
      const double score = load_double(scores, row * count + i);
      if (!std::isnan(score) && (!limits.has_least || score > limits.least)) order.emplace_back(-score, i);
    }
    std::sort(order.begin(), order.end());
    std::vector<Box> chosen;
    for (const auto& [score, i] : order) {
      if (static_cast<int64_t>(chosen.size()) >= limits.most) break;
      const Box box = box_at(boxes, batch * count + i, limits.center);
      if (std::any_of(chosen.begin(), chosen.end(), [&](const Box& other) { return overlap(box, other, limits.iou); }))
        continue;
      chosen.push_back(box);
      selected.insert(selected.end(), {batch, row % classes, i});
    }
  }
  SDX_ASSIGN(Tensor* const y, ctx.allocate_output(0, Shape{static_cast<int64_t>(selected.size() / 3), 3}));
  if (!selected.empty()) std::memcpy(y->raw(), selected.data(), selected.size() * sizeof(int64_t));
  return {};
}

}  // namespace

bool overlap(const Box& a, const Box& b, float threshold) {
  const float height = std::min(a.high_y, b.high_y) - std::max(a.low_y, b.low_y);
  const float width = std::min(a.high_x, b.high_x) - std::max(a.low_x, b.low_x);
  if (!(height > 0) || !(width > 0)) return false;
  const float both = height * width, either = a.area() + b.area() - both;
  return a.area() > 0 && b.area() > 0 && either > 0 && both / either > threshold;
}

Result<SuppressionLimits> limits_of(const KernelContext& ctx) {
  SuppressionLimits limits{.center = ctx.attr_int("center_point_box", 0) == 1, .has_least = ctx.has_input(4)};
  if (ctx.has_input(2)) limits.most = load_i64(ctx.input(2), 0);
  if (ctx.has_input(3)) limits.iou = static_cast<float>(load_double(ctx.input(3), 0));
  if (limits.has_least) limits.least = load_double(ctx.input(4), 0);
  if (!(limits.iou >= 0 && limits.iou <= 1)) return invalid_argument("iou_threshold is {}, outside [0, 1]", limits.iou);
  return limits;
}

SDX_OP(non_max_suppression) = {
    .name = "NonMaxSuppression",
    .since = 11,
    .infer = infer_nms,
    .reference = nms_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
