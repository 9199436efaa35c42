#include <algorithm>
#include <string>

#include "base/log.h"
#include "ops/testing/op_case.h"

namespace {

using ::sdx::Value;
using ::sdx::ops::attr;
using ::sdx::ops::testing::Case;
using ::sdx::ops::testing::run_case;
using ::sdx::ops::testing::u8;

Value file(std::string_view bytes) {
  auto made = sdx::Tensor::allocate(sdx::DType::u8, sdx::Shape{static_cast<int64_t>(bytes.size())});
  std::copy(bytes.begin(), bytes.end(), made.value().data<uint8_t>());
  return std::move(made).value();
}

std::string little(uint64_t value, int bytes) {
  std::string made;
  for (int i = 0; i < bytes; ++i) made.push_back(static_cast<char>(i < 8 ? value >> (8 * i) & 255 : 0));
  return made;
}

struct Bmp {
  uint32_t width, height, bits, compression, colours;  // height -n: the first row comes first
  std::string_view tables, pixels;
};

Value file(const Bmp& bmp) {
  const auto at = static_cast<uint32_t>(54 + bmp.tables.size());
  std::string made = "BM" + little(at + static_cast<uint32_t>(bmp.pixels.size()), 4) + little(0, 4) + little(at, 4);
  made += little(40, 4) + little(bmp.width, 4) + little(bmp.height, 4) + little(1, 2) + little(bmp.bits, 2);
  made += little(bmp.compression, 4) + little(0, 12) + little(bmp.colours, 4) + little(0, 4);
  return file(made.append(bmp.tables).append(bmp.pixels));
}

// Blue, green, red and nothing; and 2 x 2 pixels in rows of 8 bytes, the lower one first.
constexpr std::string_view kColours("\3\2\1\0\6\5\4\0\11\10\7\0", 12);
constexpr std::string_view kPixels("\3\2\1\6\5\4\0\0\11\10\7\14\13\12\0\0", 16);

// Red, green / blue, (10, 20, 30).
Value png() {
  return u8({82}, {137, 80, 78, 71,  13,  10,  26, 10,  0,   0,   0,   13,  73, 72, 68, 82,  0,   0,  0,  2,  0,
                   0,   0,  2,  8,   2,   0,   0,  0,   253, 212, 154, 115, 0,  0,  0,  25,  73,  68, 65, 84, 120,
                   1,   1,  14, 0,   241, 255, 0,  255, 0,   0,   0,   255, 0,  0,  0,  0,   255, 10, 20, 30, 26,
                   88,  3,  58, 205, 152, 219, 75, 0,   0,   0,   0,   73,  69, 78, 68, 174, 66,  96, 130});
}

// Three pixels of two bits, with transparency.
Value palette_png() {
  return u8({105}, {137, 80,  78, 71, 13, 10,  26,  10,  0,   0,   0,   13, 73, 72,  68, 82, 0,   0,   0,   3,   0,
                    0,   0,   1,  2,  3,  0,   0,   0,   102, 142, 252, 39, 0,  0,   0,  9,  80,  76,  84,  69,  1,
                    2,   3,   40, 50, 60, 200, 210, 220, 206, 225, 53,  93, 0,  0,   0,  2,  116, 82,  78,  83,  0,
                    128, 155, 43, 78, 24, 0,   0,   0,   13,  73,  68,  65, 84, 120, 1,  1,  2,   0,   253, 255, 0,
                    24,  0,   26, 0,  25, 47,  204, 187, 15,  0,   0,   0,  0,  73,  69, 78, 68,  174, 66,  96,  130});
}

// One pixel of four times 16 bits.
Value deep_png() {
  return u8({77}, {137, 80,  78, 71, 13,  10, 26,  10,  0, 0,  0,   13, 73,  72,  68, 82, 0,  0,  0,   1,
                   0,   0,   0,  1,  16,  6,  0,   0,   0, 79, 133, 24, 202, 0,   0,  0,  20, 73, 68,  65,
                   84,  120, 1,  1,  9,   0,  246, 255, 0, 1,  255, 2,  128, 3,   0,  0,  0,  9,  162, 1,
                   134, 42,  10, 61, 208, 0,  0,   0,   0, 73, 69,  78, 68,  174, 66, 96, 130});
}

Value gray_tiff() {
  return u8({126},
            {73, 73, 42, 0, 8, 0, 0,  0, 9, 0, 0,  1, 4, 0, 1,   0, 0, 0, 2,  0, 0, 0, 1, 1, 4, 0, 1, 0, 0,   0, 2,  0,
             0,  0,  2,  1, 3, 0, 1,  0, 0, 0, 8,  0, 0, 0, 3,   1, 3, 0, 1,  0, 0, 0, 1, 0, 0, 0, 6, 1, 3,   0, 1,  0,
             0,  0,  1,  0, 0, 0, 17, 1, 4, 0, 1,  0, 0, 0, 122, 0, 0, 0, 22, 1, 4, 0, 1, 0, 0, 0, 2, 0, 0,   0, 23, 1,
             4,  0,  1,  0, 0, 0, 4,  0, 0, 0, 28, 1, 3, 0, 1,   0, 0, 0, 1,  0, 0, 0, 0, 0, 0, 0, 7, 9, 200, 30});
}

const sdx::Attribute kRgb = attr("pixel_format", "RGB"), kBgr = attr("pixel_format", "BGR"),
                     kGray = attr("pixel_format", "Grayscale");
const std::initializer_list<int64_t> kTwelve = {7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6};

}  // namespace

