// Resize: samples the input on another grid, each axis on its own: nearest, linear or cubic, see resize_taps.h.
// Sizes come from floor(size * scale) in float32, or from `sizes` as they are or with one scale for all axes.
#include "ops/image/resize.h"

#include <cmath>
#include <complex>

#include "base/stop_point.h"
#include "ops/image/resize_blend.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

bool is_empty(const Fact& fact) { return fact.known_shape() && count_of(*fact.known_shape()) == 0; }

// Sizes where not everything is a number.
Result<Facts> infer_symbolic(InferContext& ctx, bool has_scales, bool has_sizes) {
  const Fact& x = ctx.input(0);
  SDX_ASSIGN(const Shape axes, named_axes(ctx.attributes(), x.rank()));
  const auto is_full = [&](size_t i) { return ctx.input(i).known_shape().has_value(); };
  if (has_scales && has_sizes && is_full(2) && is_full(3))
    return ctx.fail("one of scales and sizes is wanted, both are given");
  SymShape shape = *x.shape;
  const bool crops = ctx.attr_string("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize";
  if (crops || (has_scales && has_sizes)) ctx.leave_to_run();
  const Tensor* scales = has_scales ? ctx.constant(2) : nullptr;
  const auto sizes = has_sizes ? ctx.elements(3) : std::nullopt;
  const bool stretch = ctx.attr_string("keep_aspect_ratio_policy", "stretch") == "stretch";
  if (scales != nullptr && scales->count() != static_cast<int64_t>(axes.size()))
    return ctx.fail("scales has {} elements for {} axes", scales->count(), axes.size());
  if (sizes && sizes->size() != axes.size())
    return ctx.fail("sizes has {} elements for {} axes", sizes->size(), axes.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    Dim& dim = shape[static_cast<size_t>(axes[i])];
    if (scales != nullptr && !crops) {
      SDX_ASSIGN(dim, scaled_size(ctx, dim, static_cast<float>(load_double(*scales, static_cast<int64_t>(i)))));
    } else {
      ctx.assume({Constraint::Kind::at_least, dim, Dim(1)});  // an empty axis has nothing to grow from
      dim = sizes && stretch ? ctx.size_of((*sizes)[i]) : ctx.unknown_dim();
    }
  }
  return tensor_fact(x.dtype, std::move(shape));
}

Result<Facts> infer_resize(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  SDX_TRY(check_resize_attributes(ctx.attributes()));
  const std::string_view mode = ctx.attr_string("mode", "nearest");
  if (mode != "nearest" && x.dtype == DType::string) return ctx.fail("mode {} between elements of string", mode);
  const bool has_roi = ctx.has_input(1) && !is_empty(ctx.input(1));
  const bool has_scales = ctx.has_input(2) && !is_empty(ctx.input(2));
  const bool has_sizes = ctx.has_input(3) && !is_empty(ctx.input(3));
  if (!has_scales && !has_sizes) return ctx.fail("one of scales and sizes is wanted, none is given");
  if (!x.has_rank()) return tensor_fact(x.dtype, std::nullopt);
  const auto shape = x.known_shape();
  const auto known = [&](bool has, size_t i) { return !has || ctx.constant(i) != nullptr; };
  const bool crops = ctx.attr_string("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize";
  if (!shape || !known(has_roi && crops, 1) || !known(has_scales, 2) || !known(has_sizes, 3))
    return infer_symbolic(ctx, has_scales, has_sizes);
  const auto tensor = [&](bool has, size_t i) { return has ? ctx.constant(i) : nullptr; };
  SDX_ASSIGN(const auto axes, resize_axes(ctx.attributes(), *shape,
                                          {tensor(has_roi && crops, 1), tensor(has_scales, 2), tensor(has_sizes, 3)}));
  SymShape out;
  for (const ResizeAxis& axis : axes) out.push_back(Dim(axis.out));
  return tensor_fact(x.dtype, std::move(out));
}

// Mode nearest, any type: copies runs of the innermost axis.
struct NearestWriter {
  const Tensor& x;
  const Tensor& extrapolated;
  std::vector<AxisTaps> axes;
  Shape strides;
  ElementWriter& writer;

  void write(size_t axis, int64_t at, bool outside) {
    if (axis == axes.size()) return outside ? writer.append(extrapolated, 0) : writer.append(x, at);
    const AxisTaps& own = axes[axis];
    const bool last = axis + 1 == axes.size();
    for (size_t i = 0; i < own.index.size(); ++i) {
      const bool beyond = outside || (!own.outside.empty() && own.outside[i]);
      if (!last || beyond || !own.outside.empty()) {
        write(axis + 1, at + own.index[i] * strides[axis], beyond);
        continue;
      }
      size_t end = i + 1;
      while (end < own.index.size() && own.index[end] == own.index[end - 1] + 1) ++end;
      writer.append(x, at + own.index[i], static_cast<int64_t>(end - i));
      i = end - 1;
    }
  }
};

AxisTaps identity_taps(int64_t size) {
  AxisTaps taps;
  for (int64_t i = 0; i < size; ++i) taps.index.push_back(i);
  return taps;
}

Status resize_nearest(KernelContext& ctx, std::span<const ResizeAxis> axes) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const Tensor extrapolated, resize_extrapolated(ctx));
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, ctx.output_shape(0)));
  NearestWriter nearest{x, extrapolated, {}, row_major_strides(x.shape()), writer};
  for (const ResizeAxis& axis : axes) {
    if (axis.changes(ctx.attributes())) {
      SDX_ASSIGN(AxisTaps taps, axis_taps(ctx.attributes(), axis));
      nearest.axes.push_back(std::move(taps));
    } else {
      nearest.axes.push_back(identity_taps(axis.in));
    }
  }
  if (count_of(ctx.output_shape(0)) > 0) nearest.write(0, 0, false);
  return writer.finish();
}

