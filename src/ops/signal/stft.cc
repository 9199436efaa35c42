// STFT: transforms of windowed frames of a signal [batch, length, 1 or 2], a frame every frame_step samples. Output:
// [batch, frames, bins, 2], where bins are all, or the first floor(frame_length / 2) + 1 (onesided, real signals only).
// A signal [batch, length] is real: not the standard's, but exporters write it and onnxruntime takes it.
#include "base/element.h"
#include "ops/op.h"
#include "ops/signal/fft.h"
#include "ops/signal/signal.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_stft(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  const bool onesided = ctx.attr_int("onesided", 1) != 0;
  if (const int64_t value = ctx.attr_int("onesided", 1); value != 0 && value != 1)
    return ctx.fail("attribute onesided is {}, not 0 or 1", value);
  SDX_ASSIGN(const std::optional<Dim> step, scalar_input(ctx, 1, "frame_step"));
  SDX_ASSIGN(const std::optional<Dim> given_length, scalar_input(ctx, 3, "frame_length"));
  if (!step) return ctx.fail("frame_step is missing");
  if (step->is_known() && step->known() < 1) return ctx.fail("frame_step is {}, below 1", step->known());
  if (given_length && given_length->is_known() && given_length->known() < 1)
    return ctx.fail("frame_length is {}, below 1", given_length->known());
  Dim batch = ctx.unknown_dim(), samples = ctx.unknown_dim();
  if (x.has_rank()) {
    if (x.rank() != 2 && x.rank() != 3) return ctx.fail("signal has rank {}, not 3", x.rank());
    batch = x.dim(0);
    samples = x.dim(1);
    const Dim parts = x.rank() == 3 ? x.dim(2) : Dim(1);
    if (parts.is_known() && parts.known() != 1 && parts.known() != 2)
      return ctx.fail("the last dimension is {}; 1 (real) or 2 (complex) is wanted", parts.known());
    if (onesided) {
      ctx.assume({Constraint::Kind::equal, parts, Dim(1)});
    } else {
      assume_real_or_complex(ctx, parts);
    }
    if (onesided && parts.is(2)) return ctx.fail("a complex signal needs onesided = 0");
  }
  Dim length = samples;
  if (given_length) length = *given_length;
  if (ctx.has_input(2)) {
    Dim window = ctx.unknown_dim();
    if (ctx.has_rank(2)) {
      if (ctx.rank(2) != 1) return ctx.fail("window has rank {}, not 1", ctx.rank(2));
      window = ctx.dim(2, 0);
    }
    if (given_length) SDX_TRY(ctx.same(length, window, "frame_length and size of window").status());
    if (!given_length || window.is_known()) length = window;
  }
  auto& symbols = ctx.symbols();
  if (length.is(0)) return ctx.fail("frames have no samples");
  if (symbols.less(samples, length) == Truth::yes)
    return ctx.fail("frame_length {} exceeds the {} samples of the signal", symbols.to_text(length),
                    symbols.to_text(samples));
  ctx.assume({Constraint::Kind::at_least, *step, Dim(1)});
  ctx.assume({Constraint::Kind::at_least, length, Dim(1)});
  ctx.assume({Constraint::Kind::at_least, samples, length});
  const bool known = step->is_known() && symbols.is_nameable(length);
  const Dim frames =
      known ? symbols.add(symbols.floor_div(symbols.sub(samples, length), *step), Dim(1)) : ctx.unknown_dim();
  Dim bins = known ? length : ctx.unknown_dim();
  if (known && onesided) bins = symbols.add(symbols.floor_div(length, Dim(2)), Dim(1));
  return tensor_fact(x.dtype, SymShape{batch, frames, bins, Dim(2)});
}

Status stft_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const Tensor* window = ctx.has_input(2) ? &ctx.input(2) : nullptr;
  const int64_t step = load_i64(ctx.input(1), 0), samples = x.dim(1), parts = x.rank() == 3 ? x.dim(2) : 1;
  int64_t length = samples;
  if (window != nullptr) {
    length = window->count();
  } else if (ctx.has_input(3)) {
    length = load_i64(ctx.input(3), 0);
  }
  Fft fft(static_cast<size_t>(length), FftDirection::forward);
  std::vector<std::complex<double>> frame(static_cast<size_t>(length));
  const int64_t frames = y.dim(1), bins = y.dim(2);
  for (int64_t i = 0; i < x.dim(0) * frames; ++i) {
    SDX_TRY(ctx.check_cancelled());
    const int64_t first = i / frames * samples + i % frames * step;
    for (int64_t k = 0; k < length; ++k) {
      const double weight = window != nullptr ? load_double(*window, k) : 1;
      const int64_t at = (first + k) * parts;
      frame[static_cast<size_t>(k)] = {load_double(x, at) * weight, parts == 2 ? load_double(x, at + 1) * weight : 0};
    }
    fft.run(frame.data());
    for (int64_t k = 0; k < bins; ++k) {
      store_double(y, (i * bins + k) * 2, frame[static_cast<size_t>(k)].real());
      store_double(y, (i * bins + k) * 2 + 1, frame[static_cast<size_t>(k)].imag());
    }
  }
  return {};
}

}  // namespace

SDX_OP(stft) = {
    .name = "STFT",
    .since = 17,
    .infer = infer_stft,
    .reference = stft_reference,
    .records_constraints = true,
    .needs_values = input_bit(1) | input_bit(3),
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
