#include "ops/rnn/recurrent_f32.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernel/weight_parts.h"
#include "ops/quant/dynamic_quantization.h"
#include "ops/rnn/cells.h"

namespace sdx::ops {
namespace {

constexpr int64_t kCellGrain = 4096;  // elements of h

// Weights of which only one is constant are packed at each run, from where they lie.
Result<Tensor> aligned(const Tensor& weights) {
  if (WeightParts::has(weights.raw()) || reinterpret_cast<uintptr_t>(weights.raw()) % alignof(float) == 0)
    return weights;
  return clone(weights);
}

}  // namespace

Result<std::unique_ptr<RecurrentPacks>> pack_recurrent(const RecurrentWeights& weights, RecurrentKind kind,
                                                       LastGate last) {
  const int64_t hidden = weights.hidden, inputs = weights.inputs, rows = gates_of(kind) * hidden;
  const int64_t first = last == LastGate::apart ? rows - hidden : rows;
  auto packs = std::make_unique<RecurrentPacks>();
  for (int64_t direction = 0; direction < weights.directions; ++direction) {
    RecurrentPacks::Direction made;
    SDX_ASSIGN(const float* w, weights.w(direction));
    SDX_ASSIGN(made.w, PackedF32::create({w, 1, inputs}, inputs, rows));
    SDX_ASSIGN(const float* r, weights.r(direction));
    SDX_ASSIGN(made.r, PackedF32::create({r, 1, hidden}, hidden, first));
    if (first < rows) {
      SDX_ASSIGN(made.r_last, PackedF32::create({r + first * hidden, 1, hidden}, hidden, hidden));
    }
    packs->directions.push_back(std::move(made));
  }
  return packs;
}

Result<std::unique_ptr<RecurrentPacks>> pack_recurrent(const Tensor& given_w, const Tensor& given_r, RecurrentKind kind,
                                                       LastGate last) {
  SDX_ASSIGN(const Tensor w, aligned(given_w));
  SDX_ASSIGN(const Tensor r, aligned(given_r));
  const auto part = [](const Tensor& all, int64_t direction) -> Result<const float*> {
    return all.data<float>() + direction * all.dim(1) * all.dim(2);
  };
  const auto w_of = [&](int64_t direction) { return part(w, direction); };
  const auto r_of = [&](int64_t direction) { return part(r, direction); };
  return pack_recurrent({.directions = w.dim(0), .inputs = w.dim(2), .hidden = r.dim(2), .w = w_of, .r = r_of}, kind,
                        last);
}

Result<std::unique_ptr<KernelState>> prepare_recurrent(const NodeFacts& facts, RecurrentKind kind, LastGate last) {
  const Tensor *w = facts.constant(1), *r = facts.constant(2);
  if (w == nullptr || r == nullptr) return std::unique_ptr<KernelState>();
  SDX_ASSIGN(auto packs, pack_recurrent(*w, *r, kind, last));
  return std::unique_ptr<KernelState>(std::move(packs));
}

Verdict takes_default_cells(const NodeFacts& facts, RecurrentKind kind) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  const int directions = facts.attr_string("direction", "forward") == "bidirectional" ? 2 : 1;
  const auto list = activations_of(facts.attributes(), kind, directions);
  if (!list.ok()) return no("other activations");
  const size_t each = list.value().size() / static_cast<size_t>(directions);
  for (size_t i = 0; i < list.value().size(); ++i) {
    const auto wanted = i % each == 0 ? Activation::Function::sigmoid : Activation::Function::tanh;
    if (list.value()[i].function != wanted) return no("other activations");
  }
  return yes();
}

