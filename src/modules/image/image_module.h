/* What the image module exports: one function that gives this table. Plain C, so that the module and the engine need
 * not share a C++ library. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SDX_IMAGE_MODULE_VERSION 1

enum SdxImagePixels { SDX_IMAGE_RGB = 0, SDX_IMAGE_BGR = 1, SDX_IMAGE_GRAY = 2 };

enum SdxImageResult {
  SDX_IMAGE_OK = 0,
  SDX_IMAGE_UNREADABLE = 1, /* no image, a damaged one, or one of a kind that nobody here reads */
  SDX_IMAGE_TOO_LARGE = 2,
  SDX_IMAGE_OUT_OF_MEMORY = 3,
  SDX_IMAGE_STOPPED = 4 /* the sink said so */
};

/* Where the pixels go. */
struct SdxImageSink {
  void* user;
  /* Called once, as soon as the size is known and before memory is taken: room for height * width pixels of 3 bytes
   * (RGB, BGR) or 1 (gray), row by row. Null stops. */
  uint8_t* (*allocate)(void* user, uint32_t height, uint32_t width);
  int (*stopped)(void* user); /* asked now and then */
};

struct SdxImageModule {
  uint32_t version;
  /* Gives an SdxImageResult; if that is not SDX_IMAGE_OK, the reason in `error` (zero-terminated, cut to
   * `error_size`), and what the sink gave holds nothing useful. */
  int (*decode)(const uint8_t* data, size_t size, int pixels, const struct SdxImageSink* sink, char* error,
                size_t error_size);
};

#define SDX_IMAGE_MODULE_ENTRY "sdx_image_module"
typedef const struct SdxImageModule* (*SdxImageModuleEntry)(void);
