// BiasMatMul for float32: sums start from the bias; steps run on each block while it is in a near cache. Rounded
// operands go through the processor's products of bfloat16, where it has them.
#include <cstring>

#include "base/float_format.h"
#include "kernel/scratch_parts.h"
#include "kernel/weight_parts.h"
#include "ops/linalg/bias_matmul.h"
#include "ops/linalg/gemm_bf16.h"
#include "ops/linalg/gemm_tiles.h"
#include "ops/linalg/packed_weights.h"

namespace sdx::ops {
namespace {

struct Prepared : PackedWeights {
  PackedBF16 rounded;
  ElementwiseProgram program;
};

Verdict takes_f32(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  for (size_t i = kFirstStepInput; i < facts.input_count(); ++i)
    if (facts.dtype(i) != DType::f32) return no("only steps of f32");
  return yes();
}

Verdict can_run(const NodeFacts& facts) {
  return is_rounded(facts.attributes()) ? no("the operands are rounded") : takes_f32(facts);
}

Verdict can_run_rounded(const NodeFacts& facts) {
  if (!is_rounded(facts.attributes())) return no("the operands are not rounded");
  const MatMulForm form = fused_matmul_form(facts.attributes());
  if (form.a_transposed || form.a_batch_transposed || form.b_batch_transposed) return no("an operand is transposed");
  const Tensor* b = facts.constant(1);
  if (b == nullptr || b->rank() != 2 || b->count() == 0) return no("the second operand is no constant matrix");
  if (!facts.has_rank(0) || facts.rank(0) < 2) return no("the first operand is no matrix");
  return takes_f32(facts);
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

  // Some rows at a time, which are a tile of their own.
  void finish(float* made, float* c, int64_t rows, int64_t some) const {
    const int64_t together = std::min(rows, kTileElements / some);
    alignas(64) float tiles[ElementwiseProgram::kMaxInputs][kTileElements];
    TileOperands operands;
    for (size_t i = 0; i < count_; ++i) {
      operands[1 + i] = {tiles[i], 1};
      if (operands_[i].extent == Extent::one) operands[1 + i] = {operands_[i].data, 0};
      if (operands_[i].extent == Extent::columns)
        copy_rows(operands_[i].data + (c - start_) % columns_, 0, together, some, tiles[i], some);
    }
    for (int64_t row = 0; row < rows; row += together, made += together * some, c += together * columns_) {
      const int64_t taken = std::min(together, rows - row);
      operands[0] = {made, 1};
      for (size_t i = 0; i < count_; ++i)
        if (operands_[i].extent == Extent::all)
          copy_rows(operands_[i].data + (c - start_), columns_, taken, some, tiles[i], some);
      program_->run(operands, made, static_cast<size_t>(taken * some));
      copy_rows(made, some, taken, some, c, columns_);
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
    for (int64_t row = 0; row < rows; ++row, from += from_row, to += to_row) {
      if (count == kMaxPanelWidth) {
        std::memcpy(to, from, kMaxPanelWidth * sizeof(float));  // a few instructions
      } else if (count == kMaxPanelWidth / 2) {
        std::memcpy(to, from, kMaxPanelWidth / 2 * sizeof(float));
      } else {
        std::copy_n(from, count, to);
      }
    }
  }

  const ElementwiseProgram* program_ = nullptr;
  const float* start_ = nullptr;
  int64_t columns_ = 1;
  size_t count_ = 0;
  std::array<Operand, ElementwiseProgram::kMaxInputs> operands_;
};

const float* bias_of(const KernelContext& ctx) { return ctx.has_input(2) ? ctx.input(2).data<float>() : nullptr; }

// Calls product(finish), where `finish` runs the steps, or is null.
template <typename Product>
Status with_steps(KernelContext& ctx, Product product) {
  if (ctx.output(0).count() == 0) return {};
  if (ctx.attributes().find("steps") == nullptr) return product(nullptr);
  SDX_ASSIGN(const Steps steps, Steps::of(ctx));
  const auto finish_block = [&](float* made, float* c, int64_t rows, int64_t columns) {
    steps.finish(made, c, rows, columns);
  };
  const GemmF32::Finish finish(finish_block);
  return product(&finish);
}

Status run(KernelContext& ctx) {
  return with_steps(ctx, [&](const GemmF32::Finish* finish) {
    return run_matmul_f32(ctx, fused_matmul_form(ctx.attributes()), bias_of(ctx), finish);
  });
}

// b [k, n], of a node that can_run_rounded.
WeightMatrix matrix_of(const NodeFacts& facts, const Tensor& b) {
  const bool transposed = fused_matmul_form(facts.attributes()).b_transposed;
  if (transposed) return {{b.data<float>(), 1, b.dim(1)}, b.dim(1), b.dim(0)};
  return {{b.data<float>(), b.dim(1), 1}, b.dim(0), b.dim(1)};
}

float rounded(float value) { return static_cast<float>(static_cast<double>(bf16(static_cast<double>(value)))); }

Result<std::unique_ptr<KernelState>> prepare_rounded(const NodeFacts& facts) {
  const Tensor& b = *facts.constant(1);
  WeightMatrix matrix = matrix_of(facts, b);
  auto made = std::make_unique<Prepared>();
  SDX_ASSIGN(std::optional<ElementwiseProgram> program, steps_of(facts.attributes(), facts.input_count()));
  if (program) made->program = std::move(*program);
  if (has_bf16_products()) {
    SDX_ASSIGN(made->rounded, PackedBF16::create(matrix.matrix, matrix.k, matrix.n));
    return std::unique_ptr<KernelState>(std::move(made));
  }
  SDX_ASSIGN(Tensor values, clone(b));
  std::transform(values.data<float>(), values.data<float>() + b.count(), values.data<float>(), rounded);
  matrix.matrix.data = values.data<float>();
  SDX_ASSIGN(made->panels, PackedF32::create(matrix.matrix, matrix.k, matrix.n));
  return std::unique_ptr<KernelState>(std::move(made));
}

// Room for rounded rows, in 16 bits or, without such products, in 32.
constexpr int64_t kRowGap = 64;

Status run_rounded(KernelContext& ctx) {
  const auto& state = ctx.state<Prepared>();
  const Tensor& a = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t k = a.dim(a.rank() - 1), rows = a.count() / k, n = y.dim(y.rank() - 1);
  const bool narrow = state.rounded.defined();
  const int64_t row_words = narrow ? bf16_row(k) : k;
  const std::span<uint32_t> words =
      ScratchParts(ctx).take<uint32_t>(rows * (k + kRowGap)).first(static_cast<size_t>(rows * row_words));
  auto* floats = reinterpret_cast<float*>(words.data());
  const int64_t grain = std::max<int64_t>(1, 32768 / k);
  SDX_TRY(parallel_ranges(ctx, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* from = a.data<float>() + row * k;
      if (narrow) {
        round_row_bf16(from, k, words.data() + row * row_words);
      } else {
        std::transform(from, from + k, floats + row * k, rounded);
      }
    }
  }));
  return with_steps(ctx, [&](const GemmF32::Finish* finish) {
    const float* bias = bias_of(ctx);
    if (narrow)
      return gemm_bf16(
          ctx,
          {.m = rows, .a = words.data(), .b = &state.rounded, .c = y.data<float>(), .bias = bias, .finish = finish});
    GemmF32 product{
        .m = rows, .n = n, .k = k, .a = {floats, k, 1}, .packed = &state.panels, .c = y.data<float>(), .c_row = n};
    if (bias != nullptr) product.start = GemmF32::Start::per_column;
    product.bias = bias;
    product.finish = finish;
    return gemm(ctx, product);
  });
}

Dim rounded_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  if (!facts.node.has_rank(0)) return facts.symbols.fresh();
  Dim rows(1);
  for (int axis = 0; axis + 1 < facts.node.rank(0); ++axis) rows = facts.symbols.mul(rows, size.input(0, axis));
  const Dim words = facts.symbols.add(size.input(0, -1), kRowGap);
  return size.part(facts.symbols.mul(rows, words), sizeof(uint32_t)).bytes();
}

int64_t rounded_weight_bytes(const NodeFacts& facts) {
  const WeightMatrix matrix = matrix_of(facts, *facts.constant(1));
  return has_bf16_products() ? PackedBF16::bytes_for(matrix.k, matrix.n) : PackedF32::bytes_for(matrix.k, matrix.n);
}

}  // namespace

SDX_CPU_KERNELS(bias_matmul,
                {.name = "bias_matmul_f32",
                 .can_run = can_run,
                 .prepare = prepare,
                 .run = run,
                 .packs_inputs = input_bit(1) | in_parts(1),
                 .packed_bytes =
                     [](const NodeFacts& facts) {
                       return matmul_packed_bytes(facts, fused_matmul_form(facts.attributes()));
                     }},
                {.name = "bias_matmul_bf16",
                 .can_run = can_run_rounded,
                 .prepare = prepare_rounded,
                 .run = run_rounded,
                 .packs_inputs = input_bit(1),
                 .scratch_bytes = rounded_bytes,
                 .packed_bytes = rounded_weight_bytes});

}  // namespace sdx::ops
