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
if(NOT output STREQUAL recorded)
  message(FATAL_ERROR "it printed\n${output}and on the hardware\n${recorded}")
endif()
