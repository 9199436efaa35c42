// Whether this build runs under AddressSanitizer or ThreadSanitizer, for tests that ask for what those cannot do.
#pragma once

namespace sdx {

#if defined(__has_feature)
#define SDX_HAS_FEATURE(name) __has_feature(name)
#else
#define SDX_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_THREAD__) || SDX_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

#if defined(__SANITIZE_ADDRESS__) || SDX_HAS_FEATURE(address_sanitizer)
inline constexpr bool kUnderSanitizer = true;
#else
inline constexpr bool kUnderSanitizer = kUnderThreadSanitizer;
#endif

#undef SDX_HAS_FEATURE

}  // namespace sdx