// Resamples one axis of [outer, in, inner] doubles.
std::vector<double> resample(const std::vector<double>& x, int64_t outer, int64_t in, int64_t inner,
                             const AxisTaps& taps) {
  const auto out = static_cast<int64_t>(taps.index.size()) / taps.taps;
  std::vector<double> y(static_cast<size_t>(outer * out * inner));
  for (int64_t row = 0; row < outer; ++row) {
    for (int64_t i = 0; i < out; ++i) {
      for (int64_t k = i * taps.taps; k < (i + 1) * taps.taps; ++k) {
        const double weight = taps.weight[static_cast<size_t>(k)];
        if (weight == 0) continue;
        stop_point(inner);
        const int64_t from = (row * in + taps.index[static_cast<size_t>(k)]) * inner, to = (row * out + i) * inner;
        for (int64_t j = 0; j < inner; ++j) y[static_cast<size_t>(to + j)] += weight * x[static_cast<size_t>(from + j)];
      }
    }
  }
  return y;
}

// An integer is cut off, as onnxruntime does, or rounded where the input is smoothed; it does not wrap. What misses a
// whole number by less than sums of weights do is that number.
double stored(DType type, double value, bool rounds) {
  if (!is_integer(type) || std::isnan(value)) return value;
  const double nearest = std::nearbyint(value);
  value = rounds || std::fabs(value - nearest) < kAlmostWhole ? nearest : std::trunc(value);
  const double codes = std::ldexp(1.0, bit_width(type));  // store_double knows the ends of 64 bits
  if (bit_width(type) == 64) return value;
  return is_signed_integer(type) ? std::clamp(value, -codes / 2, codes / 2 - 1) : std::clamp(value, 0.0, codes - 1);
}

