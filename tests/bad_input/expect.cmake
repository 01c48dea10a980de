# Runs COMMAND and holds its exit code against CODE and its output, both streams, against REGEX.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code STREQUAL CODE)
  message(FATAL_ERROR "exit code ${code}, expected ${CODE}; it printed:\n${output}")
endif()
if(NOT output MATCHES "${REGEX}")
  message(FATAL_ERROR "nothing in the output matches '${REGEX}'; it printed:\n${output}")
endif()
