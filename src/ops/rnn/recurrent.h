// What RNN, GRU and LSTM share: their sizes, shape rule, activations, and the walk over directions, batch and time.
#pragma once

#include <vector>

#include "ops/op.h"

namespace sdx::ops {

enum class RecurrentKind : uint8_t { rnn, gru, lstm };
constexpr int gates_of(RecurrentKind kind) {
  return kind == RecurrentKind::rnn ? 1 : kind == RecurrentKind::gru ? 3 : 4;
}

template <RecurrentKind kind>
Result<Facts> infer_recurrent(InferContext& ctx);

struct Activation {
  enum class Function : uint8_t {
    relu,
    tanh,
    sigmoid,
    affine,
    leaky_relu,
    thresholded_relu,
    scaled_tanh,
    hard_sigmoid,
    elu,
    softsign,
    softplus,
  } function = Function::tanh;
  double alpha = 0, beta = 0;
  double operator()(double x) const;
};
// One list of `per_direction` functions for each direction. Names in any case. Functions that have an alpha or beta
// take the next of the attribute's values, and the operator's default where those run out.
Result<std::vector<Activation>> activations_of(const Attributes& attributes, RecurrentKind kind, int directions);

// Sizes and choices of one node with numbers.
struct Recurrence {
  int64_t steps = 0, batch = 0, input_size = 0, hidden = 0;
  int directions = 1;
  bool reverse_first = false;  // direction = reverse
  bool batch_first = false;    // layout = 1
  double clip = 0;             // 0: none
  std::vector<int64_t> lengths;
  std::vector<Activation> activations;

  bool is_reverse(int direction) const { return direction == 1 || reverse_first; }
  // Linear indices of the first element of a row.
  int64_t x_row(int64_t step, int64_t b) const {
    return (batch_first ? b * steps + step : step * batch + b) * input_size;
  }
  int64_t y_row(int64_t step, int direction, int64_t b) const {
    return (batch_first ? (b * steps + step) * directions + direction : (step * directions + direction) * batch + b) *
           hidden;
  }
  int64_t state_row(int direction, int64_t b) const {
    return (batch_first ? b * directions + direction : direction * batch + b) * hidden;
  }
};
// From the shapes and attributes of inputs that passed the shape rule, and the lengths in input 4.
Result<Recurrence> recurrence_of(const KernelContext& ctx, RecurrentKind kind);

// The plain walk, in double. `cell` turns h (and what it keeps of its own) into the next one for a row x.
class RecurrentCell {
 public:
  virtual ~RecurrentCell() = default;
  virtual void begin(int direction, int64_t b) = 0;
  virtual void step(const std::vector<double>& x, std::vector<double>& h) = 0;
  virtual void end(int direction, int64_t b) = 0;
};
Status run_recurrence(KernelContext& ctx, const Recurrence& sizes, RecurrentCell& cell);

// x @ w[row]^T over `count` elements of row `row` of a weight tensor seen as rows of that length.
double dot_row(const Tensor& w, int64_t row, const std::vector<double>& x);

// output_sequence of the first versions only said whether Y is wanted.
Status drop_output_sequence(UpgradeContext& ctx);

}  // namespace sdx::ops
