// The image module: pictures in files' formats to rows of pixels, behind a table of C functions. No exception leaves
// it.
#include "modules/image/image_module.h"

#include <new>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

struct Format {
  const char* name;
  bool (*decode)(Decoding&);
  size_t at;  // where the magic bytes are
  std::initializer_list<uint8_t> magic;
};

constexpr Format kFormats[] = {
    {"JPEG", decode_jpeg, 0, {0xff, 0xd8, 0xff}},
    {"PNG", decode_png, 0, {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}},
    {"BMP", decode_bmp, 0, {'B', 'M'}},
    {"WebP", decode_webp, 8, {'W', 'E', 'B', 'P'}},
    {"TIFF", decode_tiff, 0, {'I', 'I', 42, 0}},
    {"TIFF", decode_tiff, 0, {'M', 'M', 0, 42}},
    {"BigTIFF", decode_tiff, 0, {'I', 'I', 43, 0}},
    {"BigTIFF", decode_tiff, 0, {'M', 'M', 0, 43}},
    {"JPEG 2000", decode_jpeg2000, 0, {0xff, 0x4f, 0xff, 0x51}},
    {"JPEG 2000", decode_jpeg2000, 0, {0, 0, 0, 12, 'j', 'P', ' ', ' ', '\r', '\n', 0x87, '\n'}},
    {"PNM", decode_pnm, 0, {'P', '1'}},
    {"PNM", decode_pnm, 0, {'P', '2'}},
    {"PNM", decode_pnm, 0, {'P', '3'}},
    {"PNM", decode_pnm, 0, {'P', '4'}},
    {"PNM", decode_pnm, 0, {'P', '5'}},
    {"PNM", decode_pnm, 0, {'P', '6'}},
};

int decode(const uint8_t* data, size_t size, int pixels, const SdxImageSink* sink, char* error, size_t error_size) {
  const Bytes bytes(data, size);
  Decoding decoding(bytes, static_cast<SdxImagePixels>(pixels), *sink, {error, error_size});
  for (const Format& format : kFormats) {
    if (!begins_with(bytes, Bytes(format.magic.begin(), format.magic.size()), format.at)) continue;
    try {
      if (!format.decode(decoding)) decoding.fail(SDX_IMAGE_UNREADABLE, "the %s data are damaged", format.name);
    } catch (const std::bad_alloc&) {
      decoding.fail(SDX_IMAGE_OUT_OF_MEMORY, "out of memory");
    }
    return decoding.result();
  }
  decoding.fail(SDX_IMAGE_UNREADABLE, "%zu bytes that begin as no known format does", size);
  return decoding.result();
}

constexpr SdxImageModule kModule = {SDX_IMAGE_MODULE_VERSION, decode};

}  // namespace
}  // namespace sdx::image

extern "C" __attribute__((visibility("default"))) const SdxImageModule* sdx_image_module() {
  return &sdx::image::kModule;
}
