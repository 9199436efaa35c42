/* What the regex module exports: one function that gives this table. Plain C, so that the module and the engine need
 * not share a C++ library. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SDX_REGEX_MODULE_VERSION 1

struct SdxRegexModule {
  uint32_t version;
  /* Null for a wrong pattern, with the reason in `error` (zero-terminated, cut to `error_size`). */
  void* (*compile)(const char* pattern, size_t size, char* error, size_t error_size);
  void (*destroy)(void* regex);
  int (*matches_whole)(const void* regex, const char* text, size_t size);
  /* The longest of the leftmost matches at `from` or later: 1 and its ends, or 0. */
  int (*find)(const void* regex, const char* text, size_t size, size_t from, size_t* begin, size_t* end);
};

#define SDX_REGEX_MODULE_ENTRY "sdx_regex_module"
typedef const struct SdxRegexModule* (*SdxRegexModuleEntry)(void);
