// DFT: the discrete Fourier transform along an axis of [..., 1] (real) or [..., 2] (complex) numbers, cut or padded
// with zeros to dft_length. Forward one-sided: the first floor(n / 2) + 1 values of a real signal's transform; inverse
// one-sided: a real signal from those.
#include "base/element.h"
#include "ops/reduce/axis_view.h"
#include "ops/reference.h"
#include "ops/signal/fft.h"
#include "ops/signal/signal.h"

namespace sdx::ops {
namespace {

struct DftMode {
  bool inverse, onesided;
  explicit DftMode(const NodeFacts& facts)
      : inverse(facts.attr_int("inverse", 0) != 0), onesided(facts.attr_int("onesided", 0) != 0) {}
  explicit DftMode(const KernelContext& ctx)
      : inverse(ctx.attr_int("inverse", 0) != 0), onesided(ctx.attr_int("onesided", 0) != 0) {}
};

Result<Facts> infer_dft(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  const DftMode mode(ctx);
  for (const std::string_view flag : {"inverse", "onesided"})
    if (const int64_t value = ctx.attr_int(flag, 0); value != 0 && value != 1)
      return ctx.fail("attribute {} is {}, not 0 or 1", flag, value);
  SDX_ASSIGN(const std::optional<Dim> length, scalar_input(ctx, 1, "dft_length"));
  SDX_ASSIGN(std::optional<Dim> axis_input, scalar_input(ctx, 2, "axis"));
  if (length && length->is_known() && length->known() < 1)
    return ctx.fail("dft_length is {}, below 1", length->known());
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 2) return ctx.fail("input has rank {}, below 2", x.rank());
  const Dim& parts = x.shape->back();
  if (parts.is_known() && parts.known() != 1 && parts.known() != 2)
    return ctx.fail("the last dimension is {}; 1 (real) or 2 (complex) is wanted", parts.known());
  const Dim wanted_parts = mode.inverse ? Dim(2) : Dim(1);
  if (mode.onesided) {
    ctx.assume({Constraint::Kind::equal, parts, wanted_parts});
  } else {
    assume_real_or_complex(ctx, parts);
  }
  if (mode.onesided && parts.is(mode.inverse ? 1 : 2))
    return ctx.fail("onesided and inverse = {} need a {} input", mode.inverse ? 1 : 0,
                    mode.inverse ? "complex" : "real");
  SymShape shape = *x.shape;
  shape.back() = Dim(mode.onesided && mode.inverse ? 1 : 2);
  if (!ctx.has_input(2)) axis_input = Dim(-2);
  if (!axis_input->is_known()) {
    ctx.leave_to_run();
    for (size_t i = 0; i + 1 < shape.size(); ++i) shape[i] = ctx.unknown_dim();
    return tensor_fact(x.dtype, std::move(shape));
  }
  SDX_ASSIGN(const int axis, ctx.axis(axis_input->known(), x.rank()));
  if (axis == x.rank() - 1) return ctx.fail("axis {} is the one of real and imaginary parts", axis_input->known());
  auto& symbols = ctx.symbols();
  Dim count = shape[static_cast<size_t>(axis)];
  if (ctx.has_input(1)) {
    count = ctx.size_of(*length, 1);
  } else if (mode.onesided && mode.inverse) {
    count = symbols.mul(Dim(2), symbols.sub(count, Dim(1)));
  }
  if (count.is_known() && count.known() < 1) return ctx.fail("the transform has length {}, below 1", count.known());
  ctx.assume({Constraint::Kind::at_least, count, Dim(1)});
  if (mode.onesided && !mode.inverse) count = symbols.add(symbols.floor_div(count, Dim(2)), Dim(1));
  shape[static_cast<size_t>(axis)] = count;
  return tensor_fact(x.dtype, std::move(shape));
}

// The whole spectrum of a real signal of the line's length from its first half. What a real signal cannot have is
// dropped.
void mirror(std::vector<std::complex<double>>& line) {
  const size_t n = line.size();
  line[0] = line[0].real();
  if (n % 2 == 0) line[n / 2] = line[n / 2].real();
  for (size_t k = n / 2 + 1; k < n; ++k) line[k] = std::conj(line[n - k]);
}

Status dft_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const DftMode mode(ctx);
  const bool mirrored = mode.onesided && mode.inverse;
  const int axis = *normalize_axis(ctx.has_input(2) ? load_i64(ctx.input(2), 0) : -2, x.rank());
  const Shape dims(x.shape()), out_dims(y.shape());
  const AxisView in({dims.begin(), dims.size() - 1}, axis), out({out_dims.begin(), out_dims.size() - 1}, axis);
  int64_t n = in.size;
  if (ctx.has_input(1)) {
    n = load_i64(ctx.input(1), 0);
  } else if (mirrored) {
    n = 2 * (in.size - 1);
  }
  if (y.count() == 0 || n < 1) return {};
  const int64_t parts = dims.back(), used = std::min(in.size, mirrored ? n / 2 + 1 : n);
  Fft fft(static_cast<size_t>(n), mode.inverse ? FftDirection::inverse : FftDirection::forward);
  std::vector<std::complex<double>> line(static_cast<size_t>(n));
  for (int64_t i = 0; i < in.lines(); ++i) {
    SDX_TRY(ctx.check_cancelled());
    line.assign(line.size(), {});
    for (int64_t k = 0; k < used; ++k) {
      const int64_t at = (in.first_of(i) + k * in.inner) * parts;
      line[static_cast<size_t>(k)] = {load_double(x, at), parts == 2 ? load_double(x, at + 1) : 0};
    }
    if (mirrored) mirror(line);
    fft.run(line.data());
    for (int64_t k = 0; k < out.size; ++k) {
      const int64_t at = out.first_of(i) + k * out.inner;
      const auto value = line[static_cast<size_t>(k)];
      store_double(y, mirrored ? at : 2 * at, value.real());
      if (!mirrored) store_double(y, 2 * at + 1, value.imag());
    }
  }
  return {};
}

// Up to opset 19 the axis was an attribute, 1 by default.
Status dft_17_to_20(UpgradeContext& ctx) {
  const int64_t axis = ctx.attributes().get_int("axis", 1);
  ctx.attributes().remove("axis");
  ctx.set_input(2, ctx.scalar(axis));
  return {};
}

}  // namespace

SDX_OP(dft) = {
    .name = "DFT",
    .since = 20,
    .infer = infer_dft,
    .reference = dft_reference,
    .upgrades = {{17, dft_17_to_20}},
    .records_constraints = true,
    .needs_values = input_bit(1) | input_bit(2),
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
