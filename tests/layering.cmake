# Who may include whom: reads every #include and fails on a forbidden direction.
#
#   api          the standard library, api
#   memmodel     api's leaf headers
#   sim          memmodel, api
#   gpu_backend  api, CUDA
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
