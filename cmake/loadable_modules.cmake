# Modules that the engine loads when they are first needed: they keep third-party libraries out of what the engine's own
# libraries need. Each is src/modules/<name>/ and builds lib/libsardonyx_<name>.so, beside the engine.
include(GNUInstallDirs)

# The module shares the C++ library with what it links. It finds those libraries beside itself first.
function(sdx_loadable_module name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/modules/${name}/*.cc)
  add_library(sardonyx_${name} MODULE ${sources})
  target_link_libraries(sardonyx_${name} PRIVATE ${ARGN})
  target_link_options(sardonyx_${name} PRIVATE -Wl,-z,relro -Wl,-z,now)
  set_target_properties(sardonyx_${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
  add_dependencies(sdx_engine sardonyx_${name})  # tests and benches load it too
  set_property(GLOBAL APPEND PROPERTY SDX_LOADABLE_MODULES sardonyx_${name})
  install(TARGETS sardonyx_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Debian's libre2.a is no position-independent code: the module needs the shared library.
find_path(SDX_RE2_INCLUDE re2/re2.h)
find_library(SDX_RE2_LIBRARY re2)
mark_as_advanced(SDX_RE2_INCLUDE SDX_RE2_LIBRARY)
if(SDX_RE2_INCLUDE AND SDX_RE2_LIBRARY)
  sdx_loadable_module(regex ${SDX_RE2_LIBRARY} Threads::Threads)
else()
  message(STATUS "RE2 is missing (apt install libre2-dev): operators with regular expressions will say so when run")
endif()

find_package(JPEG)
find_package(PNG)
find_package(TIFF)
find_path(SDX_WEBP_INCLUDE webp/demux.h)
find_library(SDX_WEBP_LIBRARY webp)
find_library(SDX_WEBPDEMUX_LIBRARY webpdemux)
find_path(SDX_OPENJPEG_INCLUDE openjpeg.h PATH_SUFFIXES openjpeg-2.5)
find_library(SDX_OPENJPEG_LIBRARY openjp2)
mark_as_advanced(SDX_WEBP_INCLUDE SDX_WEBP_LIBRARY SDX_WEBPDEMUX_LIBRARY SDX_OPENJPEG_INCLUDE SDX_OPENJPEG_LIBRARY)
if(JPEG_FOUND AND PNG_FOUND AND TIFF_FOUND AND SDX_WEBP_INCLUDE AND SDX_WEBP_LIBRARY AND SDX_WEBPDEMUX_LIBRARY
   AND SDX_OPENJPEG_INCLUDE AND SDX_OPENJPEG_LIBRARY)
  sdx_loadable_module(image JPEG::JPEG PNG::PNG TIFF::TIFF ${SDX_WEBP_LIBRARY} ${SDX_WEBPDEMUX_LIBRARY}
    ${SDX_OPENJPEG_LIBRARY})
  target_include_directories(sardonyx_image SYSTEM PRIVATE ${SDX_OPENJPEG_INCLUDE})
else()
  message(STATUS "A library for images is missing (apt install libjpeg62-turbo-dev libpng-dev libtiff-dev libwebp-dev "
    "libopenjp2-7-dev): ImageDecoder will say so when run")
endif()
