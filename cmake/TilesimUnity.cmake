# Compiling several sources as one, which costs a third of compiling them one by one.
#
# tilesim_unity(target group regex [group regex]…): sources that match a regex, the first that does,
# are one unit; the others stay alone. Only where TILESIM_UNITY is on.
#
# SPDX-License-Identifier: Apache-2.0
include_guard()

function(tilesim_unity target)
  if(NOT TILESIM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What stands in another file is neither shadowed by a local nor seen by others because it is included.
  target_compile_options(
    ${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-shadow;-Wshadow=local;-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  while(ARGN)
    list(POP_FRONT ARGN group regex)
    foreach(source IN LISTS sources)
      if(source MATCHES "${regex}")
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
  endwhile()
endfunction()
