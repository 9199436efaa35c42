// NonMaxSuppression: candidates in falling order, each tested against vectors of boxes chosen before. The test in
// vectors only excludes; where it does not, the exact one decides.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/index/falling_order.h"
#include "ops/index/key_scan.h"
#include "ops/index/non_max_suppression.h"
#include "ops/index/ordered_bits.h"
#include "ops/reference.h"

// The corners and areas of chosen boxes, each number in a row of its own.
#ifndef SDX_CHOSEN_BOXES
#define SDX_CHOSEN_BOXES
namespace sdx::ops {
struct ChosenBoxes {
  const float *low_y, *low_x, *high_y, *high_x, *area;
};
}  // namespace sdx::ops
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// The first chosen box from `first` on that may overlap, or `count`. Rounding, and how sums are contracted, move the
// sides of the comparison by less than the slack.
size_t may_overlap(const ops::ChosenBoxes& chosen, size_t first, size_t count, const ops::Box& box, float threshold) {
  constexpr float kSlack = 1 + 1e-5F, kTiny = 1e-30F;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto lower = [&](auto a, auto b) HWY_ATTR { return hn::IfThenElse(hn::Lt(b, a), b, a); };
  const auto higher = [&](auto a, auto b) HWY_ATTR { return hn::IfThenElse(hn::Lt(a, b), b, a); };
  const auto low_y = hn::Set(d, box.low_y), low_x = hn::Set(d, box.low_x);
  const auto high_y = hn::Set(d, box.high_y), high_x = hn::Set(d, box.high_x);
  const auto area = hn::Set(d, (box.high_y - box.low_y) * (box.high_x - box.low_x)), zero = hn::Zero(d);
  for (size_t i = first; i < count; i += lanes) {
    const auto height = hn::Sub(lower(high_y, load_n(d, chosen.high_y + i, count - i)),
                                higher(low_y, load_n(d, chosen.low_y + i, count - i)));
    const auto width = hn::Sub(lower(high_x, load_n(d, chosen.high_x + i, count - i)),
                               higher(low_x, load_n(d, chosen.low_x + i, count - i)));
    const auto touch = hn::And(hn::Gt(height, zero), hn::Gt(width, zero));
    if (hn::AllFalse(d, touch)) continue;
    const auto both = hn::Mul(height, width);
    const auto either = hn::Sub(hn::Add(area, load_n(d, chosen.area + i, count - i)), both);
    const auto limit = hn::Mul(either, hn::Set(d, threshold));
    const auto apart = hn::And(hn::Gt(limit, hn::Set(d, kTiny)), hn::Lt(hn::Mul(both, hn::Set(d, kSlack)), limit));
    const intptr_t at = hn::FindFirstTrue(d, hn::AndNot(apart, touch));
    if (at >= 0) return HWY_MIN(i + static_cast<size_t>(at), count);
  }
  return count;
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// One class of one batch entry at a time.
class Suppression {
 public:
  explicit Suppression(const SuppressionLimits& limits) : limits_(limits) {}

  // Adds the indices of the boxes that are selected, in order.
  void select(const float* boxes, const float* scores, int64_t count, std::vector<int64_t>& selected) {
    candidates(scores, count);
    chosen_ = 0;
    visit_falling(keys_, spare_, [&](uint64_t key) {
      const int64_t i = 0xffffffff - static_cast<int64_t>(key & 0xffffffffU);
      const Box box = box_of(boxes + 4 * i, limits_.center);
      if (!is_free(box)) return true;
      choose(box);
      selected.push_back(i);
      return static_cast<int64_t>(chosen_) < limits_.most;
    });
  }

 private:
  static constexpr int64_t kBlock = 512;
  void candidates(const float* scores, int64_t count) {
    keys_.clear();
    uint32_t positions[kBlock + kScanSlack];
    for (int64_t i = 0; i < count; i += kBlock) {
      const int64_t block = std::min(kBlock, count - i);
      stop_point(block);
      const auto add = [&](int64_t at) {
        keys_.push_back(uint64_t{ordered_bits(scores[at])} << 32 | (0xffffffffU - static_cast<uint32_t>(at)));
      };
      if (limits_.has_least) {
        const size_t found =
            positions_above(scores + i, static_cast<size_t>(block), static_cast<float>(limits_.least), positions);
        for (size_t k = 0; k < found; ++k) add(i + positions[k]);
      } else {
        for (int64_t at = i; at < i + block; ++at)
          if (scores[at] == scores[at]) add(at);
      }
    }
  }
  bool is_free(const Box& box) const {
    const ChosenBoxes boxes{rows_[0].data(), rows_[1].data(), rows_[2].data(), rows_[3].data(), rows_[4].data()};
    for (size_t i = 0;; ++i) {
      i = may_overlap_(boxes, i, chosen_, box, limits_.iou);
      if (i == chosen_) return true;
      if (overlap(box, {boxes.low_y[i], boxes.low_x[i], boxes.high_y[i], boxes.high_x[i]}, limits_.iou)) return false;
    }
  }
  void choose(const Box& box) {
    if (chosen_ == rows_[0].size())
      for (std::vector<float>& row : rows_) row.resize(std::max<size_t>(64, 2 * chosen_));
    const float numbers[5] = {box.low_y, box.low_x, box.high_y, box.high_x, box.area()};
    for (size_t i = 0; i < 5; ++i) rows_[i][chosen_] = numbers[i];
    ++chosen_;
  }

  SuppressionLimits limits_;
  decltype(&HWY_STATIC_DISPATCH(may_overlap)) may_overlap_ = SDX_DISPATCH(may_overlap);
  std::vector<uint64_t> keys_, spare_;
  std::vector<float> rows_[5];
  size_t chosen_ = 0;
};

Status run_nms(KernelContext& ctx) {
  const Tensor &boxes = ctx.input(0), &scores = ctx.input(1);
  SDX_ASSIGN(const SuppressionLimits limits, limits_of(ctx));
  const int64_t batches = scores.dim(0), classes = scores.dim(1), count = scores.dim(2);
  if (count > int64_t{0xffffffff}) return not_implemented("{} boxes", count);
  std::vector<std::vector<int64_t>> selected(static_cast<size_t>(batches * classes));
  if (limits.most > 0 && count > 0) {
    constexpr int64_t kScores = 16384;  // of one block
    SDX_TRY(
        parallel_ranges(ctx, batches * classes, std::max<int64_t>(1, kScores / count), [&](int64_t begin, int64_t end) {
          const StopScope stops(ctx.environment().cancel);
          Suppression suppression(limits);
          for (int64_t row = begin; row < end; ++row)
            suppression.select(boxes.data<float>() + row / classes * count * 4, scores.data<float>() + row * count,
                               count, selected[static_cast<size_t>(row)]);
        }));
  }
  int64_t total = 0;
  for (const std::vector<int64_t>& row : selected) total += static_cast<int64_t>(row.size());
  SDX_ASSIGN(Tensor* const y, ctx.allocate_output(0, Shape{total, 3}));
  auto* to = y->data<int64_t>();
  for (int64_t row = 0; row < batches * classes; ++row) {
    for (const int64_t i : selected[static_cast<size_t>(row)]) {
      *to++ = row / classes;
      *to++ = row % classes;
      *to++ = i;
    }
  }
  return {};
}

Verdict takes_boxes(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 && facts.dtype(1) == DType::f32 ? yes() : no("only boxes and scores of f32");
}

}  // namespace

SDX_CPU_KERNELS(non_max_suppression, {.name = "non_max_suppression_f32", .can_run = takes_boxes, .run = run_nms});

}  // namespace sdx::ops
#endif
