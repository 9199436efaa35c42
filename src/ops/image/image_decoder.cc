// ImageDecoder: the bytes of a picture in a file's format (BMP, JPEG, JPEG 2000, TIFF, PNG, WebP, PNM) as height x
// width x channels: 3 for RGB and BGR, 1 for Grayscale. Gray pictures are repeated for RGB; alpha is left out; 16 bits
// become 8; of an animation or several pages, the first counts. Gray is ITU-R 601's luma of the RGB pixels. Bytes that
// cannot be decoded give an empty image, 0 x 0 x channels, as the standard's text says, and a line in the log; onnx's
// own reference fails there. A picture that is too large for the decoders is an error.
#include "base/log.h"
#include "modules/image/image_module.h"
#include "ops/loaded_module.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

struct PixelFormat {
  SdxImagePixels pixels;
  int64_t channels;
};

Result<PixelFormat> pixel_format(std::string_view name) {
  if (name == "RGB") return PixelFormat{SDX_IMAGE_RGB, 3};
  if (name == "BGR") return PixelFormat{SDX_IMAGE_BGR, 3};
  if (name == "Grayscale") return PixelFormat{SDX_IMAGE_GRAY, 1};
  return invalid_argument("pixel_format is \"{}\"; RGB, BGR and Grayscale are allowed", name);
}

Result<Facts> infer_image_decoder(InferContext& ctx) {
  SDX_ASSIGN(const PixelFormat format, pixel_format(ctx.attr_string("pixel_format", "RGB")));
  if (ctx.has_rank(0) && ctx.rank(0) != 1)
    return ctx.fail("encoded_stream has rank {}, a row of bytes is wanted", ctx.rank(0));
  return tensor_fact(DType::u8, SymShape{ctx.unknown_dim(), ctx.unknown_dim(), Dim(format.channels)});
}

const Result<const SdxImageModule*>& image_module() {
  static const Result<const SdxImageModule*> opened = load_module_table<SdxImageModule>(
      {"libsardonyx_image.so", SDX_IMAGE_MODULE_ENTRY, SDX_IMAGE_MODULE_VERSION, "image decoders"});
  return opened;
}

struct Output {
  KernelContext& ctx;
  int64_t channels;
  Status status = {};
};

// Called from C: nothing may be thrown.
uint8_t* allocate(void* user, uint32_t height, uint32_t width) {
  auto& output = *static_cast<Output*>(user);
  try {
    auto made = output.ctx.allocate_output(0, Shape{int64_t{height}, int64_t{width}, output.channels});
    if (made.ok()) return (*made)->data<uint8_t>();
    output.status = made.status();
  } catch (const std::exception&) {
  }
  return nullptr;
}

int stopped(void* user) {
  auto& output = *static_cast<Output*>(user);
  try {
    output.status = output.ctx.check_cancelled();
  } catch (const std::exception&) {
    return 1;
  }
  return output.status.ok() ? 0 : 1;
}

Status image_decoder_reference(KernelContext& ctx) {
  SDX_ASSIGN(const PixelFormat format, pixel_format(ctx.attr_string("pixel_format", "RGB")));
  if (!image_module().ok()) return image_module().status();
  const Tensor& encoded = ctx.input(0);
  Output output{ctx, format.channels};
  const SdxImageSink sink = {&output, allocate, stopped};
  char error[256] = "";
  const int result = (**image_module())
                         .decode(encoded.data<uint8_t>(), static_cast<size_t>(encoded.count()), format.pixels, &sink,
                                 error, sizeof(error));
  switch (result) {
    case SDX_IMAGE_OK: return {};
    case SDX_IMAGE_UNREADABLE: break;
    case SDX_IMAGE_TOO_LARGE: return invalid_argument("the image is too large: {}", std::string_view(error));
    default: SDX_TRY(std::move(output.status)); return Status(Code::runtime_exception, "out of memory");
  }
  SDX_LOG(default_logger(), warning, "ImageDecoder gives an empty image: {}", std::string_view(error));
  SDX_ASSIGN([[maybe_unused]] Tensor* const empty, ctx.allocate_output(0, Shape{0, 0, format.channels}));
  return {};
}

}  // namespace

SDX_OP(image_decoder) = {
    .name = "ImageDecoder",
    .since = 20,
    .infer = infer_image_decoder,
    .reference = image_decoder_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
