// One decoding: the bytes, where the pixels go, and how it ended. The format's decoder calls `start` as soon as it
// knows the size, then `put_row` for each row.
#pragma once

#include <cstdarg>
#include <cstring>
#include <span>

#include "modules/image/image_module.h"

namespace sdx::image {

using Bytes = std::span<const uint8_t>;

inline bool begins_with(Bytes bytes, Bytes with, size_t at = 0) {
  return bytes.size() >= at + with.size() && std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
}

// The pixels of a row as decoders have them. `rgbx` has a fourth byte that does not count, `cmyk` is inverted (255: no
// ink), as JPEG files have it.
enum class Layout : uint8_t { gray, rgb, rgbx, cmyk };

class Decoding {
 public:
  Decoding(Bytes bytes, SdxImagePixels pixels, const SdxImageSink& sink, std::span<char> error)
      : bytes_(bytes), pixels_(pixels), sink_(sink), error_(error) {
    if (!error_.empty()) error_[0] = '\0';
  }

  Bytes bytes() const { return bytes_; }
  uint32_t width() const { return width_; }
  uint32_t height() const { return height_; }
  SdxImageResult result() const { return result_; }

  // `bytes_per_pixel`: what the decoder itself takes at most. These three give false when the decoding is over.
  bool start(uint64_t width, uint64_t height, uint64_t bytes_per_pixel = 4);
  bool put_row(uint32_t y, const uint8_t* row, Layout layout);
  // The first failure counts. Made to be the last statement: `return decoding.fail(...)`.
  __attribute__((format(printf, 3, 4))) bool fail(SdxImageResult result, const char* format, ...);

 private:
  Bytes bytes_;
  SdxImagePixels pixels_;
  const SdxImageSink& sink_;
  std::span<char> error_;
  SdxImageResult result_ = SDX_IMAGE_OK;
  uint8_t* first_ = nullptr;
  uint32_t width_ = 0, height_ = 0;
};

// One each format; true when all rows are there. What they know of the bytes is how these begin.
bool decode_bmp(Decoding& decoding);
bool decode_jpeg(Decoding& decoding);
bool decode_jpeg2000(Decoding& decoding);
bool decode_png(Decoding& decoding);
bool decode_pnm(Decoding& decoding);
bool decode_tiff(Decoding& decoding);
bool decode_webp(Decoding& decoding);

}  // namespace sdx::image
