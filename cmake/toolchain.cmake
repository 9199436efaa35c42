# Compiler, linker and cache settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)  # C is for tests of the C interface only
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# One build type per preset.
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_FLAGS_DEV "-O2 -g1")
  set(CMAKE_${language}_FLAGS_RELEASE "-O2 -DNDEBUG")
  set(CMAKE_${language}_FLAGS_SANITIZE "-O1 -g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS")
endforeach()
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(
  -Wall -Wextra
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  # g++'s plain -Wshadow also forbids a parameter to be named like a member function.
  $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>  # g++ 12 sees it in every std::optional
  -ffunction-sections -fdata-sections
  -ffp-contract=off)  # *_cpu.cc may contract: see modules.cmake
if(SDX_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-march=x86-64-v2)
endif()
include_directories(${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)

# No machine path in a binary: __FILE__ is src/..., debug information names build/PRESET.
# ccache passes paths relative to the build folder, hence the second form.
file(RELATIVE_PATH up_to_source ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
add_compile_options("-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=" "-ffile-prefix-map=${up_to_source}=")

# Highway: x86-64-v2 is its SSE4 level once AES and PCLMUL, which we do not use, are left out.
add_compile_definitions(HWY_DISABLE_PCLMUL_AES)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  # Kernels keep sums in arrays of vectors, which SVE's types, of no known size, cannot be in.
  add_compile_definitions("HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
elseif(SDX_SIMD STREQUAL "dev")
  add_compile_definitions("HWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3|HWY_AVX3_DL)")
elseif(SDX_SIMD STREQUAL "all")
  # AVX3_DL is left out too: it would give every kernel twice. Kernels of int8 and bfloat16 ask for what they need.
  add_compile_definitions("HWY_DISABLED_TARGETS=HWY_SSSE3")
else()
  message(FATAL_ERROR "SDX_SIMD is \"${SDX_SIMD}\"; it may be all or dev")
endif()

if(SDX_SANITIZE)
  add_compile_options(-fsanitize=${SDX_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SDX_SANITIZE})
endif()

find_program(SDX_LLD ld.lld)
if(SDX_LLD AND NOT CMAKE_CROSSCOMPILING)  # a cross compiler looks for its own
  add_link_options(-fuse-ld=lld)
endif()
add_link_options(-Wl,--gc-sections -Wl,--as-needed)

# Worktrees of one repository share ccache hits when paths are cut at the source folder.
find_program(SDX_CCACHE ccache)
if(SDX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=time_macros,pch_defines
    ${SDX_CCACHE})
endif()

# Archives only name their objects; nothing is copied on an incremental build.
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcsT <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "")
