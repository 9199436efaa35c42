// TIFF through libtiff, which turns its many kinds of pixels into RGBA; the first page, upright.
#include <tiffio.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

constexpr tmsize_t kMostAtOnce = tmsize_t{1} << 30;

struct Source {
  Decoding& decoding;
  uint64_t at = 0;
};

tmsize_t take(thandle_t handle, void* to, tmsize_t wanted) {
  Source& source = *static_cast<Source*>(handle);
  const Bytes bytes = source.decoding.bytes();
  if (wanted <= 0 || source.at >= bytes.size()) return 0;
  const size_t count = std::min(static_cast<size_t>(wanted), bytes.size() - static_cast<size_t>(source.at));
  std::memcpy(to, bytes.data() + source.at, count);
  source.at += count;
  return static_cast<tmsize_t>(count);
}

tmsize_t refuse(thandle_t, void*, tmsize_t) { return 0; }

toff_t seek(thandle_t handle, toff_t offset, int whence) {
  Source& source = *static_cast<Source*>(handle);
  if (whence == SEEK_CUR) offset += source.at;
  if (whence == SEEK_END) offset += source.decoding.bytes().size();
  return source.at = offset;
}

int close(thandle_t) { return 0; }
toff_t size(thandle_t handle) { return static_cast<Source*>(handle)->decoding.bytes().size(); }

int on_error(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  char text[200];
  std::vsnprintf(text, sizeof(text), format, arguments);
  static_cast<Decoding*>(user)->fail(SDX_IMAGE_UNREADABLE, "TIFF: %s", text);
  return 1;
}

// A tag whose data are missing is only a warning, but that tag may have been the palette.
int on_warning(TIFF* tiff, void* user, const char* module, const char* format, va_list arguments) {
  return std::strstr(format, "IO error") != nullptr ? on_error(tiff, user, module, format, arguments) : 1;
}

using Handle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

Handle open(Source& source) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  if (options == nullptr) return {nullptr, &TIFFClose};
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMostAtOnce);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &source.decoding);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, &source.decoding);
  // "m": not through a mapped file.
  return {TIFFClientOpenExt("image", "rm", &source, take, refuse, seek, close, size, nullptr, nullptr, options.get()),
          &TIFFClose};
}

struct RgbaImage : TIFFRGBAImage {
  RgbaImage() : TIFFRGBAImage{} {}
  ~RgbaImage() {
    if (begun) TIFFRGBAImageEnd(this);
  }
  RgbaImage(const RgbaImage&) = delete;
  RgbaImage& operator=(const RgbaImage&) = delete;
  bool begun = false;
};

// The pixel of the upright image, whose size is that of `decoding`, in the stored one.
const uint32_t& stored_at(const std::vector<uint32_t>& pixels, const Decoding& decoding, uint16_t orientation, size_t x,
                          size_t y) {
  const size_t right = decoding.width() - 1 - x, below = decoding.height() - 1 - y;
  switch (orientation) {
    case ORIENTATION_TOPRIGHT: return pixels[y * decoding.width() + right];
    case ORIENTATION_BOTRIGHT: return pixels[below * decoding.width() + right];
    case ORIENTATION_BOTLEFT: return pixels[below * decoding.width() + x];
    case ORIENTATION_LEFTTOP: return pixels[x * decoding.height() + y];
    case ORIENTATION_RIGHTTOP: return pixels[right * decoding.height() + y];
    case ORIENTATION_RIGHTBOT: return pixels[right * decoding.height() + below];
    case ORIENTATION_LEFTBOT: return pixels[x * decoding.height() + below];
    default: return pixels[y * decoding.width() + x];
  }
}

// libtiff multiplies colours by an alpha that is not in them yet; as it is only left out here, it is told otherwise.
void keep_colours(TIFF* tiff) {
  uint16_t count = 0;
  uint16_t* kinds = nullptr;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
  if (count == 0 || kinds == nullptr || kinds[0] != EXTRASAMPLE_UNASSALPHA) return;
  std::vector<uint16_t> told(kinds, kinds + count);
  told[0] = EXTRASAMPLE_ASSOCALPHA;
  TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, count, told.data());
}

}  // namespace

bool decode_tiff(Decoding& decoding) {
  Source source{decoding};
  const Handle tiff = open(source);
  if (tiff == nullptr) return false;
  keep_colours(tiff.get());
  char text[1024] = "";
  RgbaImage image;
  image.begun = TIFFRGBAImageOK(tiff.get(), text) != 0 && TIFFRGBAImageBegin(&image, tiff.get(), 1, text) != 0;
  if (!image.begun) return decoding.fail(SDX_IMAGE_UNREADABLE, "TIFF: %.200s", text);
  const uint16_t orientation = image.orientation;
  image.req_orientation = orientation;  // rows as they are stored
  const bool lies = orientation >= ORIENTATION_LEFTTOP && orientation <= ORIENTATION_LEFTBOT;
  if (!decoding.start(lies ? image.height : image.width, lies ? image.width : image.height)) return false;
  std::vector<uint32_t> pixels(size_t{image.width} * image.height);
  if (TIFFRGBAImageGet(&image, pixels.data(), image.width, image.height) == 0) return false;
  std::vector<uint8_t> row(size_t{3} * decoding.width());
  for (uint32_t y = 0; y < decoding.height(); ++y) {
    for (size_t x = 0; x < decoding.width(); ++x) {
      const uint32_t pixel = stored_at(pixels, decoding, orientation, x, y);
      row[3 * x] = static_cast<uint8_t>(TIFFGetR(pixel));
      row[3 * x + 1] = static_cast<uint8_t>(TIFFGetG(pixel));
      row[3 * x + 2] = static_cast<uint8_t>(TIFFGetB(pixel));
    }
    if (!decoding.put_row(y, row.data(), Layout::rgb)) return false;
  }
  return true;
}

}  // namespace sdx::image
