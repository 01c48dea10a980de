# Holds a program against its recording with `tilesim diff`: it ends with CODE, all launches are compared, and those that
# do not agree are the ones that the expressions DIFFERS find among what `tilesim gpu show` calls them, and no others.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)

set(recording ${FOLDER}/recordings/${PROGRAM}.rec)
execute_process(
  COMMAND ${TILESIM} diff --arith ${ARITH} -O0 ${FOLDER}/${PROGRAM}.cu --against ${recording}
  RESULT_VARIABLE code
  OUTPUT_VARIABLE output
  ERROR_VARIABLE errors)
message("${output}${errors}")
if(NOT code EQUAL CODE)
  message(FATAL_ERROR "'tilesim diff' ended with ${code}, expected was ${CODE}")
endif()
if(NOT output MATCHES "([0-9]+) of ([0-9]+) launch[es]* compared" OR NOT CMAKE_MATCH_1 EQUAL CMAKE_MATCH_2)
  message(FATAL_ERROR "not all launches were compared")
endif()
if(output MATCHES "is a recording of another text")
  message(FATAL_ERROR "the program has changed since it was recorded: record it anew [README.md]")
endif()

# The one that is told in full, and the others, a line each.
string(REGEX MATCHALL "(error|undecided): launch [0-9]+ " told "${output}")
string(REGEX MATCHALL "\n  launch [0-9]+ [^\n]*: (differs|undecided|other input)" others "${output}")
execute_process(
  COMMAND ${TILESIM} gpu show ${recording}
  OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
set(lines "")
foreach(launch IN LISTS told others)
  string(REGEX MATCH "launch ([0-9]+) " unused "${launch}")
  string(REGEX MATCH "\n  launch ${CMAKE_MATCH_1}: [^\n]*" line "${shown}")
  list(APPEND lines "${line}")
endforeach()
foreach(expression IN LISTS DIFFERS)
  if(NOT "${lines}" MATCHES "${expression}")
    message(SEND_ERROR "no launch of '${expression}' differs")
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
