// PBM, PGM and PPM, as text (P1 to P3) and binary (P4 to P6). Samples are scaled from [0, maxval] to [0, 255].
#include <algorithm>
#include <vector>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

bool is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  size_t left() const { return bytes_.size() - at_; }
  const uint8_t* here() const { return bytes_.data() + at_; }
  void skip(size_t count) { at_ += count; }

  void skip_space() {
    while (left() > 0 && (is_space(*here()) || *here() == '#')) {
      if (*here() == '#')
        while (left() > 0 && *here() != '\n' && *here() != '\r') ++at_;
      else
        ++at_;
    }
  }
  // A number of at most nine digits; -1 where there is none.
  int64_t number() {
    skip_space();
    const size_t first = at_;
    int64_t value = 0;
    while (left() > 0 && is_digit(*here()) && at_ - first < 9) value = value * 10 + bytes_[at_++] - '0';
    return at_ == first || (left() > 0 && is_digit(*here())) ? -1 : value;
  }
  // Bits of P1 may stand together.
  int64_t bit() {
    skip_space();
    return left() > 0 && (*here() == '0' || *here() == '1') ? bytes_[at_++] - '0' : -1;
  }

 private:
  Bytes bytes_;
  size_t at_ = 2;
};

struct Kind {
  bool bits, text;
  size_t channels;
};

uint8_t to_byte(uint32_t sample, uint32_t most) {
  return static_cast<uint8_t>((std::min(sample, most) * 255u + most / 2) / most);
}

bool read_text_row(Reader& reader, const Kind& kind, uint32_t most, std::vector<uint8_t>& row) {
  for (uint8_t& sample : row) {
    const int64_t found = kind.bits ? reader.bit() : reader.number();
    if (found < 0 || found > int64_t{most}) return false;
    sample = to_byte(kind.bits ? 1 - static_cast<uint32_t>(found) : static_cast<uint32_t>(found), most);
  }
  return true;
}

void read_binary_row(const uint8_t* from, const Kind& kind, uint32_t most, std::vector<uint8_t>& row) {
  for (size_t i = 0; i < row.size(); ++i) {
    if (kind.bits)
      row[i] = (from[i / 8] >> (7 - i % 8) & 1) != 0 ? 0 : 255;
    else if (most > 255)
      row[i] = to_byte(from[2 * i] * 256u + from[2 * i + 1], most);
    else
      row[i] = to_byte(from[i], most);
  }
}

}  // namespace

bool decode_pnm(Decoding& decoding) {
  const int digit = decoding.bytes()[1] - '0';
  const Kind kind = {digit % 3 == 1, digit <= 3, digit % 3 == 0 ? size_t{3} : 1};
  Reader reader(decoding.bytes());
  const int64_t width = reader.number(), height = reader.number(), most = kind.bits ? 1 : reader.number();
  if (width < 0 || height < 0) return decoding.fail(SDX_IMAGE_UNREADABLE, "PNM: no width and height");
  if (most < 1 || most > 65535)
    return decoding.fail(SDX_IMAGE_UNREADABLE, "PNM: the largest value is not within [1, 65535]");
  if (reader.left() == 0 || !is_space(*reader.here()))
    return decoding.fail(SDX_IMAGE_UNREADABLE, "PNM: no space behind the header");
  reader.skip(1);
  const auto samples = static_cast<uint64_t>(width) * kind.channels;
  const uint64_t row_bytes = kind.bits ? (samples + 7) / 8 : samples * (most > 255 ? 2 : 1);
  // A sample of text is a byte at least.
  const uint64_t least = kind.text ? samples : row_bytes;
  if (least != 0 && static_cast<uint64_t>(height) > reader.left() / least)
    return decoding.fail(SDX_IMAGE_UNREADABLE, "PNM: %zu bytes of pixels for %lld x %lld", reader.left(),
                         static_cast<long long>(width), static_cast<long long>(height));
  if (!decoding.start(static_cast<uint64_t>(width), static_cast<uint64_t>(height))) return false;
  std::vector<uint8_t> row(samples);
  for (uint32_t y = 0; y < decoding.height(); ++y) {
    if (kind.text) {
      if (!read_text_row(reader, kind, static_cast<uint32_t>(most), row))
        return decoding.fail(SDX_IMAGE_UNREADABLE, "PNM: row %u is not whole, or has a value above %lld", y,
                             static_cast<long long>(most));
    } else {
      read_binary_row(reader.here(), kind, static_cast<uint32_t>(most), row);
      reader.skip(row_bytes);
    }
    if (!decoding.put_row(y, row.data(), kind.channels == 3 ? Layout::rgb : Layout::gray)) return false;
  }
  return true;
}

}  // namespace sdx::image
