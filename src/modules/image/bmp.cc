// BMP of all versions: 1 to 32 bits a pixel, palettes, bit masks, RLE4 and RLE8.
#include <array>
#include <bit>
#include <vector>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

constexpr size_t kFileHeader = 14, kOldHeader = 12, kHeader = 40;
enum Compression : uint32_t { kRgb = 0, kRle8 = 1, kRle4 = 2, kMasks = 3, kMasksAndAlpha = 6 };

struct Mask {
  uint32_t bits = 0;
  uint8_t pick(uint32_t pixel) const {
    if (bits == 0) return 0;
    const int shift = std::countr_zero(bits);
    return static_cast<uint8_t>(uint64_t{(pixel & bits) >> shift} * 255 / (bits >> shift));
  }
};

using Row = std::vector<uint8_t>;

struct Bmp {
  Bytes bytes;
  uint32_t width = 0, height = 0, bits = 0, compression = kRgb;
  bool bottom_up = true;
  std::array<Mask, 3> masks;
  std::array<std::array<uint8_t, 3>, 256> palette{};
  size_t pixels_at = 0;

  uint32_t u16(size_t at) const { return at + 2 <= bytes.size() ? bytes[at] | bytes[at + 1] << 8 : 0; }
  uint32_t u32(size_t at) const { return u16(at) | u16(at + 2) << 16; }
};

void read_palette(Bmp& bmp, size_t at, size_t entry_bytes, size_t entries) {
  for (size_t i = 0; i < entries && at + 3 <= bmp.bytes.size(); ++i, at += entry_bytes)
    for (size_t channel = 0; channel < 3; ++channel) bmp.palette[i][channel] = bmp.bytes[at + 2 - channel];
}

bool read_header(Decoding& decoding, Bmp& bmp) {
  const size_t header = bmp.u32(kFileHeader);
  const bool old = header == kOldHeader;
  if (bmp.bytes.size() < kFileHeader + header || (!old && header < kHeader))
    return decoding.fail(SDX_IMAGE_UNREADABLE, "BMP: a header of %zu bytes in a file of %zu", header, bmp.bytes.size());
  const auto height = static_cast<int32_t>(old ? bmp.u16(20) : bmp.u32(22));
  bmp.width = old ? bmp.u16(18) : bmp.u32(18);
  bmp.bits = old ? bmp.u16(24) : bmp.u16(28);
  bmp.compression = old ? uint32_t{kRgb} : bmp.u32(30);
  bmp.bottom_up = height > 0;
  bmp.height = height < 0 ? 0u - static_cast<uint32_t>(height) : static_cast<uint32_t>(height);
  bmp.pixels_at = bmp.u32(10);

  size_t masks_bytes = 0;
  bmp.masks = bmp.bits == 16 ? std::array<Mask, 3>{{{0x7c00}, {0x03e0}, {0x001f}}}
                             : std::array<Mask, 3>{{{0xff0000}, {0x00ff00}, {0x0000ff}}};
  if (bmp.compression == kMasks || bmp.compression == kMasksAndAlpha) {
    for (size_t i = 0; i < 3; ++i) bmp.masks[i].bits = bmp.u32(kFileHeader + kHeader + 4 * i);
    if (header == kHeader) masks_bytes = bmp.compression == kMasks ? 12 : 16;
  }
  const bool has_masks = masks_bytes != 0 || bmp.compression == kMasks || bmp.compression == kMasksAndAlpha;
  const bool plain_bits =
      bmp.bits == 1 || bmp.bits == 4 || bmp.bits == 8 || bmp.bits == 16 || bmp.bits == 24 || bmp.bits == 32;
  const bool goes_together = (bmp.compression == kRgb && plain_bits) || (bmp.compression == kRle8 && bmp.bits == 8) ||
                             (bmp.compression == kRle4 && bmp.bits == 4) ||
                             (has_masks && (bmp.bits == 16 || bmp.bits == 32));
  if (!goes_together)
    return decoding.fail(SDX_IMAGE_UNREADABLE, "BMP: %u bits a pixel with compression %u", bmp.bits, bmp.compression);
  if (bmp.bits <= 8) {
    const size_t most = size_t{1} << bmp.bits;
    const size_t named = old ? 0 : bmp.u32(46);
    read_palette(bmp, kFileHeader + header + masks_bytes, old ? 3 : 4, named == 0 || named > most ? most : named);
  }
  return true;
}

bool put(Decoding& decoding, const Bmp& bmp, uint32_t stored_row, const Row& rgb) {
  return decoding.put_row(bmp.bottom_up ? bmp.height - 1 - stored_row : stored_row, rgb.data(), Layout::rgb);
}

void look_up(const Bmp& bmp, size_t x, uint8_t index, Row& rgb) {
  std::memcpy(&rgb[3 * x], bmp.palette[index].data(), 3);
}

