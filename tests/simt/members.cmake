# Runs atomic_members.cu and holds what it prints against what an H100 printed (atomic_members.txt):
#   cmake -DTOOL=build/dev/bin/tilesim -P members.cmake
#
# Two things are left out. The bits of a float's NaN: a device gives 7fffffff, a host what its processor gives. And what
# addition and subtraction make of a bool: libcu++ adds to its byte on a device, which leaves what is no value of a bool.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)
set(here ${CMAKE_CURRENT_LIST_DIR})
execute_process(
  COMMAND ${TOOL} run ${here}/atomic_members.cu OUTPUT_VARIABLE told RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "status ${status}: ${errors}")
endif()
file(READ ${here}/atomic_members.txt recorded)
foreach(text told recorded)
  string(REGEX REPLACE "7fffffff|7fc00000|ffc00000" "nan" ${text} "${${text}}")
  string(REGEX MATCH "(# bool\n[^#]*)+" bools "${${text}}")
  string(REGEX REPLACE "\n(fetch_add|fetch_sub|[+][+]a|a[+][+]|--a|a--|[+]=|-=)[^\n]*" "\n\\1" without "${bools}")
  string(REPLACE "${bools}" "${without}" ${text} "${${text}}")
endforeach()
if(NOT told STREQUAL recorded)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/atomic_members.now "${told}")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/atomic_members.h100 "${recorded}")
  execute_process(COMMAND diff -u ${CMAKE_CURRENT_BINARY_DIR}/atomic_members.h100
                          ${CMAKE_CURRENT_BINARY_DIR}/atomic_members.now OUTPUT_VARIABLE difference)
  message(FATAL_ERROR "what it prints is not what the H100 printed:\n${difference}")
endif()