Status walk_recurrence_f32(KernelContext& ctx, const Recurrence& sizes, RecurrentKind kind, const float* x,
                           const RecurrentPacks& packs, CellsF32& cells, ScratchParts& scratch) {
  const int64_t batch = sizes.batch, hidden = sizes.hidden, width = gates_of(kind) * hidden;
  const auto row_bytes = static_cast<size_t>(hidden) * sizeof(float);
  const std::span<float> sums = scratch.take<float>(sizes.steps * batch * width);
  const std::span<float> gates = scratch.take<float>(batch * width), h = scratch.take<float>(batch * hidden);
  const std::span<float> bias = scratch.take<float>(width);
  for (int direction = 0; direction < sizes.directions; ++direction) {
    cells.bias(direction, bias.data());
    SDX_ASSIGN(const bool has_input, cells.add_input(direction, bias.data(), sums.data()));
    if (!has_input) {
      GemmF32 product{.m = sizes.steps * batch, .n = width, .k = sizes.input_size};
      product.a = {x, sizes.input_size, 1};
      product.packed = &packs.directions[static_cast<size_t>(direction)].w;
      product.c = sums.data();
      product.c_row = width;
      product.start = GemmF32::Start::per_column;
      product.bias = bias.data();
      SDX_TRY(gemm(ctx, product));
    }
    for (int64_t b = 0; b < batch; ++b) {
      float* row = h.data() + b * hidden;
      if (ctx.has_input(5)) {
        std::memcpy(row, ctx.input(5).data<float>() + sizes.state_row(direction, b), row_bytes);
      } else {
        std::fill(row, row + hidden, 0.0f);
      }
    }
    cells.begin(direction);
    for (int64_t t = 0; t < sizes.steps; ++t) {
      SDX_TRY(ctx.check_cancelled());
      const auto step_of = [&](int64_t b) {
        const int64_t length = sizes.lengths[static_cast<size_t>(b)];
        return sizes.is_reverse(direction) && t < length ? length - 1 - t : t;
      };
      for (int64_t b = 0; b < batch; ++b) {
        const int64_t step = step_of(b), row = sizes.batch_first ? b * sizes.steps + step : step * batch + b;
        std::memcpy(gates.data() + b * width, sums.data() + row * width, static_cast<size_t>(width) * sizeof(float));
      }
      SDX_TRY(cells.step(t, gates.data(), h.data()));
      if (!ctx.wants_output(0)) continue;
      for (int64_t b = 0; b < batch; ++b) {
        float* y = ctx.output(0).data<float>() + sizes.y_row(step_of(b), direction, b);
        if (t < sizes.lengths[static_cast<size_t>(b)]) {
          std::memcpy(y, h.data() + b * hidden, row_bytes);
        } else {
          std::fill(y, y + hidden, 0.0f);
        }
      }
    }
    cells.end(direction);
    if (!ctx.wants_output(1)) continue;
    for (int64_t b = 0; b < batch; ++b) {
      float* y = ctx.output(1).data<float>() + sizes.state_row(direction, b);
      const float* row = h.data() + b * hidden;
      for (int64_t i = 0; i < hidden; ++i) y[i] = sizes.lengths[static_cast<size_t>(b)] > 0 ? row[i] : 0;
    }
  }
  return {};
}

namespace {

// A row of cells with any activations; the cell itself is not clipped before the last one.
void plain_lstm_cell(const LstmRow& row, const Activation* functions) {
  const double clip = row.clip > 0 ? static_cast<double>(row.clip) : std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < row.hidden; ++k) {
    const auto gate = [&](size_t which, double c) {
      const size_t at = which * row.hidden + k;
      const double peephole = row.peepholes == nullptr || which > 2 ? 0 : static_cast<double>(row.peepholes[at]) * c;
      return std::clamp(static_cast<double>(row.gates[at]) + peephole, -clip, clip);
    };
    const double c = static_cast<double>(row.c[k]), i = functions[0](gate(0, c));
    const double f = row.coupled ? 1 - i : functions[0](gate(2, c));
    const double next = f * c + i * functions[1](gate(3, c));
    row.c[k] = static_cast<float>(next);
    row.h[k] = static_cast<float>(functions[0](gate(1, next)) * functions[2](next));
  }
}

class LstmCells : public CellsF32 {
 public:
  LstmCells(KernelContext& ctx, const Recurrence& sizes, const LstmSource& source, ScratchParts& scratch)
      : ctx_(ctx),
        sizes_(sizes),
        source_(source),
        coupled_(ctx.attr_int("input_forget", 0) != 0),
        c_(scratch.take<float>(sizes.batch * sizes.hidden)),
        bytes_(scratch.take<uint8_t>(source.quantizes_state ? sizes.batch * sizes.hidden : 0)),
        rounded_(scratch.take<float>(source.quantizes_state ? sizes.batch * sizes.hidden : 0)),
        starts_(scratch.take<int32_t>(source.quantizes_state ? code_columns(4 * sizes.hidden) : 0)),
        row_sums_(scratch.take<int32_t>(source.quantizes_state ? sizes.steps * sizes.batch : 0)) {}

  void bias(int direction, float* values) override {
    const int64_t width = 4 * sizes_.hidden;
    const float* b = ctx_.has_input(3) ? ctx_.input(3).data<float>() + direction * 2 * width : nullptr;
    for (int64_t i = 0; i < width; ++i) values[i] = b == nullptr ? 0 : b[i] + b[width + i];
  }

  Result<bool> add_input(int direction, const float* bias, float* sums) override {
    const CodePanels& panels = source_.packs->directions[static_cast<size_t>(direction)].w_codes;
    if (panels.is_empty()) return false;
    for (int64_t row = 0; row < source_.codes.rows; ++row) std::copy(bias, bias + panels.n, sums + row * panels.n);
    SDX_TRY(add_product(ctx_, source_.codes, panels, starts_, row_sums_, sums));
    return true;
  }

  void begin(int direction) override {
    direction_ = direction;
    for (int64_t b = 0; b < sizes_.batch; ++b)
      for (int64_t i = 0; i < sizes_.hidden; ++i)
        c_[static_cast<size_t>(b * sizes_.hidden + i)] =
            ctx_.has_input(6) ? ctx_.input(6).data<float>()[sizes_.state_row(direction, b) + i] : 0;
  }

