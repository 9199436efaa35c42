// WebP through libwebp; of an animation, the first picture.
#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

bool put_rows(Decoding& decoding, const uint8_t* pixels, Layout layout) {
  const size_t stride = size_t{decoding.width()} * (layout == Layout::rgb ? 3 : 4);
  for (uint32_t y = 0; y < decoding.height(); ++y)
    if (!decoding.put_row(y, pixels + y * stride, layout)) return false;
  return true;
}

bool decode_first_frame(Decoding& decoding) {
  const WebPData data = {decoding.bytes().data(), decoding.bytes().size()};
  WebPAnimDecoderOptions options;
  if (WebPAnimDecoderOptionsInit(&options) == 0) return false;
  const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(WebPAnimDecoderNew(&data, &options),
                                                                                   &WebPAnimDecoderDelete);
  uint8_t* pixels = nullptr;
  int timestamp = 0;
  if (decoder == nullptr || WebPAnimDecoderGetNext(decoder.get(), &pixels, &timestamp) == 0) return false;
  return put_rows(decoding, pixels, Layout::rgbx);
}

}  // namespace

bool decode_webp(Decoding& decoding) {
  const Bytes bytes = decoding.bytes();
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK) return false;
  const uint64_t per_pixel = features.has_animation != 0 ? 12 : 4;  // two canvases and a picture
  if (features.width < 0 || features.height < 0 ||
      !decoding.start(static_cast<uint64_t>(features.width), static_cast<uint64_t>(features.height), per_pixel))
    return false;
  if (features.has_animation != 0) return decode_first_frame(decoding);
  int width = 0, height = 0;
  const std::unique_ptr<uint8_t, decltype(&WebPFree)> pixels(WebPDecodeRGB(bytes.data(), bytes.size(), &width, &height),
                                                             &WebPFree);
  if (pixels == nullptr || width != features.width || height != features.height) return false;
  return put_rows(decoding, pixels.get(), Layout::rgb);
}

}  // namespace sdx::image
