# Modules that the engine loads when they are first needed: they keep third-party libraries out of what the engine's own
# libraries need. Each is src/modules/<name>/ and builds lib/libsardonyx_<name>.so, beside the engine.
include(GNUInstallDirs)

# The module shares the C++ library with what it links. It finds those libraries beside itself first.
function(sdx_loadable_module name)
  add_library(sardonyx_${name} MODULE ${CMAKE_SOURCE_DIR}/src/modules/${name}/${name}_module.cc)
  target_link_libraries(sardonyx_${name} PRIVATE ${ARGN})
  target_link_options(sardonyx_${name} PRIVATE -Wl,-z,relro -Wl,-z,now)
  set_target_properties(sardonyx_${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
  add_dependencies(sdx_engine sardonyx_${name})  # tests and benches load it too
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
