// DFT: the discrete Fourier transform along an axis of [..., 1] (real) or [..., 2] (complex) numbers, cut or padded
// with zeros to dft_length. Forward one-sided: the first floor(n / 2) + 1 values of a real signal's transform; inverse
// one-sided: a real signal from those.
#include "ops/signal/dft.h"
#include "base/element.h"
#include "ops/reference.h"
#include "ops/signal/fft.h"
#include "ops/signal/signal.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_dft(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  for (const std::string_view flag : {"inverse", "onesided"})
    if (const int64_t value = ctx.attr_int(flag, 0); value != 0 && value != 1)
      return ctx.fail("attribute {} is {}, not 0 or 1", flag, value);
  const bool inverse = ctx.attr_int("inverse", 0) != 0, onesided = ctx.attr_int("onesided", 0) != 0;
  SDX_ASSIGN(const std::optional<Dim> length, scalar_input(ctx, 1, "dft_length"));
  SDX_ASSIGN(std::optional<Dim> axis_input, scalar_input(ctx, 2, "axis"));
  if (length && length->is_known() && length->known() < 1)
    return ctx.fail("dft_length is {}, below 1", length->known());
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  if (x.rank() < 2) return ctx.fail("input has rank {}, below 2", x.rank());
  const Dim& parts = x.shape->back();
  if (parts.is_known() && parts.known() != 1 && parts.known() != 2)
    return ctx.fail("the last dimension is {}; 1 (real) or 2 (complex) is wanted", parts.known());
  const Dim wanted_parts = inverse ? Dim(2) : Dim(1);
  if (onesided) {
    ctx.assume({Constraint::Kind::equal, parts, wanted_parts});
  } else {
    assume_real_or_complex(ctx, parts);
  }
  if (onesided && parts.is(inverse ? 1 : 2))
    return ctx.fail("onesided and inverse = {} need a {} input", inverse ? 1 : 0, inverse ? "complex" : "real");
  SymShape shape = *x.shape;
  shape.back() = Dim(onesided && inverse ? 1 : 2);
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
  } else if (onesided && inverse) {
    count = symbols.mul(Dim(2), symbols.sub(count, Dim(1)));
  }
  if (count.is_known() && count.known() < 1) return ctx.fail("the transform has length {}, below 1", count.known());
  ctx.assume({Constraint::Kind::at_least, count, Dim(1)});
  if (onesided && !inverse) count = symbols.add(symbols.floor_div(count, Dim(2)), Dim(1));
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

}  // namespace

DftRun::DftRun(KernelContext& ctx)
    : inverse(ctx.attr_int("inverse", 0) != 0), onesided(ctx.attr_int("onesided", 0) != 0) {
  const Shape dims(ctx.input(0).shape()), out_dims(ctx.output(0).shape());
  const int axis =
      *normalize_axis(ctx.has_input(2) ? load_i64(ctx.input(2), 0) : -2, static_cast<int64_t>(dims.size()));
  in = AxisView({dims.begin(), dims.size() - 1}, axis);
  out = AxisView({out_dims.begin(), out_dims.size() - 1}, axis);
  parts = dims.back();
  length = in.size;
  if (ctx.has_input(1)) {
    length = load_i64(ctx.input(1), 0);
  } else if (mirrored()) {
    length = 2 * (in.size - 1);
  }
  used = std::min(in.size, mirrored() ? length / 2 + 1 : length);
}

Status dft_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const DftRun run(ctx);
  if (y.count() == 0 || run.length < 1) return {};
  Fft fft(static_cast<size_t>(run.length), run.inverse ? FftDirection::inverse : FftDirection::forward);
  std::vector<std::complex<double>> line(static_cast<size_t>(run.length));
  for (int64_t i = 0; i < run.in.lines(); ++i) {
    SDX_TRY(ctx.check_cancelled());
    line.assign(line.size(), {});
    for (int64_t k = 0; k < run.used; ++k) {
      const int64_t at = (run.in.first_of(i) + k * run.in.inner) * run.parts;
      line[static_cast<size_t>(k)] = {load_double(x, at), run.parts == 2 ? load_double(x, at + 1) : 0};
    }
    if (run.mirrored()) mirror(line);
    fft.run(line.data());
    for (int64_t k = 0; k < run.out.size; ++k) {
      const int64_t at = run.out.first_of(i) + k * run.out.inner;
      const auto value = line[static_cast<size_t>(k)];
      store_double(y, run.mirrored() ? at : 2 * at, value.real());
      if (!run.mirrored()) store_double(y, 2 * at + 1, value.imag());
    }
  }
  return {};
}

namespace {

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
