// The regex module: RE2 behind a table of C functions. No exception leaves it.
#include "modules/regex/regex_module.h"

#include <re2/re2.h>

#include <climits>
#include <cstring>
#include <memory>
#include <new>

namespace {

re2::StringPiece piece(const char* text, size_t size) { return re2::StringPiece(text, size); }

void report(char* error, size_t size, const char* text) {
  if (size == 0) return;
  std::strncpy(error, text, size - 1);
  error[size - 1] = '\0';
}

void* compile(const char* pattern, size_t size, char* error, size_t error_size) try {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_longest_match(true);
  auto regex = std::make_unique<RE2>(piece(pattern, size), options);
  if (regex->ok()) return regex.release();
  report(error, error_size, regex->error().c_str());
  return nullptr;
} catch (const std::bad_alloc&) {
  report(error, error_size, "out of memory");
  return nullptr;
}

void destroy(void* regex) { delete static_cast<RE2*>(regex); }

int matches_whole(const void* regex, const char* text, size_t size) try {
  return static_cast<const RE2*>(regex)->Match(piece(text, size), 0, size, RE2::ANCHOR_BOTH, nullptr, 0) ? 1 : 0;
} catch (const std::bad_alloc&) {
  return 0;
}

int find(const void* regex, const char* text, size_t size, size_t from, size_t* begin, size_t* end) try {
  re2::StringPiece match;
  if (!static_cast<const RE2*>(regex)->Match(piece(text, size), from, size, RE2::UNANCHORED, &match, 1)) return 0;
  *begin = static_cast<size_t>(match.data() - text);
  *end = *begin + match.size();
  return 1;
} catch (const std::bad_alloc&) {
  return 0;
}

constexpr SdxRegexModule kModule = {SDX_REGEX_MODULE_VERSION, compile, destroy, matches_whole, find};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SdxRegexModule* sdx_regex_module() { return &kModule; }
