// JPEG 2000 through OpenJPEG: codestreams and JP2 files with one, gray, RGB, YCC or CMYK components of any depth and
// subsampling.
#include <openjpeg.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

constexpr uint64_t kMostComponents = 64;
constexpr uint64_t kMostTileBytes = uint64_t{1} << 29;
constexpr uint64_t kBytesPerTile = 8192, kBytesPerTileComponent = 1280;  // what OpenJPEG takes for their parameters
constexpr uint8_t kCodestreamBegins[] = {0xff, 0x4f, 0xff, 0x51};

struct Source {
  Decoding& decoding;
  size_t at = 0;
};

OPJ_SIZE_T take(void* to, OPJ_SIZE_T wanted, void* user) {
  Source& source = *static_cast<Source*>(user);
  const Bytes rest = source.decoding.bytes().subspan(source.at);
  if (rest.empty()) return static_cast<OPJ_SIZE_T>(-1);
  const size_t count = std::min(rest.size(), wanted);
  std::memcpy(to, rest.data(), count);
  source.at += count;
  return count;
}

OPJ_OFF_T skip(OPJ_OFF_T count, void* user) {
  Source& source = *static_cast<Source*>(user);
  const size_t left = source.decoding.bytes().size() - source.at;
  if (count < 0 || static_cast<size_t>(count) > left) return -1;
  source.at += static_cast<size_t>(count);
  return count;
}

OPJ_BOOL seek(OPJ_OFF_T to, void* user) {
  Source& source = *static_cast<Source*>(user);
  if (to < 0 || static_cast<size_t>(to) > source.decoding.bytes().size()) return OPJ_FALSE;
  source.at = static_cast<size_t>(to);
  return OPJ_TRUE;
}

void on_error(const char* text, void* user) {
  const std::string_view line(text, std::strcspn(text, "\n"));
  static_cast<Decoding*>(user)->fail(SDX_IMAGE_UNREADABLE, "JPEG 2000: %.*s", static_cast<int>(line.size()),
                                     line.data());
}

uint64_t u32(Bytes bytes, size_t at) {
  return uint64_t{bytes[at]} << 24 | uint64_t{bytes[at + 1]} << 16 | uint64_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

// OpenJPEG takes memory for every component of every tile that a header names. Wherever a codestream could begin, its
// numbers must be ones that fit.
bool headers_fit(Decoding& decoding) {
  constexpr size_t kWhole = 42;  // up to the number of components
  const Bytes bytes = decoding.bytes();
  auto from = bytes.begin();
  for (;;) {
    from = std::search(from, bytes.end(), std::begin(kCodestreamBegins), std::end(kCodestreamBegins));
    const Bytes header(from, bytes.end());
    if (header.size() < kWhole) return true;
    ++from;
    const auto tiles = [&](size_t axis) {
      const uint64_t end = u32(header, 8 + axis), tile = u32(header, 24 + axis), first = u32(header, 32 + axis);
      return tile == 0 || first >= end ? uint64_t{0} : (end - first + tile - 1) / tile;
    };
    const uint64_t components = header[40] * 256u + header[41];
    const uint64_t across = tiles(0), down = tiles(4);
    if (components > kMostComponents || across > 65535 || down > 65535 ||
        across * down * (kBytesPerTile + components * kBytesPerTileComponent) > kMostTileBytes)
      return decoding.fail(SDX_IMAGE_TOO_LARGE, "JPEG 2000: %llu x %llu tiles of %llu components are too many",
                           static_cast<unsigned long long>(across), static_cast<unsigned long long>(down),
                           static_cast<unsigned long long>(components));
  }
}

// One component's samples, as bytes and at the image's size.
struct Channel {
  explicit Channel(const opj_image_comp_t& c) : component(c), offset(c.sgnd != 0 ? int64_t{1} << (c.prec - 1) : 0) {}

  uint8_t at(const Decoding& decoding, uint32_t x, uint32_t y) const {
    const size_t column = uint64_t{x} * component.w / decoding.width(),
                 row = uint64_t{y} * component.h / decoding.height();
    const int64_t most = (int64_t{1} << component.prec) - 1;
    const int64_t sample = std::clamp<int64_t>(component.data[row * component.w + column] + offset, 0, most);
    if (component.prec >= 8) return static_cast<uint8_t>(sample >> (component.prec - 8));
    return static_cast<uint8_t>((sample * 255 + most / 2) / most);
  }

  const opj_image_comp_t& component;
  int64_t offset;
};

uint8_t rounded(double value) { return static_cast<uint8_t>(std::clamp(value + 0.5, 0.0, 255.0)); }

void ycc_to_rgb(uint8_t* p) {
  const double y = p[0], cb = p[1] - 128.0, cr = p[2] - 128.0;
  p[0] = rounded(y + 1.402 * cr);
  p[1] = rounded(y - 0.344136286 * cb - 0.714136286 * cr);
  p[2] = rounded(y + 1.772 * cb);
}

bool put_rows(Decoding& decoding, const opj_image_t& image) {
  const bool cmyk = image.color_space == OPJ_CLRSPC_CMYK && image.numcomps >= 4;
  const size_t used = cmyk ? 4 : image.numcomps >= 3 ? 3 : 1;
  const bool subsampled = used == 3 && (image.comps[1].w < image.comps[0].w || image.comps[1].h < image.comps[0].h);
  const bool ycc = used == 3 && (image.color_space == OPJ_CLRSPC_SYCC || image.color_space == OPJ_CLRSPC_EYCC ||
                                 (subsampled && image.color_space != OPJ_CLRSPC_SRGB));
  std::vector<Channel> channels;
  for (size_t i = 0; i < used; ++i) {
    const opj_image_comp_t& component = image.comps[i];
    if (component.data == nullptr || component.w == 0 || component.h == 0 || component.prec < 1 || component.prec > 38)
      return decoding.fail(SDX_IMAGE_UNREADABLE, "JPEG 2000: component %zu is empty", i);
    channels.emplace_back(component);
  }
  std::vector<uint8_t> row(used * decoding.width());
  for (uint32_t y = 0; y < decoding.height(); ++y) {
    for (uint32_t x = 0; x < decoding.width(); ++x) {
      uint8_t* pixel = &row[used * x];
      for (size_t i = 0; i < used; ++i) pixel[i] = channels[i].at(decoding, x, y);
      if (ycc) ycc_to_rgb(pixel);
      for (size_t i = 0; cmyk && i < used; ++i) pixel[i] = static_cast<uint8_t>(255 - pixel[i]);
    }
    if (!decoding.put_row(y, row.data(), cmyk ? Layout::cmyk : used == 3 ? Layout::rgb : Layout::gray)) return false;
  }
  return true;
}

struct Image {
  ~Image() { opj_image_destroy(image); }
  opj_image_t* image = nullptr;
};

}  // namespace

