# `make install`: headers, shared library, command, pkg-config and CMake package files.
include(CMakePackageConfigHelpers)

install(TARGETS daedal EXPORT daedal_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS daedal_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/daedal DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT daedal_targets NAMESPACE daedal:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/daedal)

configure_package_config_file(cmake/daedal-config.cmake.in daedal-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/daedal)
write_basic_package_version_file(daedal-config-version.cmake COMPATIBILITY SameMinorVersion)

# The file is found beside the library, so that a moved installation stays whole.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" up "${up}")
set(DAEDAL_PC_PREFIX "\${pcfiledir}/${up}")
configure_file(cmake/daedal.pc.in daedal.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/daedal-config.cmake
              ${PROJECT_BINARY_DIR}/daedal-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/daedal)
install(FILES ${PROJECT_BINARY_DIR}/daedal.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
