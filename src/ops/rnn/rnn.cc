// RNN: h = f(x W^T + h R^T + Wb + Rb) over time. Steps at or beyond a sequence's length leave h as it is and give 0 in
// Y. For a sequence of length 0, of which the standard says nothing, Y_h is 0 whatever its initial state, as
// onnxruntime 1.32 answers.
#include "base/element.h"
#include "ops/rnn/recurrent.h"

namespace sdx::ops {
namespace {

class RnnCell : public RecurrentCell {
 public:
  RnnCell(const KernelContext& ctx, const Recurrence& sizes) : ctx_(ctx), sizes_(sizes) {}
  void begin(int direction, int64_t) override { direction_ = direction; }
  void end(int, int64_t) override {}
  void step(const std::vector<double>& x, std::vector<double>& h) override {
    const int64_t hidden = sizes_.hidden;
    std::vector<double> next(h.size());
    for (int64_t i = 0; i < hidden; ++i) {
      const int64_t row = direction_ * hidden + i;
      double sum = dot_row(ctx_.input(1), row, x) + dot_row(ctx_.input(2), row, h);
      if (ctx_.has_input(3)) {
        const int64_t bias = direction_ * 2 * hidden + i;
        sum += load_double(ctx_.input(3), bias) + load_double(ctx_.input(3), bias + hidden);
      }
      if (sizes_.clip > 0) sum = std::min(std::max(sum, -sizes_.clip), sizes_.clip);
      next[static_cast<size_t>(i)] = sizes_.activations[static_cast<size_t>(direction_)](sum);
    }
    h = next;
  }

 private:
  const KernelContext& ctx_;
  const Recurrence& sizes_;
  int direction_ = 0;
};

Status rnn_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Recurrence sizes, recurrence_of(ctx, RecurrentKind::rnn));
  RnnCell cell(ctx, sizes);
  return run_recurrence(ctx, sizes, cell);
}

}  // namespace

SDX_OP(rnn) = {
    .name = "RNN",
    .since = 22,
    .infer = infer_recurrent<RecurrentKind::rnn>,
    .reference = rnn_reference,
    .upgrades = {{1, drop_output_sequence}},
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
