// Which Highway targets are compiled, and the loop over them. The first include of a kernel file that uses Highway;
// CMake defines HWY_TARGET_INCLUDE as the path of that file.
#pragma once

#if defined(__x86_64__)
// The baseline is x86-64-v2, which has no PCLMUL and AES; Highway itself would begin at SSSE3.
#define HWY_BASELINE_TARGETS HWY_SSE4
#ifndef HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLE_PCLMUL_AES
#endif
#endif

#include <hwy/foreach_target.h>  // IWYU pragma: export