OP_CASES(ImageDecoder, {"png", {png()}, {u8({2, 2, 3}, {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30})}},
         {"png_rgb", {png()}, {u8({2, 2, 3}, {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30})}, {kRgb}},
         {"png_bgr", {png()}, {u8({2, 2, 3}, {0, 0, 255, 0, 255, 0, 255, 0, 0, 30, 20, 10})}, {kBgr}},
         {"png_gray", {png()}, {u8({2, 2, 1}, {76, 150, 29, 18})}, {kGray}},
         {"palette", {palette_png()}, {u8({1, 3, 3}, {1, 2, 3, 40, 50, 60, 200, 210, 220})}},
         {"palette_gray", {palette_png()}, {u8({1, 3, 1}, {2, 48, 208})}, {kGray}},
         {"alpha_and_16_bits", {deep_png()}, {u8({1, 1, 3}, {1, 2, 3})}},
         {"gray_as_rgb", {gray_tiff()}, {u8({2, 2, 3}, {7, 7, 7, 9, 9, 9, 200, 200, 200, 30, 30, 30})}},
         {"gray_stays", {gray_tiff()}, {u8({2, 2, 1}, {7, 9, 200, 30})}, {kGray}});

OP_CASES(ImageDecoder, {"bmp", {file(Bmp{2, 2, 24, 0, 0, {}, kPixels})}, {u8({2, 2, 3}, kTwelve)}},
         {"top_down",
          {file(Bmp{2, 0u - 2, 24, 0, 0, {}, kPixels})},
          {u8({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})}},
         {"bmp_1_bit",
          {file(Bmp{2, 1, 1, 0, 2, kColours.substr(0, 8), {"\x40\0\0\0", 4}})},
          {u8({1, 2, 3}, {1, 2, 3, 4, 5, 6})}},
         {"bmp_555", {file(Bmp{1, 1, 16, 0, 0, {}, {"\x1f\x7c\0\0", 4}})}, {u8({1, 1, 3}, {255, 0, 255})}},
         {"bmp_masks",
          {file(Bmp{1, 1, 32, 3, 0, {"\xff\0\0\0\0\xff\0\0\0\0\xff\0", 12}, "\1\2\3\4"})},
          {u8({1, 1, 3}, {1, 2, 3})}},
         {"rle8",
          {file(Bmp{2, 2, 8, 1, 3, kColours, {"\2\1\0\0\1\2\0\1", 8}})},
          {u8({2, 2, 3}, {7, 8, 9, 1, 2, 3, 4, 5, 6, 4, 5, 6})}},
         {"rle4",
          {file(Bmp{3, 1, 4, 2, 3, kColours, {"\0\3\x12\0\0\1", 6}})},
          {u8({1, 3, 3}, {4, 5, 6, 7, 8, 9, 1, 2, 3})}});

