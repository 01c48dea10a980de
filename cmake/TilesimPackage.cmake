# Packages that a machine installs without building: `cpack --preset release` makes a tarball that runs
# from wherever it is unpacked, and a .deb.
# SPDX-License-Identifier: Apache-2.0
set(CPACK_PACKAGE_NAME tilesim)
set(CPACK_PACKAGE_VENDOR tilesim)
set(CPACK_PACKAGE_CONTACT "the tilesim maintainers <maintainers@tilesim.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
string(TOLOWER ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR} platform)
set(CPACK_PACKAGE_FILE_NAME tilesim-${PROJECT_VERSION}-${platform})

# The libraries come from dpkg-shlibdeps (package dpkg-dev); a compiler and objcopy are programs.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ (>= 4:12) | g++-12 | clang, binutils")
# The last two: what `tilesim gpu build` compiles into programs.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang, libzstd-dev, libxxhash-dev")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
find_program(TILESIM_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(TILESIM_DPKG_SHLIBDEPS)
set(CPACK_GENERATOR TGZ)
if(TILESIM_DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  # tilesim_check finds libtilesim beside it, before either is installed.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS $<TARGET_FILE_DIR:tilesim>)
endif()
include(CPack)
