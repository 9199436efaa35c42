// LSTM: i = f(x Wi^T + h Ri^T + Pi * c + biases), f likewise with Pf (1 - i where input_forget couples the gates),
// c = f * c + i * g(x Wc^T + h Rc^T + biases), o = f(x Wo^T + h Ro^T + Po * c + biases), h = o * h(c). `clip` bounds
// the input of every activation. Sequence lengths as for RNN.
#include "base/element.h"
#include "ops/rnn/recurrent.h"

namespace sdx::ops {
namespace {

class LstmCell : public RecurrentCell {
 public:
  LstmCell(KernelContext& ctx, const Recurrence& sizes)
      : ctx_(ctx),
        sizes_(sizes),
        coupled_(ctx.attr_int("input_forget", 0) != 0),
        c_(static_cast<size_t>(sizes.hidden)) {}

  void begin(int direction, int64_t b) override {
    direction_ = direction;
    for (size_t i = 0; i < c_.size(); ++i)
      c_[i] =
          ctx_.has_input(6) ? load_double(ctx_.input(6), sizes_.state_row(direction, b) + static_cast<int64_t>(i)) : 0;
  }

  void end(int direction, int64_t b) override {
    if (!ctx_.wants_output(2)) return;
    for (size_t i = 0; i < c_.size(); ++i)
      store_double(ctx_.output(2), sizes_.state_row(direction, b) + static_cast<int64_t>(i),
                   sizes_.lengths[static_cast<size_t>(b)] > 0 ? c_[i] : 0);
  }

  void step(const std::vector<double>& x, std::vector<double>& h) override {
    const Activation* functions = &sizes_.activations[static_cast<size_t>(3 * direction_)];
    std::vector<double> next(h.size());
    for (size_t k = 0; k < h.size(); ++k) {
      const double i = functions[0](clipped(gate(kInput, k, x, h) + peephole(0, k) * c_[k]));
      const double f = coupled_ ? 1 - i : functions[0](clipped(gate(kForget, k, x, h) + peephole(2, k) * c_[k]));
      const double candidate = functions[1](clipped(gate(kCell, k, x, h)));
      c_[k] = f * c_[k] + i * candidate;
      const double o = functions[0](clipped(gate(kOutput, k, x, h) + peephole(1, k) * c_[k]));
      next[k] = o * functions[2](clipped(c_[k]));
    }
    h = next;
  }

 private:
  enum Gate { kInput, kOutput, kForget, kCell };

  double clipped(double v) const { return sizes_.clip > 0 ? std::min(std::max(v, -sizes_.clip), sizes_.clip) : v; }
  double gate(int gate, size_t k, const std::vector<double>& x, const std::vector<double>& h) const {
    const int64_t hidden = sizes_.hidden, at = static_cast<int64_t>(k);
    const int64_t row = (direction_ * 4 + gate) * hidden + at;
    double sum = dot_row(ctx_.input(1), row, x) + dot_row(ctx_.input(2), row, h);
    if (ctx_.has_input(3)) {
      const Tensor& bias = ctx_.input(3);
      sum += load_double(bias, (direction_ * 8 + gate) * hidden + at);
      sum += load_double(bias, (direction_ * 8 + 4 + gate) * hidden + at);
    }
    return sum;
  }
  double peephole(int which, size_t k) const {
    if (!ctx_.has_input(7)) return 0;
    return load_double(ctx_.input(7), (direction_ * 3 + which) * sizes_.hidden + static_cast<int64_t>(k));
  }

  KernelContext& ctx_;
  const Recurrence& sizes_;
  bool coupled_;
  std::vector<double> c_;
  int direction_ = 0;
};

Status lstm_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Recurrence sizes, recurrence_of(ctx, RecurrentKind::lstm));
  LstmCell cell(ctx, sizes);
  return run_recurrence(ctx, sizes, cell);
}

}  // namespace

SDX_OP(lstm) = {
    .name = "LSTM",
    .since = 22,
    .infer = infer_recurrent<RecurrentKind::lstm>,
    .reference = lstm_reference,
    .upgrades = {{1, drop_output_sequence}},
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