OP_CASES(ImageDecoder, {"pbm", {file("P1 # bits\n3 1\n1 01")}, {u8({1, 3, 1}, {0, 255, 0})}, {kGray}},
         {"pgm", {file("P2 3 1 1000 0 500 1000")}, {u8({1, 3, 1}, {0, 128, 255})}, {kGray}},
         {"ppm", {file("P3\n2 1\n255\n1 2 3 4 5 6\n")}, {u8({1, 2, 3}, {3, 2, 1, 6, 5, 4})}, {kBgr}},
         {"binary_pbm", {file("P4 9 1\n\xaa\x80")}, {u8({1, 9, 1}, {0, 255, 0, 255, 0, 255, 0, 255, 0})}, {kGray}},
         {"binary_pgm_16", {file({"P5 1 2 65535\n\xff\xff\0\0", 17})}, {u8({2, 1, 1}, {255, 0})}, {kGray}},
         {"binary_ppm", {file({"P6 1 1 255\nabc", 14})}, {u8({1, 1, 3}, {97, 98, 99})}});

// As the standard says of what cannot be decoded.
OP_CASES(ImageDecoder, {"no_bytes", {u8({0}, {})}, {u8({0, 0, 3}, {})}},
         {"no_image", {file("once upon a time")}, {u8({0, 0, 1}, {})}, {kGray}},
         {"no_pixels", {file("P6 0 4 255\n")}, {u8({0, 0, 3}, {})}, {kBgr}},
         {"too_few_pixels", {file("P3 2 1 255 1 2 3 4 5")}, {u8({0, 0, 3}, {})}},
         {"value_above_the_largest", {file("P2 1 1 7 8")}, {u8({0, 0, 3}, {})}},
         {"large_and_short", {file("P6 999999999 999999999 255\nabc")}, {u8({0, 0, 3}, {})}},
         {"runs_end_early", {file(Bmp{2, 2, 8, 1, 3, kColours, "\2\1"})}, {u8({0, 0, 3}, {})}},
         {"unknown_compression", {file(Bmp{2, 2, 24, 4, 0, {}, kPixels})}, {u8({0, 0, 3}, {})}});

OP_REJECTS(ImageDecoder, "1000000 x 1000000 pixels, at most 536870912",
           {file(Bmp{1000000, 1000000, 8, 1, 3, kColours, "\2\1"})});
OP_REJECTS(ImageDecoder, "RGB, BGR and Grayscale", {png()}, {attr("pixel_format", "rgb")});
OP_REJECTS(ImageDecoder, "rank 2", {u8({1, 2}, {1, 2})});

TEST(ImageDecoder, every_cut_gives_an_empty_image) {
  sdx::Logger& logger = sdx::default_logger();
  const sdx::Severity before = logger.lowest();
  logger.set_lowest(sdx::Severity::error);
  const std::vector<std::pair<Value, int64_t>> files = {{png(), 66}, {palette_png(), 89}, {gray_tiff(), 126}};
  for (const auto& [whole, needed] : files) {
    const auto* bytes = reinterpret_cast<const char*>(whole.tensor().data<uint8_t>());
    for (int64_t size = 0; size < needed; ++size)
      run_case("", "ImageDecoder", {"cut", {file({bytes, static_cast<size_t>(size)})}, {u8({0, 0, 3}, {})}});
  }
  logger.set_lowest(before);
}
