#include "base/simd_targets.h"  // first

#include "ops/rnn/cells.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

class Clip {
 public:
  explicit Clip(float limit) : limit_(hn::Set(D(), limit)), clips_(limit > 0) {}
  HWY_INLINE V operator()(V v) const {
    if (!clips_) return v;
    return hn::IfThenElse(hn::IsNaN(v), v, hn::Min(hn::Max(v, hn::Neg(limit_)), limit_));
  }

 private:
  V limit_;
  bool clips_;
};

void lstm_cell(const ops::LstmRow& row) {
  const D d;
  const Clip clip(row.clip);
  const size_t hidden = row.hidden, lanes = hn::Lanes(d);
  for (size_t k = 0; k < hidden; k += lanes) {
    const size_t n = HWY_MIN(lanes, hidden - k);
    const auto gate = [&](size_t i) HWY_ATTR { return load_n(d, row.gates + i * hidden + k, n); };
    const auto peep = [&](size_t i, V sum, V c) HWY_ATTR {
      return row.peepholes == nullptr ? sum : hn::MulAdd(load_n(d, row.peepholes + i * hidden + k, n), c, sum);
    };
    V c = load_n(d, row.c + k, n);
    const V i = sigmoid_of(d, clip(peep(0, gate(0), c)));
    const V f = row.coupled ? hn::Sub(hn::Set(d, 1.0f), i) : sigmoid_of(d, clip(peep(2, gate(2), c)));
    c = hn::MulAdd(f, c, hn::Mul(i, tanh_of(d, clip(gate(3)))));
    const V o = sigmoid_of(d, clip(peep(1, gate(1), c)));
    store_n(c, d, row.c + k, n);
    store_n(hn::Mul(o, tanh_of(d, clip(c))), d, row.h + k, n);
  }
}

void gru_open(const ops::GruRow& row) {
  const D d;
  const Clip clip(row.clip);
  const size_t hidden = row.hidden, lanes = hn::Lanes(d);
  for (size_t k = 0; k < hidden; k += lanes) {
    const size_t n = HWY_MIN(lanes, hidden - k);
    const auto gate = [&](size_t i) HWY_ATTR {
      const V sum = hn::Add(load_n(d, row.x + i * hidden + k, n), load_n(d, row.state + i * hidden + k, n));
      return sigmoid_of(d, clip(sum));
    };
    const V r = gate(1);
    store_n(gate(0), d, row.gates + k, n);
    store_n(r, d, row.gates + hidden + k, n);
    if (!row.linear_before_reset) store_n(hn::Mul(r, load_n(d, row.h + k, n)), d, row.reset + k, n);
  }
}

void gru_close(const ops::GruRow& row) {
  const D d;
  const Clip clip(row.clip);
  const size_t hidden = row.hidden, lanes = hn::Lanes(d);
  for (size_t k = 0; k < hidden; k += lanes) {
    const size_t n = HWY_MIN(lanes, hidden - k);
    const V x = load_n(d, row.x + 2 * hidden + k, n), z = load_n(d, row.gates + k, n), h = load_n(d, row.h + k, n);
    V state = load_n(d, row.state + 2 * hidden + k, n);
    if (row.linear_before_reset) state = hn::Mul(state, load_n(d, row.gates + hidden + k, n));
    const V fresh = tanh_of(d, clip(hn::Add(x, state)));
    store_n(hn::MulAdd(z, h, hn::Mul(hn::Sub(hn::Set(d, 1.0f), z), fresh)), d, row.h + k, n);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

LstmCellF32 lstm_cell_f32() { return SDX_DISPATCH(lstm_cell); }
GruCellF32 gru_cell_f32() { return {SDX_DISPATCH(gru_open), SDX_DISPATCH(gru_close)}; }

}  // namespace sdx::ops
#endif