bool decode_jpeg2000(Decoding& decoding) {
  if (!headers_fit(decoding)) return false;
  const bool bare = begins_with(decoding.bytes(), kCodestreamBegins);
  const std::unique_ptr<opj_codec_t, decltype(&opj_destroy_codec)> codec(
      opj_create_decompress(bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2), &opj_destroy_codec);
  const std::unique_ptr<opj_stream_t, decltype(&opj_stream_destroy)> stream(opj_stream_default_create(OPJ_TRUE),
                                                                            &opj_stream_destroy);
  if (codec == nullptr || stream == nullptr) return decoding.fail(SDX_IMAGE_OUT_OF_MEMORY, "out of memory");
  opj_set_error_handler(codec.get(), on_error, &decoding);
  Source source{decoding};
  opj_stream_set_user_data(stream.get(), &source, nullptr);
  opj_stream_set_user_data_length(stream.get(), decoding.bytes().size());
  opj_stream_set_read_function(stream.get(), take);
  opj_stream_set_skip_function(stream.get(), skip);
  opj_stream_set_seek_function(stream.get(), seek);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  Image decoded;
  if (opj_setup_decoder(codec.get(), &parameters) == OPJ_FALSE ||
      opj_read_header(stream.get(), codec.get(), &decoded.image) == OPJ_FALSE || decoded.image->numcomps == 0)
    return false;
  // Twice: OpenJPEG holds a tile and the image.
  const opj_image_t& image = *decoded.image;
  if (!decoding.start(image.comps[0].w, image.comps[0].h, uint64_t{8} * image.numcomps)) return false;
  for (uint32_t i = 0; i < image.numcomps; ++i)
    if (image.comps[i].w > decoding.width() || image.comps[i].h > decoding.height())
      return decoding.fail(SDX_IMAGE_UNREADABLE, "JPEG 2000: component %u is larger than the first one", i);
  return opj_decode(codec.get(), stream.get(), decoded.image) != OPJ_FALSE && put_rows(decoding, image);
}

}  // namespace sdx::image
