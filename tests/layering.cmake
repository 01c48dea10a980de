# Who may include whom: reads every #include and fails on a forbidden direction.
#
#   api          the standard library, api
#   memmodel     api's leaf headers
#   sim          memmodel, api
#   gpu_backend  api, CUDA
#   tools        sim/contract, memmodel, api
#
# Below sim and tools the rooms have an order, too: a room may include those that its row names, all of which have
# rows before it, so that there is no circle between rooms. A new direction is a word in a row, and to be argued for.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.25)

set(leaf_headers "element|report|findings")
set(failures 0)

function(check folder forbidden why)
  file(GLOB_RECURSE files ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.h
       ${ROOT}/${folder}/*.def ${ROOT}/${folder}/*.cu ${ROOT}/${folder}/cuda/*)
  foreach(file IN LISTS files)
    file(STRINGS ${file} includes REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS includes)
      if(line MATCHES "${forbidden}")
        file(RELATIVE_PATH shown ${ROOT} ${file})
        message(SEND_ERROR "${shown}: ${line}\n  ${why}")
      endif()
    endforeach()
  endforeach()
endfunction()

check(api "[<\"](sim|memmodel|gpu_backend|tools|tests)/" "api includes the standard library and itself")
check(api "<(boost|fmt|nlohmann|elfutils|catch2|CLI)/" "no third-party header reaches users")
check(memmodel "[<\"](sim|gpu_backend|tools|tests)/" "memmodel knows no fiber, scheduler or kernel")
check(memmodel "<(cuda|crt)" "memmodel includes api's leaf headers only")
check(sim "[<\"](gpu_backend|tools|tests)/" "sim includes memmodel and api")
check(gpu_backend "[<\"](sim|memmodel|tools|tests)/" "a second opinion must not share the first one's bugs")
check(tools "[<\"]tests/" "nobody includes tests")

# Boost.Context stands in one file, so that the sanitizers' annotations stand beside all of it.
file(GLOB_RECURSE files ${ROOT}/sim/*.?pp ${ROOT}/api/*.?pp ${ROOT}/tools/*.?pp)
foreach(file IN LISTS files)
  file(STRINGS ${file} uses REGEX "include <boost/context")
  if(uses AND NOT file MATCHES "/sim/core/fiber.cpp$")
    message(SEND_ERROR "${file}: only sim/core/fiber.cpp may use Boost.Context")
  endif()
endforeach()

# Catch2 3 and 2.13 have different headers: one file knows which.
file(GLOB_RECURSE files ${ROOT}/tests/*.?pp ${ROOT}/tests/*.cu)
foreach(file IN LISTS files)
  file(STRINGS ${file} uses REGEX "include [<\"]catch2/")
  if(uses AND NOT file MATCHES "/tests/support/catch.hpp$")
    message(SEND_ERROR "${file}: include <support/catch.hpp>, which is Catch2 3's header or 2.13's")
  endif()
endforeach()

# room(NAME MAY_INCLUDE…)
set(rooms)
function(room name)
  foreach(other IN LISTS ARGN)
    if(NOT other IN_LIST rooms)
      message(SEND_ERROR "layering.cmake: ${name} may include ${other}, which has no row before it")
    endif()
  endforeach()
  if(NOT IS_DIRECTORY ${ROOT}/${name})
    message(SEND_ERROR "layering.cmake: there is no room ${name}")
  endif()
  set(rooms ${rooms} ${name} PARENT_SCOPE)
  file(GLOB_RECURSE files ${ROOT}/${name}/*.hpp ${ROOT}/${name}/*.cpp ${ROOT}/${name}/*.def)
  foreach(file IN LISTS files)
    file(STRINGS ${file} includes REGEX "^[ \t]*#[ \t]*include \"(sim|tools)/")
    foreach(line IN LISTS includes)
      if(NOT line MATCHES "\"((sim|tools)/[^/\"]+)/")
        file(RELATIVE_PATH shown ${ROOT} ${file})
        message(SEND_ERROR "${shown}: ${line}\n  a header lies in a room")
      elseif(NOT CMAKE_MATCH_1 STREQUAL name AND NOT CMAKE_MATCH_1 IN_LIST ARGN)
        file(RELATIVE_PATH shown ${ROOT} ${file})
        message(SEND_ERROR "${shown}: ${line}\n  ${name} may include: ${ARGN}")
      endif()
    endforeach()
  endforeach()
endfunction()

room(sim/process)
room(sim/fp)
room(sim/ops sim/fp)
room(sim/contract sim/process sim/ops)
room(sim/memory sim/ops)
room(sim/detect)
room(sim/expressions sim/fp sim/ops)
room(sim/debug_info sim/process sim/contract sim/expressions)
room(sim/findings sim/contract sim/debug_info)
room(sim/core sim/process sim/ops sim/contract sim/memory sim/detect sim/findings)
room(sim/naming sim/process sim/memory sim/debug_info sim/findings sim/core)
room(sim/execution sim/process sim/ops sim/contract sim/memory sim/debug_info sim/core sim/naming)
room(sim/watch sim/process sim/ops sim/contract sim/memory sim/expressions sim/debug_info sim/findings sim/core
     sim/naming sim/execution)
room(sim/access sim/process sim/contract sim/memory sim/debug_info sim/core sim/naming sim/execution)
room(sim/engines sim/memory sim/detect sim/debug_info sim/core sim/naming sim/execution sim/access)
room(sim/machine sim/process sim/fp sim/ops sim/contract sim/memory sim/core sim/naming sim/execution)
room(sim/runtime sim/process sim/memory sim/detect sim/debug_info sim/core sim/naming sim/execution sim/access)
room(sim/trace sim/ops sim/contract sim/memory sim/expressions sim/debug_info sim/core sim/execution sim/watch)
room(sim/step sim/process sim/contract sim/expressions sim/debug_info sim/core sim/naming sim/execution sim/watch)

room(tools/cli sim/contract)
room(tools/rewrite)
room(tools/build sim/contract tools/cli tools/rewrite)
room(tools/check sim/contract tools/cli tools/build)
room(tools/litmus sim/contract tools/cli)
room(tools/trace sim/contract tools/cli tools/build tools/check)
room(tools/step sim/contract tools/cli tools/build tools/check)
room(tools/dap sim/contract tools/cli tools/step)

# Every folder is a room; what lies beside the rooms puts the parts together and is included by nobody.
foreach(top sim tools)
  file(GLOB entries ${ROOT}/${top}/*)
  foreach(entry IN LISTS entries)
    file(RELATIVE_PATH shown ${ROOT} ${entry})
    if(IS_DIRECTORY ${entry})
      if(NOT shown IN_LIST rooms)
        message(SEND_ERROR "${shown}: a room without a row in layering.cmake")
      elseif(NOT EXISTS ${entry}/README.md)
        message(SEND_ERROR "${shown}: a room without a README")
      endif()
    elseif(entry MATCHES "[.]hpp$")
      message(SEND_ERROR "${shown}: a header lies in a room")
    endif()
  endforeach()
endforeach()
