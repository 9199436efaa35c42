// MelWeightMatrix: [floor(dft_length / 2) + 1, num_mel_bins] weights of triangular filters whose corners are evenly
// spaced in mel = 2595 * log10(1 + hertz / 700).
#include <cmath>
#include <cstring>

#include "base/element.h"
#include "ops/op.h"
#include "ops/signal/signal.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_mel_weight_matrix(InferContext& ctx) {
  SDX_ASSIGN(const DType type, output_datatype(ctx));
  constexpr std::string_view kNames[] = {"num_mel_bins", "dft_length", "sample_rate"};
  std::optional<Dim> values[3];
  for (size_t i = 0; i < 3; ++i) {
    SDX_ASSIGN(values[i], scalar_input(ctx, i, kNames[i]));
    if (!values[i]) return ctx.fail("{} is missing", kNames[i]);
    const int64_t least = i == 2 ? 1 : 0;
    ctx.assume({Constraint::Kind::at_least, *values[i], Dim(least)});
    if (values[i]->is_known() && values[i]->known() < least)
      return ctx.fail("{} is {}, below {}", kNames[i], values[i]->known(), least);
  }
  for (const size_t i : {3, 4})
    if (ctx.has_rank(i) && ctx.rank(i) > 1) return ctx.fail("input {} has rank {}; a scalar is wanted", i, ctx.rank(i));
  auto& symbols = ctx.symbols();
  const auto dim = [&](const Dim& value) { return ctx.size_of(value); };
  const Dim spectrum = symbols.add(symbols.floor_div(dim(*values[1]), Dim(2)), Dim(1));
  return tensor_fact(type, SymShape{spectrum, dim(*values[0])});
}

Result<int64_t> spectrum_bin(double hertz, int64_t dft_length, int64_t sample_rate) {
  const double bin = std::floor(static_cast<double>(dft_length + 1) * hertz / static_cast<double>(sample_rate));
  const auto last = static_cast<double>(dft_length / 2);
  if (!(bin >= 0 && bin <= last))
    return invalid_argument("a filter reaches {} Hz, beyond the spectrum of [0, {}] bins", hertz, dft_length / 2);
  return static_cast<int64_t>(bin);
}

Status mel_weight_matrix_reference(KernelContext& ctx) {
  const int64_t filters = load_i64(ctx.input(0), 0), dft_length = load_i64(ctx.input(1), 0);
  const int64_t sample_rate = load_i64(ctx.input(2), 0);
  for (const size_t i : {3, 4})
    if (ctx.input(i).count() != 1)
      return invalid_argument("input {} has {} elements; one is wanted", i, ctx.input(i).count());
  const double log10 = std::log(10.0);
  const auto to_mel = [&](double hertz) { return 2595 * std::log1p(hertz / 700) / log10; };
  const double low = to_mel(load_double(ctx.input(3), 0)), high = to_mel(load_double(ctx.input(4), 0));
  const double step = (high - low) / static_cast<double>(filters + 2);
  const auto corner = [&](int64_t i) {
    const double mel = static_cast<double>(i) * step + low;
    return spectrum_bin(700 * std::expm1(mel / 2595 * log10), dft_length, sample_rate);
  };
  Tensor& y = ctx.output(0);
  std::memset(y.raw(), 0, y.byte_size());
  for (int64_t filter = 0; filter < filters; ++filter) {
    SDX_ASSIGN(const int64_t left, corner(filter));
    SDX_ASSIGN(const int64_t center, corner(filter + 1));
    SDX_ASSIGN(const int64_t right, corner(filter + 2));
    const auto set = [&](int64_t bin, double weight) { store_double(y, bin * filters + filter, weight); };
    const auto ratio = [](int64_t a, int64_t b) { return static_cast<double>(a) / static_cast<double>(b); };
    if (left == center) set(center, 1);
    for (int64_t bin = left; left < center && bin <= center; ++bin) set(bin, ratio(bin - left, center - left));
    for (int64_t bin = center; bin < right; ++bin) set(bin, ratio(right - bin, right - center));
  }
  return {};
}

}  // namespace

SDX_OP(mel_weight_matrix) = {
    .name = "MelWeightMatrix",
    .since = 17,
    .infer = infer_mel_weight_matrix,
    .reference = mel_weight_matrix_reference,
    .records_constraints = true,
    .needs_values = input_bit(0) | input_bit(1) | input_bit(2),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
