// What the float32 kernels of LSTM and GRU share: packed weights, and the walk over directions and time for all rows of
// the batch at once.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/linalg/gemm.h"
#include "ops/rnn/code_panels.h"
#include "ops/rnn/recurrent.h"

namespace sdx::ops {

// The transposed matrices of each direction. `r_last` are the rows of the last gate, where asked for.
struct RecurrentPacks : KernelState {
  struct Direction {
    PackedF32 w, r, r_last;
    CodePanels w_codes, r_codes;  // instead, where not empty
  };
  std::vector<Direction> directions;
};
enum class LastGate : uint8_t { together, apart };
Result<std::unique_ptr<RecurrentPacks>> pack_recurrent(const Tensor& w, const Tensor& r, RecurrentKind kind,
                                                       LastGate last);
// The same from weights that somebody makes: W and R of a direction, row by row, valid until the next is asked for.
struct RecurrentWeights {
  int64_t directions = 1, inputs = 0, hidden = 0;
  FunctionRef<Result<const float*>(int64_t direction)> w, r;
};
Result<std::unique_ptr<RecurrentPacks>> pack_recurrent(const RecurrentWeights& weights, RecurrentKind kind,
                                                       LastGate last);
// Of constant weights; null for others.
Result<std::unique_ptr<KernelState>> prepare_recurrent(const NodeFacts& facts, RecurrentKind kind, LastGate last);

// float32 and default activations.
Verdict takes_default_cells(const NodeFacts& facts, RecurrentKind kind);

// There and back again over the weights of the state.
inline GemmF32::Order order_of_step(int64_t t) {
  return t % 2 == 0 ? GemmF32::Order::forward : GemmF32::Order::backward;
}

// One step of a direction: gates (rows of the input's sums) and h are [batch, ...]. Rows from whose length on `t` lies
// must keep their h.
class CellsF32 {
 public:
  virtual ~CellsF32() = default;
  // What the input's sums start from: gates * hidden values.
  virtual void bias(int direction, float* values) = 0;
  // The products of the input are added to sums that start from the bias; false: the walk does it.
  virtual Result<bool> add_input(int, const float* /*bias*/, float* /*sums*/) { return false; }
  virtual void begin(int direction) = 0;
  virtual Status step(int64_t t, float* gates, float* h) = 0;
  virtual void end(int direction) = 0;
};
Status walk_recurrence_f32(KernelContext& ctx, const Recurrence& sizes, RecurrentKind kind, const float* x,
                           const RecurrentPacks& packs, CellsF32& cells, ScratchParts& scratch);

// The whole of an LSTM over float32 inputs 3 and 5 to 7; x and the packs as given.
struct LstmSource {
  const float* x;
  const RecurrentPacks* packs;
  bool quantizes_state;      // h goes through uint8 before each product, with a scale of its own
  bool plain_cells = false;  // any activations; `clip` bounds the sums alone
  CodeRows8 codes = {};      // of x, for packs of codes
};
Status run_lstm_f32(KernelContext& ctx, const Recurrence& sizes, const LstmSource& source, ScratchParts& scratch);

// Scratch memory of the walk and of what the cells keep: rows of the batch, `cell_values` wide in units of hidden.
void add_recurrent_scratch(ScratchSize& size, RecurrentKind kind, const Dim& hidden, int64_t cell_values);
inline constexpr int64_t kLstmCellValues = 1, kGruCellValues = 6;
int64_t recurrent_packed_bytes(const NodeFacts& facts);

}  // namespace sdx::ops
