#include "modules/image/decoding.h"

#include <cstdio>

namespace sdx::image {
namespace {

// Of the pixels, and of what a decoder takes for itself. Checked before any of it is allocated.
constexpr uint64_t kMostBytes = uint64_t{1} << 31;
constexpr uint32_t kRowsBetweenStops = 64;

struct Rgb {
  uint8_t r, g, b;
};

// a * b / 255, rounded.
uint32_t scaled(uint32_t a, uint32_t b) {
  const uint32_t product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

Rgb load(const uint8_t* row, size_t x, Layout layout) {
  switch (layout) {
    case Layout::gray: return {row[x], row[x], row[x]};
    case Layout::rgb: return {row[3 * x], row[3 * x + 1], row[3 * x + 2]};
    case Layout::rgbx: return {row[4 * x], row[4 * x + 1], row[4 * x + 2]};
    case Layout::cmyk: break;
  }
  const uint8_t* p = row + 4 * x;
  const auto channel = [p](int i) { return static_cast<uint8_t>(scaled(p[i], p[3])); };
  return {channel(0), channel(1), channel(2)};
}

// ITU-R 601's weights in 1/65536, rounded.
uint8_t luma(Rgb p) { return static_cast<uint8_t>((p.r * 19595u + p.g * 38470u + p.b * 7471u + 32768u) >> 16); }

void convert(const uint8_t* row, Layout layout, SdxImagePixels pixels, size_t count, uint8_t* out) {
  if (pixels == SDX_IMAGE_GRAY) {
    for (size_t x = 0; x < count; ++x) out[x] = layout == Layout::gray ? row[x] : luma(load(row, x, layout));
    return;
  }
  const size_t red = pixels == SDX_IMAGE_BGR ? 2 : 0;
  for (size_t x = 0; x < count; ++x) {
    const Rgb p = load(row, x, layout);
    out[3 * x + red] = p.r;
    out[3 * x + 1] = p.g;
    out[3 * x + 2 - red] = p.b;
  }
}

}  // namespace

bool Decoding::start(uint64_t width, uint64_t height, uint64_t bytes_per_pixel) {
  if (width == 0 || height == 0) return fail(SDX_IMAGE_UNREADABLE, "it has no pixels");
  if (width > kMostBytes || height > kMostBytes || width * height > kMostBytes / bytes_per_pixel)
    return fail(SDX_IMAGE_TOO_LARGE, "it has %llu x %llu pixels, at most %llu are decoded",
                static_cast<unsigned long long>(width), static_cast<unsigned long long>(height),
                static_cast<unsigned long long>(kMostBytes / bytes_per_pixel));
  width_ = static_cast<uint32_t>(width);
  height_ = static_cast<uint32_t>(height);
  first_ = sink_.allocate(sink_.user, height_, width_);
  return first_ != nullptr || fail(SDX_IMAGE_STOPPED, "no room for the pixels");
}

bool Decoding::put_row(uint32_t y, const uint8_t* row, Layout layout) {
  if (y % kRowsBetweenStops == 0 && sink_.stopped(sink_.user) != 0) return fail(SDX_IMAGE_STOPPED, "stopped");
  const size_t channels = pixels_ == SDX_IMAGE_GRAY ? 1 : 3;
  convert(row, layout, pixels_, width_, first_ + y * (channels * width_));
  return true;
}

bool Decoding::fail(SdxImageResult result, const char* format, ...) {
  if (result_ != SDX_IMAGE_OK) return false;
  result_ = result;
  va_list arguments;
  va_start(arguments, format);
  if (!error_.empty()) std::vsnprintf(error_.data(), error_.size(), format, arguments);
  va_end(arguments);
  return false;
}

}  // namespace sdx::image
