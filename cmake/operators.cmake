# Operators: src/ops/CMakeLists.txt has one line sdx_op(family/stem) each; the table of them is generated. With
# SDX_ONLY_OPERATORS the others are left out, their files too; what families share is built as always.

# Names an operator: src/ops/<family>/<stem>.cc holds its contract, and <stem>_{cpu,test,bench}.cc may stand beside it.
function(sdx_op name)
  if(NOT name MATCHES "^[a-z0-9_]+/[a-z0-9_]+$")
    message(FATAL_ERROR "sdx_op(${name}): an operator is named family/stem in snake_case")
  endif()
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/src/ops/${name}.cc)
    message(FATAL_ERROR "sdx_op(${name}): src/ops/${name}.cc does not exist")
  endif()
  if(SDX_ONLY_OPERATORS AND NOT name IN_LIST SDX_ONLY_OPERATORS)
    set_property(GLOBAL APPEND PROPERTY SDX_OPERATORS_LEFT_OUT ${name})
    return()
  endif()
  get_property(listed GLOBAL PROPERTY SDX_OPERATORS)
  if(name IN_LIST listed)
    message(FATAL_ERROR "sdx_op(${name}) is listed twice in src/ops/CMakeLists.txt")
  endif()
  set_property(GLOBAL APPEND PROPERTY SDX_OPERATORS ${name})
endfunction()

# The object library sdx_ops with all families in it; a test and a bench binary per family.
macro(sdx_ops_module)
  if(EXISTS ${CMAKE_SOURCE_DIR}/src/ops/CMakeLists.txt)
    add_subdirectory(src/ops)
  endif()
  file(GLOB_RECURSE ops_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/ops/*.cc)
  get_property(left_out GLOBAL PROPERTY SDX_OPERATORS_LEFT_OUT)
  foreach(name IN LISTS left_out)
    foreach(suffix IN ITEMS "" _cpu _test _bench)
      list(REMOVE_ITEM ops_sources ${CMAKE_SOURCE_DIR}/src/ops/${name}${suffix}.cc)
    endforeach()
  endforeach()
  sdx_route(ops ${ops_sources})
  sdx_add_operator_table()
  sdx_add_module(ops ${ops_code} ${ops_support} ${ops_table})

  set(ops_families "")
  foreach(file IN LISTS ops_tests ops_benches ops_fuzzers)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR}/src ${file})
    get_filename_component(family ${path} DIRECTORY)  # ops, or ops/<family>
    string(REPLACE "/" "_" family ${family})
    list(APPEND ops_families ${family})
    list(APPEND ops_files_${family} ${file})
  endforeach()
  list(REMOVE_DUPLICATES ops_families)
  foreach(family IN LISTS ops_families)
    sdx_add_module(${family} ${ops_files_${family}})
  endforeach()
endmacro()

# Sets ops_table to the generated file, when there are operators.
macro(sdx_add_operator_table)
  get_property(operators GLOBAL PROPERTY SDX_OPERATORS)
  set(ops_table "")
  if(operators)
    set(ops_table ${CMAKE_BINARY_DIR}/generated/ops/op_table.cc)
    set(table_script ${CMAKE_SOURCE_DIR}/tools/gen_op_table.py)
    set(table_facts ${CMAKE_SOURCE_DIR}/src/ops/operator_facts.tsv)
    list(TRANSFORM operators PREPEND ${CMAKE_SOURCE_DIR}/src/ops/ OUTPUT_VARIABLE table_inputs)
    list(TRANSFORM table_inputs APPEND .cc)
    add_custom_command(
      OUTPUT ${ops_table}
      COMMAND Python3::Interpreter ${table_script} --facts ${table_facts} --out ${ops_table} ${operators}
      DEPENDS ${table_script} ${table_facts} ${table_inputs}
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
      COMMENT "Writing the operator table"
      VERBATIM)
  endif()
endmacro()
