# Runs a program on the simulator with the recorder and compares with the hardware's recording.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)

set(folder ${ROOT}/tests/gpu)
set(recording ${folder}/recordings/${RECORDING}.rec)

# As record.sh hashes: the program, then the headers beside it.
if(PROGRAM MATCHES "^kernels/")
  set(source ${ROOT}/examples/${PROGRAM}.cu)
  file(GLOB headers ${ROOT}/examples/kernels/*.h)
elseif(PROGRAM MATCHES "^threads/")
  set(source ${folder}/${PROGRAM}.cu)
  file(GLOB headers ${folder}/threads/*.hpp)
else()
  set(source ${folder}/${PROGRAM}.cu)
  file(GLOB headers ${folder}/*.hpp)
endif()
list(SORT headers)
set(text "")
foreach(file IN ITEMS ${source} LISTS headers)
  file(READ ${file} part)
  string(APPEND text "${part}")
endforeach()
string(SHA256 hash "${text}")
string(SUBSTRING ${hash} 0 16 hash)

# As many values as the recording kept.
set(values 16)
file(STRINGS ${folder}/kept kept REGEX "^${PROGRAM} ")
if(kept)
  string(REGEX REPLACE "^[^ ]+ " "" values "${kept}")
endif()

file(REMOVE ${OUT})
set(ENV{TILESIM_RECORD} ${OUT})
set(ENV{TILESIM_RECORD_VALUES} ${values})
cmake_path(GET source FILENAME name)
if(CONTRACT) # by the compiler's places, for which lines are needed
  set(how --contract ${folder}/recordings/${CONTRACT}.sums -g1)
else()
  set(how -g0)
endif()
execute_process(
  COMMAND
    ${TILESIM} run --arith ${ARITH} ${how} -O0 -include ${ROOT}/gpu_backend/record.hpp
    "-DTILESIM_RECORD_SOURCE=\"${hash} ${name}\"" "-DTILESIM_RECORD_FLAGS=\"-O0\"" ${source}
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)
if(NOT code EQUAL CODE)
  string(SUBSTRING "${output}" 0 2000 output)
  message(FATAL_ERROR "${PROGRAM} ended with ${code}, expected was ${CODE}\n${output}")
endif()

execute_process(
  COMMAND ${BOUNDS} ${PROGRAM}
  RESULT_VARIABLE code
  OUTPUT_VARIABLE bounds)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${BOUNDS} ${PROGRAM} ended with ${code}")
endif()
string(REGEX REPLACE "\n$" "" bounds "${bounds}")
string(REPLACE "\n" ";" bounds "${bounds}")
execute_process(
  COMMAND ${COMPARE} ${recording} ${OUT} ${bounds}
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
message("${output}${errors}")
if(NOT DIFFERS)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "hardware and simulator differ, or cannot be compared: ${code}")
  endif()
  return()
endif()

# Hardware and page are known to differ here: in each of these copies, and in no other.
if(NOT code EQUAL 1)
  message(FATAL_ERROR "the comparison ended with ${code}, expected was 1: that they differ")
endif()
string(REPLACE ";" "," output "${output}") # which would part a line of the list
string(REGEX MATCHALL "[^\n]*: error: [^\n]*" lines "${output}")
foreach(expression IN LISTS DIFFERS)
  if(NOT "${lines}" MATCHES "${expression}")
    message(SEND_ERROR "no difference in '${expression}'")
  endif()
endforeach()
foreach(line IN LISTS lines)
  set(known FALSE)
  foreach(expression IN LISTS DIFFERS)
    if("${line}" MATCHES "${expression}")
      set(known TRUE)
    endif()
  endforeach()
  if(NOT known)
    message(SEND_ERROR "an unexpected difference: ${line}")
  endif()
endforeach()