void expand(const Bmp& bmp, size_t at, Row& rgb) {
  const uint8_t* row = bmp.bytes.data() + at;
  for (size_t x = 0; x < bmp.width; ++x) {
    if (bmp.bits <= 8) {
      const size_t bit = x * bmp.bits;
      const uint32_t shift = 8 - bmp.bits - static_cast<uint32_t>(bit % 8);
      look_up(bmp, x, static_cast<uint8_t>(row[bit / 8] >> shift & ((1u << bmp.bits) - 1)), rgb);
      continue;
    }
    if (bmp.bits == 24) {
      for (size_t channel = 0; channel < 3; ++channel) rgb[3 * x + channel] = row[3 * x + 2 - channel];
      continue;
    }
    const uint32_t pixel = bmp.bits == 16 ? bmp.u16(at + 2 * x) : bmp.u32(at + 4 * x);
    for (size_t channel = 0; channel < 3; ++channel) rgb[3 * x + channel] = bmp.masks[channel].pick(pixel);
  }
}

bool decode_rows(Decoding& decoding, const Bmp& bmp) {
  const uint64_t stride = (uint64_t{bmp.width} * bmp.bits + 31) / 32 * 4;
  const size_t left = bmp.pixels_at < bmp.bytes.size() ? bmp.bytes.size() - bmp.pixels_at : 0;
  if (stride != 0 && bmp.height > left / stride)
    return decoding.fail(SDX_IMAGE_UNREADABLE, "BMP: %zu bytes of pixels for %u x %u", left, bmp.width, bmp.height);
  if (!decoding.start(bmp.width, bmp.height)) return false;
  Row rgb(size_t{3} * bmp.width);
  for (uint32_t y = 0; y < bmp.height; ++y) {
    expand(bmp, bmp.pixels_at + y * stride, rgb);
    if (!put(decoding, bmp, y, rgb)) return false;
  }
  return true;
}

// Rows of runs. A jump leaves what it passes at index 0; what is beyond a row's end is dropped.
class RunReader {
 public:
  RunReader(Decoding& decoding, const Bmp& bmp) : decoding_(decoding), bmp_(bmp), rgb_(size_t{3} * bmp.width) {
    clear();
  }

  bool read() {
    size_t at = bmp_.pixels_at;
    while (at + 2 <= bmp_.bytes.size() && row_ < bmp_.height) {
      const uint8_t count = bmp_.bytes[at], value = bmp_.bytes[at + 1];
      at += 2;
      if (count > 0) {
        for (uint8_t i = 0; i < count; ++i) set(index_of(value, i));
      } else if (value <= 1) {
        if (!end_row(value == 1 ? bmp_.height - row_ : 1)) return false;
      } else if (value == 2) {
        if (at + 2 > bmp_.bytes.size()) break;
        const size_t x = x_ + bmp_.bytes[at];
        if (!end_row(bmp_.bytes[at + 1])) return false;
        x_ = x;
        at += 2;
      } else {
        const size_t whole = bmp_.bits == 8 ? value : (size_t{value} + 1) / 2;
        if (whole > bmp_.bytes.size() - at) break;
        for (uint8_t i = 0; i < value; ++i) set(index_of(bmp_.bytes[at + (bmp_.bits == 8 ? i : i / 2)], i));
        at += whole + whole % 2;
      }
    }
    // The mark of the end may be missing behind the last row.
    if (row_ + 1 == bmp_.height && x_ >= bmp_.width) return end_row(1);
    return row_ == bmp_.height || decoding_.fail(SDX_IMAGE_UNREADABLE, "BMP: the runs end in row %u", row_);
  }

 private:
  void clear() {
    for (size_t x = 0; x < bmp_.width; ++x) look_up(bmp_, x, 0, rgb_);
  }
  uint8_t index_of(uint8_t byte, uint8_t i) const {
    if (bmp_.bits == 8) return byte;
    return i % 2 == 0 ? byte >> 4 : byte & 15;
  }
  void set(uint8_t index) {
    if (x_ < bmp_.width) look_up(bmp_, x_, index, rgb_);
    ++x_;
  }
  bool end_row(uint32_t count) {
    for (; count > 0 && row_ < bmp_.height; --count) {
      if (!put(decoding_, bmp_, row_++, rgb_)) return false;
      clear();
      x_ = 0;
    }
    return true;
  }

  Decoding& decoding_;
  const Bmp& bmp_;
  Row rgb_;
  size_t x_ = 0;
  uint32_t row_ = 0;
};

}  // namespace

bool decode_bmp(Decoding& decoding) {
  Bmp bmp;
  bmp.bytes = decoding.bytes();
  if (!read_header(decoding, bmp)) return false;
  if (bmp.compression != kRle8 && bmp.compression != kRle4) return decode_rows(decoding, bmp);
  return decoding.start(bmp.width, bmp.height) && RunReader(decoding, bmp).read();
}

}  // namespace sdx::image
