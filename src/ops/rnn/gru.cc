// GRU: z = f(x Wz^T + h Rz^T + Wbz + Rbz), r likewise; n = g(x Wh^T + (r * h) Rh^T + Rbh + Wbh), or with
// linear_before_reset g(x Wh^T + r * (h Rh^T + Rbh) + Wbh); h = (1 - z) * n + z * h. Sequence lengths as for RNN.
#include "base/element.h"
#include "ops/rnn/recurrent.h"

namespace sdx::ops {
namespace {

class GruCell : public RecurrentCell {
 public:
  GruCell(const KernelContext& ctx, const Recurrence& sizes)
      : ctx_(ctx), sizes_(sizes), linear_before_reset_(ctx.attr_int("linear_before_reset", 0) != 0) {}
  void begin(int direction, int64_t) override { direction_ = direction; }
  void end(int, int64_t) override {}

  void step(const std::vector<double>& x, std::vector<double>& h) override {
    const Activation& f = sizes_.activations[static_cast<size_t>(2 * direction_)];
    const Activation& g = sizes_.activations[static_cast<size_t>(2 * direction_ + 1)];
    const size_t hidden = h.size();
    std::vector<double> z(hidden), r(hidden), reset(hidden);
    for (size_t i = 0; i < hidden; ++i) {
      z[i] = f(clipped(input_part(0, i, x) + state_part(0, i, h)));
      r[i] = f(clipped(input_part(1, i, x) + state_part(1, i, h)));
      reset[i] = r[i] * h[i];
    }
    std::vector<double> next(hidden);
    for (size_t i = 0; i < hidden; ++i) {
      const double from_state = linear_before_reset_ ? r[i] * state_part(2, i, h) : state_part(2, i, reset);
      next[i] = (1 - z[i]) * g(clipped(input_part(2, i, x) + from_state)) + z[i] * h[i];
    }
    h = next;
  }

 private:
  double clipped(double v) const { return sizes_.clip > 0 ? std::min(std::max(v, -sizes_.clip), sizes_.clip) : v; }
  int64_t row(int gate, size_t i) const { return (direction_ * 3 + gate) * sizes_.hidden + static_cast<int64_t>(i); }
  double bias(int gate, size_t i) const {
    if (!ctx_.has_input(3)) return 0;
    return load_double(ctx_.input(3), (direction_ * 6 + gate) * sizes_.hidden + static_cast<int64_t>(i));
  }
  double input_part(int gate, size_t i, const std::vector<double>& x) const {
    return dot_row(ctx_.input(1), row(gate, i), x) + bias(gate, i);
  }
  double state_part(int gate, size_t i, const std::vector<double>& h) const {
    return dot_row(ctx_.input(2), row(gate, i), h) + bias(3 + gate, i);
  }

  const KernelContext& ctx_;
  const Recurrence& sizes_;
  bool linear_before_reset_;
  int direction_ = 0;
};

Status gru_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Recurrence sizes, recurrence_of(ctx, RecurrentKind::gru));
  GruCell cell(ctx, sizes);
  return run_recurrence(ctx, sizes, cell);
}

}  // namespace

SDX_OP(gru) = {
    .name = "GRU",
    .since = 22,
    .infer = infer_recurrent<RecurrentKind::gru>,
    .reference = gru_reference,
    .upgrades = {{1, drop_output_sequence}, {3, drop_output_sequence}},
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