Status resize_interpolated(KernelContext& ctx, std::span<const ResizeAxis> axes) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const int64_t parts = is_complex(x.dtype()) ? 2 : 1;  // resampled each by itself
  std::vector<double> values(static_cast<size_t>(x.count() * parts));
  for (int64_t i = 0; i < x.count(); ++i) {
    const std::complex<double> value = load_complex(x.dtype(), x.raw(), i);
    values[static_cast<size_t>(i * parts)] = value.real();
    if (parts == 2) values[static_cast<size_t>(i * parts + 1)] = value.imag();
  }
  Shape shape = x.shape();
  std::vector<bool> outside;
  for (size_t a = axes.size(); a-- > 0;) {
    if (!axes[a].changes(ctx.attributes())) continue;
    SDX_ASSIGN(const AxisTaps taps, axis_taps(ctx.attributes(), axes[a]));
    const int64_t outer = count_range(shape, 0, a), inner = count_range(shape, a + 1, shape.size()) * parts;
    values = resample(values, outer, shape[a], inner, taps);
    shape[a] = axes[a].out;
    if (taps.outside.empty()) continue;
    outside.resize(static_cast<size_t>(y.count()));
    const Shape strides = row_major_strides(y.shape());
    for (int64_t i = 0; i < y.count(); ++i)
      if (taps.outside[static_cast<size_t>(i / strides[a] % y.shape()[a])]) outside[static_cast<size_t>(i)] = true;
  }
  const float extrapolated = ctx.attr_float("extrapolation_value", 0);
  const bool rounds = ctx.attr_int("antialias", 0) != 0;
  for (int64_t i = 0; i < y.count(); ++i) {
    const auto at = static_cast<size_t>(i * parts);
    std::complex<double> value(values[at], parts == 2 ? values[at + 1] : 0);
    if (!outside.empty() && outside[static_cast<size_t>(i)]) value = static_cast<double>(extrapolated);
    if (parts == 1) {
      store_double(y, i, stored(y.dtype(), value.real(), rounds));
    } else {
      store_complex(y.dtype(), y.raw(), i, value);
    }
  }
  return {};
}

// Opset 10 knew x / scale only. Where nothing is enlarged onnxruntime takes the next element, else the one before; the
// standard says nothing.
Status resize_10_to_11(UpgradeContext& ctx) {
  if (!ctx.has_input(1)) return ctx.fail("input scales is missing");
  const ValueId scales = ctx.input(1);
  bool shrinks = false, grows = true;
  if (const Fact& fact = ctx.fact(1); fact.is_constant()) {
    grows = false;
    for (int64_t i = 0; i < fact.constant.count(); ++i) {
      shrinks = shrinks || load_double(fact.constant, i) < 1;
      grows = grows || load_double(fact.constant, i) > 1;
    }
  }
  ctx.node().inputs.resize(1);
  ctx.set_input(2, scales);
  ctx.attributes().set("coordinate_transformation_mode", std::string("asymmetric"));
  ctx.attributes().set("nearest_mode", std::string(shrinks && !grows ? "ceil" : "floor"));
  return {};
}

}  // namespace

Status resize_reference(KernelContext& ctx) {
  SDX_ASSIGN(const auto axes, resize_axes(ctx.attributes(), ctx.input(0).shape(), resize_inputs(ctx)));
  if (ctx.attr_string("mode", "nearest") == "nearest") return resize_nearest(ctx, axes);
  return resize_interpolated(ctx, axes);
}

Result<Tensor> resize_extrapolated(const KernelContext& ctx) {
  const DType type = ctx.input(0).dtype();
  SDX_ASSIGN(Tensor value, zero_element(type));
  if (is_floating(type) || is_integer(type) || type == DType::boolean)
    store_double(value, 0, ctx.attr_float("extrapolation_value", 0));
  return value;
}

ResizeInputs resize_inputs(const KernelContext& ctx) {
  const auto given = [&](size_t i) { return ctx.has_input(i) && ctx.input(i).count() > 0 ? &ctx.input(i) : nullptr; };
  return {given(1), given(2), given(3)};
}

SDX_OP(resize) = {
    .name = "Resize",
    .since = 19,
    .infer = infer_resize,
    .reference = resize_reference,
    .upgrades = {{10, resize_10_to_11}},
    .records_constraints = true,
    .needs_values = input_bit(1) | input_bit(2) | input_bit(3),
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
