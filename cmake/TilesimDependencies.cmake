# Libraries that the system brings. Debian 12: libboost-context-dev libfmt-dev libdw-dev libffi-dev
# libcli11-dev nlohmann-json3-dev libxxhash-dev libzstd-dev; for tests catch2 libmpfr-dev libbenchmark-dev.
# SPDX-License-Identifier: Apache-2.0
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(fmt 8 REQUIRED)
find_package(nlohmann_json 3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(libffi REQUIRED IMPORTED_TARGET libffi)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

if(TILESIM_BUILD_TESTS)
  find_package(Catch2 3 QUIET)
  if(NOT Catch2_FOUND)
    find_package(Catch2 2.13 REQUIRED)
  endif()
  include(Catch)
endif()
if(TILESIM_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
