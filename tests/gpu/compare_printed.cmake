# Runs a program on the simulator and compares what it prints with what it printed on the hardware.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)

set(folder ${ROOT}/tests/gpu)
execute_process(
  COMMAND ${TILESIM} run --arith ${ARITH} -O0 ${folder}/${PROGRAM}.cu
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "${PROGRAM} ended with ${code}, expected was ${CODE}\n${output}${errors}")
endif()
string(REPLACE "${folder}/${PROGRAM}.cu" "${PROGRAM}.cu" output "${output}")
file(READ ${folder}/recordings/${PROGRAM}.txt recorded)
if(DIFFERS) # each line is known to
  string(REGEX MATCHALL "[^\n]+" lines "${output}")
  string(REGEX MATCHALL "[^\n]+" recorded_lines "${recorded}")
  list(LENGTH lines count)
  list(LENGTH recorded_lines recorded_count)
  if(NOT count EQUAL recorded_count OR count EQUAL 0)
    message(FATAL_ERROR "it printed ${count} lines, and ${recorded_count} on the hardware\n${output}")
  endif()
  foreach(line recorded_line IN ZIP_LISTS lines recorded_lines)
    if(line STREQUAL recorded_line)
      message(SEND_ERROR "hardware and simulator agree on: ${line}")
    endif()
  endforeach()
  return()
endif()
if(NOT output STREQUAL recorded)
  message(FATAL_ERROR "it printed\n${output}and on the hardware\n${recorded}")
endif()
