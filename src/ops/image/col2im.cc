// Col2Im: the sum of overlapping blocks put back into an image. Input [N, C * block, L], L positions of a window over
// the padded image in row-major order.
#include "ops/image/col2im.h"

#include <complex>

#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_col2im(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  if (x.has_rank() && x.rank() != 3) return ctx.fail("the input has rank {}, 3 is wanted", x.rank());
  if (x.dtype == DType::string) return ctx.fail("there are no sums of strings");
  const auto image = ctx.elements(1);
  if (!image) return tensor_fact(x.dtype, std::nullopt);
  const size_t dims = image->size();
  for (const auto& [attribute, size] :
       {std::pair("strides", dims), std::pair("dilations", dims), std::pair("pads", 2 * dims)}) {
    const auto values = ctx.attr_ints(attribute);
    if (!ctx.attributes().has(attribute)) continue;
    if (values.size() != size) return ctx.fail("{} has {} elements, {} are wanted", attribute, values.size(), size);
    const int64_t low = attribute == std::string_view("pads") ? 0 : 1;
    for (const int64_t value : values)
      if (value < low || value > (int64_t{1} << 31))
        return ctx.fail("{} holds {}, below {} or too large", attribute, value, low);
  }
  SymShape shape{x.has_rank() ? x.dim(0) : ctx.unknown_dim(), ctx.unknown_dim()};
  for (const Dim& dim : *image) {
    if (dim.is_known() && (dim.known() < 0 || dim.known() > (int64_t{1} << 40)))
      return ctx.fail("image_shape holds {}", dim.known());
    shape.push_back(ctx.size_of(dim));
    ctx.assume({Constraint::Kind::at_least, Dim(int64_t{1} << 40), dim});
  }
  const auto block = ctx.known_elements(2);
  if (!block || !x.has_rank()) return tensor_fact(x.dtype, std::move(shape));
  if (block->size() != dims) return ctx.fail("block_shape has {} elements, image_shape {}", block->size(), dims);
  const auto count = checked_count(*block);
  if (!count || *count <= 0) return ctx.fail("block_shape is {}, positive sizes are wanted", to_text(*block));
  if (x.dim(1).is_known() && x.dim(1).known() % *count != 0)
    return ctx.fail("dimension 1 is {}, no multiple of the block's {} elements", x.dim(1).known(), *count);
  ctx.assume({Constraint::Kind::divides, x.dim(1), Dim(*count)});
  shape[1] = ctx.symbols().floor_div(x.dim(1), Dim(*count));
  return tensor_fact(x.dtype, std::move(shape));
}

// Steps a position through a shape in row-major order.
void advance(Shape& position, const Shape& shape) {
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (++position[axis] < shape[axis]) return;
    position[axis] = 0;
  }
}

}  // namespace

Result<Windows> col2im_windows(const KernelContext& ctx) {
  const Shape image = read_ints(ctx.input(1)), block = read_ints(ctx.input(2));
  const size_t dims = image.size();
  const auto values_or = [&](std::string_view name, size_t size, int64_t otherwise) {
    return ctx.attributes().has(name) ? Shape(ctx.attr_ints(name)) : Shape(size, otherwise);
  };
  const Shape strides = values_or("strides", dims, 1), dilations = values_or("dilations", dims, 1);
  const Shape pads = values_or("pads", 2 * dims, 0);
  Shape places;
  for (size_t i = 0; i < dims; ++i) {
    if (block[i] > (int64_t{1} << 31)) return invalid_argument("block_shape holds {}", block[i]);
    const int64_t room = image[i] + pads[i] + pads[i + dims] - dilations[i] * (block[i] - 1) - 1;
    places.push_back(room < 0 ? 0 : room / strides[i] + 1);
  }
  const auto positions = checked_count(places);
  if (!positions || *positions != ctx.input(0).dim(2))
    return invalid_argument("the input has {} blocks, {} fit the image", ctx.input(0).dim(2), to_text(places));
  return Windows{.in = image,
                 .out = places,
                 .kernel = block,
                 .strides = strides,
                 .dilations = dilations,
                 .begin = Shape(std::span(pads).first(dims)),
                 .end = Shape(std::span(pads).last(dims))};
}

Status col2im_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const Windows w, col2im_windows(ctx));
  const Shape &image = w.in, &block = w.kernel, &places = w.out;
  const size_t dims = image.size();
  const int64_t positions = count_of(places);
  const int64_t image_size = count_of(image), block_size = count_of(block);
  const bool floating = is_floating(x.dtype()) || is_complex(x.dtype());
  std::vector<std::complex<double>> sums(floating ? static_cast<size_t>(y.count()) : 0);
  std::vector<int64_t> wrapped(floating ? 0 : static_cast<size_t>(y.count()));  // booleans: how many are true
  int64_t at = 0;
  for (int64_t plane = 0; plane < y.dim(0) * y.dim(1); ++plane) {
    Shape in_block(dims);
    for (int64_t b = 0; b < block_size; ++b, advance(in_block, block)) {
      Shape place(dims);
      for (int64_t l = 0; l < positions; ++l, ++at, advance(place, places)) {
        int64_t pixel = 0;
        bool inside = true;
        for (size_t i = 0; i < dims; ++i) {
          const int64_t p = place[i] * w.strides[i] + in_block[i] * w.dilations[i] - w.begin[i];
          inside = inside && p >= 0 && p < image[i];
          if (inside) pixel = pixel * image[i] + p;
        }
        if (!inside) continue;
        const auto to = static_cast<size_t>(plane * image_size + pixel);
        if (!sums.empty()) {
          sums[to] += load_complex(x.dtype(), x.raw(), at);
        } else {
          wrapped[to] =
              static_cast<int64_t>(static_cast<uint64_t>(wrapped[to]) + static_cast<uint64_t>(load_i64(x, at)));
        }
      }
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) store_complex(y.dtype(), y.raw(), static_cast<int64_t>(i), sums[i]);
  for (size_t i = 0; i < wrapped.size(); ++i) store_i64(y, static_cast<int64_t>(i), wrapped[i]);
  return {};
}

SDX_OP(col2im) = {
    .name = "Col2Im",
    .since = 18,
    .infer = infer_col2im,
    .reference = col2im_reference,
    .records_constraints = true,
    .needs_values = input_bit(1) | input_bit(2),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
