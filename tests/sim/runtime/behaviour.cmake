# Runs probe/NAME.cu and compares with the recording of a device, line by line.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND ${TILESIM} run ${PROBE}/${NAME}.cu
  OUTPUT_VARIABLE printed
  ERROR_VARIABLE findings
  RESULT_VARIABLE status)
if(NOT status EQUAL 102) # the program is full of misuse: findings are due
  message(FATAL_ERROR "exit status ${status}, expected 102\n${findings}")
endif()
file(WRITE ${OUT}/${NAME}.txt "${printed}")
file(STRINGS ${PROBE}/${NAME}.txt recorded)
file(STRINGS ${PROBE}/${NAME}.known known)
file(STRINGS ${OUT}/${NAME}.txt lines)
list(LENGTH recorded expected_count)
list(LENGTH lines count)
if(NOT count EQUAL expected_count)
  message(FATAL_ERROR "${count} lines, expected ${expected_count}\n${findings}")
endif()
foreach(want got IN ZIP_LISTS recorded lines)
  if(NOT want STREQUAL got AND NOT got IN_LIST known)
    message(SEND_ERROR "the device: ${want}\ntilesim:    ${got}")
  endif()
endforeach()
