# Cross-compiling for Linux on aarch64, with Debian's cross compiler; what is built runs under QEMU. The preset aarch64
# uses it, tests/scripts/aarch64.sh prepares what it needs.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# Debian's libraries for aarch64, unpacked.
set(TILESIM_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot" CACHE PATH "the libraries of aarch64")
get_filename_component(CMAKE_SYSROOT "${TILESIM_SYSROOT}" REALPATH)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TILESIM_SYSROOT)
if(NOT EXISTS "${CMAKE_SYSROOT}/usr/include")
  message(FATAL_ERROR "no libraries for aarch64 in ${CMAKE_SYSROOT}: tests/scripts/aarch64.sh puts them there")
endif()

set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_SYSROOT}/qemu-aarch64;-L;${CMAKE_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
