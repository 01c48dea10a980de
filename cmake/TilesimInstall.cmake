# Installation, and the package that find_package(tilesim) finds.
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(
  TARGETS tilesim tilesim_api
  EXPORT tilesim_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilesim-cuda
  FILE_SET tables DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilesim-cuda)
if(TILESIM_BUILD_TOOLS)
  set_target_properties(tilesim_cli PROPERTIES EXPORT_NAME cli)
  set_target_properties(tilesim_check PROPERTIES EXPORT_NAME check INSTALL_RPATH "\$ORIGIN")
  install(
    TARGETS tilesim_cli tilesim_check
    EXPORT tilesim_targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(
  EXPORT tilesim_targets
  NAMESPACE tilesim::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tilesim)
configure_package_config_file(
  cmake/tilesimConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tilesimConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tilesim)
write_basic_package_version_file(tilesimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/tilesimConfig.cmake
        ${CMAKE_CURRENT_BINARY_DIR}/tilesimConfigVersion.cmake
        ${CMAKE_CURRENT_SOURCE_DIR}/cmake/TilesimAddExecutable.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tilesim)
# What `tilesim run PROGRAM.py` starts Python with.
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/api/python/tilesim
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilesim-cuda/python
  FILES_MATCHING PATTERN "*.py")
install(FILES ${PROJECT_SOURCE_DIR}/api/python/sitecustomize.py DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tilesim-cuda/python)
# What `tilesim gpu build` compiles into programs for a GPU.
if(TILESIM_BUILD_TOOLS)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/gpu_backend/container ${PROJECT_SOURCE_DIR}/gpu_backend/recorder
    DESTINATION ${CMAKE_INSTALL_DATADIR}/tilesim/recorder/gpu_backend)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The extension of VS Code, for those who install the package; it takes Python to make.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  set(vsix ${CMAKE_CURRENT_BINARY_DIR}/tilesim.vsix)
  add_custom_command(
    OUTPUT ${vsix}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/editors/vscode/make_vsix.py -q -o ${vsix}
    DEPENDS ${PROJECT_SOURCE_DIR}/editors/vscode/make_vsix.py ${PROJECT_SOURCE_DIR}/editors/vscode/package.json
            ${PROJECT_SOURCE_DIR}/docs/editor.md
    VERBATIM)
  add_custom_target(tilesim_vsix ALL DEPENDS ${vsix})
  install(FILES ${vsix} DESTINATION ${CMAKE_INSTALL_DATADIR}/tilesim)
endif()
