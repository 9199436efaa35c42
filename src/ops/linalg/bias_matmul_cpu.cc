// BiasMatMul for float32: sums start from the bias; steps run on each block while it is in a near cache.
#include "ops/linalg/bias_matmul.h"
#include "ops/linalg/packed_weights.h"

namespace sdx::ops {
namespace {

struct Prepared : PackedWeights {
  ElementwiseProgram program;
};

Verdict can_run(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  for (size_t i = kFirstStepInput; i < facts.input_count(); ++i)
    if (facts.dtype(i) != DType::f32) return no("only steps of f32");
  return yes();
}

Result<std::unique_ptr<KernelState>> prepare(const NodeFacts& facts) {
  SDX_ASSIGN(std::unique_ptr<KernelState> packed, prepare_matmul_f32(facts, fused_matmul_form(facts.attributes())));
  SDX_ASSIGN(std::optional<ElementwiseProgram> program, steps_of(facts.attributes(), facts.input_count()));
  if (!program) return packed;
  auto made = std::make_unique<Prepared>();
  if (packed != nullptr) static_cast<PackedWeights&>(*made) = std::move(static_cast<PackedWeights&>(*packed));
  made->program = std::move(*program);
  return std::unique_ptr<KernelState>(std::move(made));
}

// The steps of a node with their operands beside the product, for blocks of y.
class Steps {
 public:
  static Result<Steps> of(KernelContext& ctx) {
    Steps made;
    made.program_ = &ctx.state<Prepared>().program;
    const Tensor& y = ctx.output(0);
    made.start_ = y.data<float>();
    made.columns_ = y.dim(y.rank() - 1);
    for (size_t i = kFirstStepInput; i < ctx.input_count(); ++i) {
      const Tensor& x = ctx.input(i);
      const Extent extent = x.count() == 1 ? Extent::one : x.count() == y.count() ? Extent::all : Extent::columns;
      if (extent == Extent::columns && x.count() != made.columns_)
        return invalid_argument("input {} has shape {}, which the steps cannot take beside {}", i, to_text(x.shape()),
                                to_text(y.shape()));
      made.operands_[made.count_++] = {x.data<float>(), extent};
    }
    return made;
  }

  // Short rows together, as a tile of its own.
  void finish(float* c, int64_t rows, int64_t some) const {
    const int64_t together = std::min(rows, kTileElements / some);
    if (together <= 1) {
      for (int64_t row = 0; row < rows; ++row) finish_row(c + row * columns_, some);
      return;
    }
    alignas(64) float tiles[ElementwiseProgram::kMaxInputs][kTileElements];
    TileOperands operands;
    for (size_t i = 0; i <= count_; ++i) operands[i] = {tiles[i], 1};
    for (size_t i = 0; i < count_; ++i) {
      if (operands_[i].extent == Extent::one) operands[1 + i] = {operands_[i].data, 0};
      if (operands_[i].extent == Extent::columns)
        copy_rows(operands_[i].data + (c - start_) % columns_, 0, together, some, tiles[1 + i], some);
    }
    for (int64_t row = 0; row < rows; row += together) {
      const int64_t taken = std::min(together, rows - row);
      float* from = c + row * columns_;
      copy_rows(from, columns_, taken, some, tiles[0], some);
      for (size_t i = 0; i < count_; ++i)
        if (operands_[i].extent == Extent::all)
          copy_rows(operands_[i].data + (from - start_), columns_, taken, some, tiles[1 + i], some);
      program_->run(operands, tiles[0], static_cast<size_t>(taken * some));
      copy_rows(tiles[0], some, taken, some, from, columns_);
    }
  }

 private:
  enum class Extent : uint8_t { one, columns, all };
  struct Operand {
    const float* data;
    Extent extent;
  };
  using TileOperands = std::array<ElementwiseProgram::TileOperand, ElementwiseProgram::kMaxInputs>;

  static void copy_rows(const float* from, int64_t from_row, int64_t rows, int64_t count, float* to, int64_t to_row) {
    for (int64_t row = 0; row < rows; ++row) std::copy_n(from + row * from_row, count, to + row * to_row);
  }
  void finish_row(float* c, int64_t some) const {
    for (int64_t from = 0; from < some; from += kTileElements) {
      const int64_t at = c + from - start_;
      TileOperands operands;
      operands[0] = {c + from, 1};
      for (size_t i = 0; i < count_; ++i) {
        const Extent extent = operands_[i].extent;
        const int64_t offset = extent == Extent::all ? at : extent == Extent::columns ? at % columns_ : 0;
        operands[1 + i] = {operands_[i].data + offset, extent == Extent::one ? 0 : 1};
      }
      program_->run(operands, c + from, static_cast<size_t>(std::min(kTileElements, some - from)));
    }
  }

  const ElementwiseProgram* program_ = nullptr;
  const float* start_ = nullptr;
  int64_t columns_ = 1;
  size_t count_ = 0;
  std::array<Operand, ElementwiseProgram::kMaxInputs> operands_;
};

Status run_with_steps(KernelContext& ctx, const MatMulForm& form, const float* bias) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const Steps steps, Steps::of(ctx));
  const auto finish_block = [&](float* c, int64_t rows, int64_t columns) { steps.finish(c, rows, columns); };
  const GemmF32::Finish finish(finish_block);
  return run_matmul_f32(ctx, form, bias, &finish);
}

Status run(KernelContext& ctx) {
  const MatMulForm form = fused_matmul_form(ctx.attributes());
  const float* bias = ctx.has_input(2) ? ctx.input(2).data<float>() : nullptr;
  return ctx.attributes().find("steps") != nullptr ? run_with_steps(ctx, form, bias) : run_matmul_f32(ctx, form, bias);
}

}  // namespace

SDX_CPU_KERNELS(bias_matmul, {.name = "bias_matmul_f32",
                              .can_run = can_run,
                              .prepare = prepare,
                              .run = run,
                              .packs_inputs = input_bit(1),
                              .packed_bytes = [](const NodeFacts& facts) {
                                return matmul_packed_bytes(facts, fused_matmul_form(facts.attributes()));
                              }});

}  // namespace sdx::ops
