// PNG through libpng. Palettes are looked up, fewer bits than 8 scaled up, the upper 8 of 16 taken, and alpha is left
// out; of an animation this is the default image.
#include <png.h>

#include <csetjmp>
#include <cstdlib>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

struct Png {
  explicit Png(Decoding& d) : decoding(d), rest(d.bytes()) {}
  ~Png() {
    png_destroy_read_struct(&png, &info, nullptr);
    std::free(pixels);
  }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;

  Decoding& decoding;
  Bytes rest;
  png_structp png = nullptr;
  png_infop info = nullptr;
  uint8_t* pixels = nullptr;  // a row, or all of them where the file is interlaced
  std::jmp_buf out;
};

[[noreturn]] void on_error(png_structp png, png_const_charp text) {
  Png& self = *static_cast<Png*>(png_get_error_ptr(png));
  self.decoding.fail(SDX_IMAGE_UNREADABLE, "PNG: %s", text);
  std::longjmp(self.out, 1);
}

void take(png_structp png, png_bytep to, size_t size) {
  Png& self = *static_cast<Png*>(png_get_io_ptr(png));
  if (size > self.rest.size()) png_error(png, "the file ends too early");
  std::memcpy(to, self.rest.data(), size);
  self.rest = self.rest.subspan(size);
}

// What it gives up with longjmp must not be C++ objects; all that is lives in `self`.
bool read(Png& self) {
  if (setjmp(self.out) != 0) return false;
  self.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &self, on_error, [](png_structp, png_const_charp) {});
  if (self.png != nullptr) self.info = png_create_info_struct(self.png);
  if (self.info == nullptr) return self.decoding.fail(SDX_IMAGE_OUT_OF_MEMORY, "out of memory");
  png_set_read_fn(self.png, &self, take);
  png_read_info(self.png, self.info);
  png_set_palette_to_rgb(self.png);
  png_set_expand_gray_1_2_4_to_8(self.png);
  png_set_strip_16(self.png);
  png_set_strip_alpha(self.png);
  const int passes = png_set_interlace_handling(self.png);
  png_read_update_info(self.png, self.info);
  const Layout layout = png_get_channels(self.png, self.info) == 1 ? Layout::gray : Layout::rgb;
  if (!self.decoding.start(png_get_image_width(self.png, self.info), png_get_image_height(self.png, self.info)))
    return false;
  const uint32_t height = self.decoding.height();
  const size_t row_bytes = png_get_rowbytes(self.png, self.info);
  self.pixels = static_cast<uint8_t*>(std::calloc(passes > 1 ? height : 1, row_bytes));
  if (self.pixels == nullptr) return self.decoding.fail(SDX_IMAGE_OUT_OF_MEMORY, "out of memory");
  for (int pass = 0; pass < passes; ++pass) {
    for (uint32_t y = 0; y < height; ++y) {
      uint8_t* row = self.pixels + (passes > 1 ? y * row_bytes : 0);
      png_read_row(self.png, row, nullptr);
      if (pass == passes - 1 && !self.decoding.put_row(y, row, layout)) return false;
    }
  }
  return true;
}

}  // namespace

bool decode_png(Decoding& decoding) {
  Png self(decoding);
  return read(self);
}

}  // namespace sdx::image
