// JPEG through libjpeg-turbo with its defaults: the accurate integer DCT, and chroma upsampled as the standard of
// ImageDecoder says ("fancy").
#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

#include <jerror.h>

#include "modules/image/decoding.h"

namespace sdx::image {
namespace {

constexpr long kMostCoefficientBytes = long{1} << 31;
constexpr int kMostScans = 500;  // a progressive file of a few kilobytes could keep a processor busy for hours

struct Jpeg {
  explicit Jpeg(Decoding& d) : decoding(d) {}
  ~Jpeg() { jpeg_destroy_decompress(&info); }
  Jpeg(const Jpeg&) = delete;
  Jpeg& operator=(const Jpeg&) = delete;

  Decoding& decoding;
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf out;
  bool ended = false;        // the bytes did, before the image
  bool more_to_come = true;  // than one scan
};

Jpeg& of(j_common_ptr info) { return *static_cast<Jpeg*>(info->client_data); }

[[noreturn]] void on_error(j_common_ptr info) {
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  of(info).decoding.fail(SDX_IMAGE_UNREADABLE, "JPEG: %s", text);
  std::longjmp(of(info).out, 1);
}

// Warnings: a decoder is to go on with what it has, which is right for all but missing data. Only the mark of the end
// may be missing, and only where no other scan can be.
void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  Jpeg& jpeg = of(info);
  if (info->err->msg_code == JWRN_JPEG_EOF) jpeg.ended = true;
  if (jpeg.ended && (jpeg.more_to_come || info->err->msg_code == JWRN_HIT_MARKER)) on_error(info);
}

void on_progress(j_common_ptr info) {
  if (of(info).info.input_scan_number <= kMostScans) return;
  of(info).decoding.fail(SDX_IMAGE_UNREADABLE, "JPEG: more than %d scans", kMostScans);
  std::longjmp(of(info).out, 1);
}

// What it gives up with longjmp must not be C++ objects; all that is lives in `jpeg`.
bool read(Jpeg& jpeg) {
  jpeg_decompress_struct& info = jpeg.info;
  if (setjmp(jpeg.out) != 0) return false;
  jpeg_create_decompress(&info);
  info.mem->max_memory_to_use = kMostCoefficientBytes;
  info.progress = &jpeg.progress;
  const Bytes bytes = jpeg.decoding.bytes();
  jpeg_mem_src(&info, bytes.data(), bytes.size());
  jpeg_read_header(&info, TRUE);
  jpeg.more_to_come = jpeg_has_multiple_scans(&info) != FALSE;
  Layout layout = Layout::rgb;
  info.out_color_space = JCS_RGB;
  if (info.jpeg_color_space == JCS_GRAYSCALE) {
    layout = Layout::gray;
    info.out_color_space = JCS_GRAYSCALE;
  } else if (info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK) {
    layout = Layout::cmyk;
    info.out_color_space = JCS_CMYK;
  }
  if (!jpeg.decoding.start(info.image_width, info.image_height)) return false;
  jpeg_start_decompress(&info);
  JSAMPARRAY rows = info.mem->alloc_sarray(reinterpret_cast<j_common_ptr>(&info), JPOOL_IMAGE,
                                           info.output_width * static_cast<JDIMENSION>(info.output_components), 1);
  while (info.output_scanline < info.output_height) {
    const JDIMENSION y = info.output_scanline;
    if (jpeg_read_scanlines(&info, rows, 1) != 1 || !jpeg.decoding.put_row(y, rows[0], layout)) return false;
  }
  return true;
}

}  // namespace

bool decode_jpeg(Decoding& decoding) {
  Jpeg jpeg(decoding);
  jpeg.info.err = jpeg_std_error(&jpeg.errors);
  jpeg.errors.error_exit = on_error;
  jpeg.errors.emit_message = on_message;
  jpeg.errors.output_message = [](j_common_ptr) {};
  jpeg.progress.progress_monitor = on_progress;
  jpeg.info.client_data = &jpeg;
  return read(jpeg);
}

}  // namespace sdx::image
