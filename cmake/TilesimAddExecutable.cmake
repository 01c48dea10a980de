# tilesim_add_executable(name file.cu ...): a program made from CUDA sources, for this machine.
#
# Each .cu file becomes an object by `tilesim build -c`, under the target's own include folders,
# definitions and compile options; other files are compiled as usual. Set them with target_*
# commands. `HOOKS` compiles so that raw accesses are watched, too.
# SPDX-License-Identifier: Apache-2.0
include_guard()

function(tilesim_add_executable name)
  cmake_parse_arguments(arg "HOOKS" "" "" ${ARGN})
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilesim_add_executable(${name}): no source file; name at least one .cu file")
  endif()
  set(objects)
  set(others)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.cu$")
      list(APPEND others ${source})
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(MAKE_C_IDENTIFIER "${source}" stem)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${stem}.o)
    set(includes $<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>)
    set(options $<TARGET_PROPERTY:${name},COMPILE_OPTIONS>)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir
      COMMAND
        tilesim::cli build -c ${path} -o ${object} $<$<BOOL:${arg_HOOKS}>:--hooks>
        --dependency-file ${object}.d
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
        "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" "${options}"
      DEPENDS ${path} tilesim::cli
      DEPFILE ${object}.d
      COMMENT "tilesim build -c ${source}"
      VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND objects ${object})
  endforeach()
  add_executable(${name} ${objects} ${others})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE tilesim::tilesim)
endfunction()