  Status step(int64_t t, float* gates, float* h) override {
    const int64_t hidden = sizes_.hidden;
    SDX_TRY(add_state(t, gates, h));
    const float* peepholes = ctx_.has_input(7) ? ctx_.input(7).data<float>() + direction_ * 3 * hidden : nullptr;
    const int64_t grain = std::max<int64_t>(1, kCellGrain / std::max<int64_t>(hidden, 1));
    return parallel_ranges(ctx_, sizes_.batch, grain, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        if (t >= sizes_.lengths[static_cast<size_t>(b)]) continue;
        const LstmRow row{.gates = gates + b * 4 * hidden,
                          .peepholes = peepholes,
                          .c = c_.data() + b * hidden,
                          .h = h + b * hidden,
                          .hidden = static_cast<size_t>(hidden),
                          .clip = static_cast<float>(sizes_.clip),
                          .coupled = coupled_};
        if (source_.plain_cells) {
          plain_lstm_cell(row, &sizes_.activations[static_cast<size_t>(direction_) * 3]);
        } else {
          cell_(row);
        }
      }
    });
  }

  void end(int direction) override {
    if (!ctx_.wants_output(2)) return;
    for (int64_t b = 0; b < sizes_.batch; ++b)
      for (int64_t i = 0; i < sizes_.hidden; ++i)
        ctx_.output(2).data<float>()[sizes_.state_row(direction, b) + i] =
            sizes_.lengths[static_cast<size_t>(b)] > 0 ? c_[static_cast<size_t>(b * sizes_.hidden + i)] : 0;
  }

 private:
  // gates += products of h
  Status add_state(int64_t t, float* gates, const float* h) {
    const auto& packs = source_.packs->directions[static_cast<size_t>(direction_)];
    if (source_.quantizes_state) {
      const auto count = static_cast<int64_t>(bytes_.size());
      SDX_ASSIGN(const DynamicScale to, dynamic_scale_of(ctx_, h, count));
      SDX_TRY(quantize_dynamic(ctx_, h, count, to, bytes_.data()));
      if (!packs.r_codes.is_empty())
        return add_product(ctx_, {.codes = bytes_.data(), .rows = sizes_.batch, .by = to}, packs.r_codes, starts_,
                           row_sums_, gates);
      for (size_t i = 0; i < bytes_.size(); ++i)
        rounded_[i] = static_cast<float>(static_cast<int>(bytes_[i]) - to.zero_point) * to.scale;
      h = rounded_.data();
    }
    GemmF32 product{.m = sizes_.batch, .n = 4 * sizes_.hidden, .k = sizes_.hidden};
    product.a = {h, sizes_.hidden, 1};
    product.packed = &packs.r;
    product.c = gates;
    product.c_row = 4 * sizes_.hidden;
    product.start = GemmF32::Start::c;
    product.order = order_of_step(t);
    return gemm(ctx_, product);
  }

  KernelContext& ctx_;
  const Recurrence& sizes_;
  const LstmSource& source_;
  const bool coupled_;
  const LstmCellF32 cell_ = lstm_cell_f32();
  const std::span<float> c_;
  const std::span<uint8_t> bytes_;
  const std::span<float> rounded_;
  const std::span<int32_t> starts_, row_sums_;
  int direction_ = 0;
};

}  // namespace

Status run_lstm_f32(KernelContext& ctx, const Recurrence& sizes, const LstmSource& source, ScratchParts& scratch) {
  LstmCells cells(ctx, sizes, source, scratch);
  return walk_recurrence_f32(ctx, sizes, RecurrentKind::lstm, source.x, *source.packs, cells, scratch);
}

void add_recurrent_scratch(ScratchSize& size, RecurrentKind kind, const Dim& hidden, int64_t cell_values) {
  const Dim batch = size.input(0, size.node().attr_int("layout", 0) != 0 ? 0 : 1);
  const Dim width = size.symbols().mul(Dim(gates_of(kind)), hidden);
  const auto floats = [&](const Dim& rows, const Dim& each) {
    size.part(size.symbols().mul(rows, each), sizeof(float));
  };
  for (int64_t i = 0; i < cell_values; ++i) floats(batch, hidden);
  floats(size.symbols().mul(size.input(0, 0), size.input(0, 1)), width);
  floats(batch, width);
  floats(batch, hidden);
  floats(1, width);
}

int64_t recurrent_packed_bytes(const NodeFacts& facts) {
  const Tensor *w = facts.constant(1), *r = facts.constant(2);
  if (w == nullptr || r == nullptr || w->rank() != 3 || r->rank() != 3) return 0;
  const int64_t width = gemm_panel_width(), columns = (w->dim(1) + width - 1) / width * width;
  return w->dim(0) * columns * (w->dim(2) + r->dim(2)) * static_cast<int64_t>(sizeof(float));
}

}  // namespace sdx::ops
