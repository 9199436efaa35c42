# Modules, and the routing of sources by suffix:
#   *_test.cc    bin/test_<module>, run by ctest           (SDX_TESTS)
#   *_bench.cc   bin/bench_<module>, built on request       (SDX_BENCH)
#   *_fuzz.cc    bin/fuzz_<stem>, one each                  (SDX_FUZZ)
#   testing/*, conformance/*   helpers of tests, linked into tests only
#   *_cuda.cu    not built here
#   the rest     object library sdx_<module>
# A folder with no sources is skipped, so modules may come and go.

set(sdx_object_libraries "")   # what the archive and the shared libraries are made of
set(sdx_test_support_sources "")
set(sdx_test_binaries "")
set(sdx_fuzz_binaries "")

# Loops in plain C++ over large tensors: at -O2 g++ vectorizes none whose length it does not know.
set(sdx_vectorized
  ops/activation/gelu_bias
  ops/conv/conv_transpose_cpu
  ops/index/[a-z_]+_cpu
  ops/linalg/fused_matmul_cpu
  ops/linalg/gemm_cpu
  ops/logic/logical_[a-z_]+_cpu
  ops/logic/where_cpu
  ops/math/cumulative_cpu
  ops/math/variadic
  ops/ml/binarizer_cpu
  ops/ml/imputer_cpu
  ops/ml/scaler_cpu
  ops/pool/max_pool_cpu
  ops/pool/row_doubles
  ops/quant/integer_convolution
  ops/quant/integer_filters
  ops/quant/last_[a-z]+
  ops/quant/qlinear_conv_call
  ops/quant/qlinear_global_average_pool_cpu
  ops/quant/quantize_run
  ops/reduce/typed_reduction
  ops/rnn/code_panels
  ops/shape/pad_cpu
  ops/shape/range
  ops/shape/strided_copy
  ops/shape/tile_cpu
  ops/shape/trilu_cpu
  passes/absorb_scales)
list(JOIN sdx_vectorized "|" sdx_vectorized)
set(sdx_vectorized "^(${sdx_vectorized})\\.cc$")
set(sdx_vectorizing "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-O3>")

# Many short loops over many types: vectorized, but neither peeled nor unrolled, which doubles their code.
set(sdx_lean "^ops/(native_[a-z]+|convert/cast_loops|logic/native_comparisons)_cpu\\.cc$")
set(sdx_vectorizing_leanly "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-ftree-loop-vectorize;-fvect-cost-model=dynamic;-fno-trapping-math;--param=vect-epilogues-nomask=0>")

# What neither loads nor runs a model (saving one, building one by hand) is built for size, which halves its code.
set(sdx_compact "^(onnx/(export[a-z_]*|writer|value_to_proto)|api/(model_editor|model_builder|standalone_op|sparse_value|op_attr))\\.cc$")
set(sdx_compacting "$<$<CONFIG:Release>:-Os>")

# Kernels may contract a * b + c, and Highway compiles them once per SIMD level by including them again.
function(sdx_mark_kernels)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "(_cpu|/simd_test)\\.cc$")
      file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${file})
      set_source_files_properties(${file} PROPERTIES
        COMPILE_OPTIONS "-ffp-contract=fast"
        COMPILE_DEFINITIONS "HWY_TARGET_INCLUDE=\"${name}\"")
    endif()
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/src ${file})
    if(name MATCHES "${sdx_vectorized}")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS "${sdx_vectorizing}")
    elseif(name MATCHES "${sdx_lean}")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS "${sdx_vectorizing_leanly}")
    elseif(name MATCHES "${sdx_compact}")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS "${sdx_compacting}")
    endif()
  endforeach()
endfunction()

# Splits the .cc files given into <prefix>_{code,tests,benches,fuzzers,support} of the caller.
macro(sdx_route prefix)
  foreach(kind IN ITEMS code tests benches fuzzers support)
    set(${prefix}_${kind} "")
  endforeach()
  foreach(file ${ARGN})
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${file})
    if(path MATCHES "_test\\.cc$")
      list(APPEND ${prefix}_tests ${file})
    elseif(path MATCHES "_bench\\.cc$")
      list(APPEND ${prefix}_benches ${file})
    elseif(path MATCHES "_fuzz\\.cc$")
      list(APPEND ${prefix}_fuzzers ${file})
    elseif(path MATCHES "(^|/)(testing|conformance)/")
      list(APPEND ${prefix}_support ${file})
    else()
      list(APPEND ${prefix}_code ${file})
    endif()
  endforeach()
endmacro()

# Adds the object library and leaves tests and the like for sdx_tests().
macro(sdx_add_module name)
  sdx_route(routed ${ARGN})
  if(routed_code)
    sdx_mark_kernels(${routed_code})
    add_library(sdx_${name} OBJECT ${routed_code})
    list(APPEND sdx_object_libraries sdx_${name})
  endif()
  list(APPEND sdx_test_support_sources ${routed_support})
  if(routed_tests)
    sdx_mark_kernels(${routed_tests})
    list(APPEND sdx_test_binaries ${name})
    set(sdx_test_sources_${name} ${routed_tests})
  endif()
  if(routed_benches AND SDX_BENCH)
    add_executable(bench_${name} EXCLUDE_FROM_ALL ${routed_benches})
    target_link_libraries(bench_${name} PRIVATE sdx_engine benchmark::benchmark_main)
  endif()
  foreach(file IN LISTS routed_fuzzers)
    get_filename_component(stem ${file} NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" stem ${stem})
    list(APPEND sdx_fuzz_binaries ${stem})
    set(sdx_fuzz_source_${stem} ${file})
  endforeach()
endmacro()

macro(sdx_module name)
  file(GLOB_RECURSE module_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  sdx_add_module(${name} ${module_sources})
endmacro()

# src/providers/<name> is a module each: sdx_providers_<name>, bin/test_providers_<name>.
macro(sdx_provider_modules)
  file(GLOB module_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/providers/*.cc)
  sdx_add_module(providers ${module_sources})
  file(GLOB provider_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/providers/*/*.cc)
  set(provider_names "")
  foreach(file IN LISTS provider_files)
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(folder ${folder} NAME)
    list(APPEND provider_names ${folder})
  endforeach()
  list(REMOVE_DUPLICATES provider_names)
  foreach(provider IN LISTS provider_names)
    file(GLOB_RECURSE module_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/providers/${provider}/*.cc)
    sdx_add_module(providers_${provider} ${module_sources})
  endforeach()
endmacro()

# Everything but the tools, for tests and benches.
macro(sdx_archive)
  if(sdx_object_libraries)
    add_library(sdx_engine STATIC)
    foreach(library IN LISTS sdx_object_libraries)
      target_sources(sdx_engine PRIVATE $<TARGET_OBJECTS:${library}>)
    endforeach()
    set_target_properties(sdx_engine PROPERTIES LINKER_LANGUAGE CXX)
  else()
    add_library(sdx_engine INTERFACE)
  endif()
  target_link_libraries(sdx_engine INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
endmacro()

include(operators)
include(testing)
