# Runs COMMAND and holds what it prints against RECORDED, a device's output.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${COMMAND} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code}, expected 0\n${output}${errors}")
endif()
file(READ ${RECORDED} recorded)
if(NOT output STREQUAL recorded)
  message(FATAL_ERROR "it printed\n${output}${errors}and a device printed\n${recorded}")
endif()
