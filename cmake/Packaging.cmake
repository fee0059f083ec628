# What an installation has besides the command and the runtime: headers, the CMake package, pkg-config, manual pages; and
# the Debian package that CPack makes of it. Everything finds the rest relative to itself, so the prefix can be moved.
include(CMakePackageConfigHelpers)

# "lib/cmake/heddle" -> "../../.."
function(heddle_way_up folder result)
  string(REGEX REPLACE "[^/]+" ".." up ${folder})
  set(${result} ${up} PARENT_SCOPE)
endfunction()
heddle_way_up(${HEDDLE_CMAKEDIR} HEDDLE_UP_FROM_CMAKE)
heddle_way_up(${CMAKE_INSTALL_LIBDIR}/pkgconfig HEDDLE_UP_FROM_PKGCONFIG)

# Also in the build tree, which is laid out like an installation.
set(package ${CMAKE_BINARY_DIR}/${HEDDLE_CMAKEDIR})
configure_file(cmake/package/heddle-config.cmake ${package}/heddle-config.cmake COPYONLY)
configure_file(cmake/package/heddle-ctest.cmake ${package}/heddle-ctest.cmake COPYONLY)
configure_file(cmake/package/heddle-paths.cmake.in ${package}/heddle-paths.cmake @ONLY)
write_basic_package_version_file(${package}/heddle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(DIRECTORY ${package}/ DESTINATION ${HEDDLE_CMAKEDIR})
configure_file(cmake/package/heddle.pc.in ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/heddle.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Manual pages: a template each, filled in with what the command itself prints.
set(pages "")
foreach(name heddle heddle-check heddle-replay heddle-report heddle-flags heddle-c++)
  set(page ${CMAKE_BINARY_DIR}/man/${name}.1)
  set(command "")
  if(name MATCHES "^heddle-(check|replay|report|flags)$")
    set(command ${CMAKE_MATCH_1})
  endif()
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -DHEDDLE=$<TARGET_FILE:heddle> -DTEMPLATE=${PROJECT_SOURCE_DIR}/docs/man/${name}.1.in -DOUTPUT=${page}
      -DCOMMAND=${command} -DVERSION=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/cmake/ManPage.cmake
    DEPENDS heddle docs/man/${name}.1.in cmake/ManPage.cmake VERBATIM)
  list(APPEND pages ${page})
endforeach()
add_custom_target(heddle_manual ALL DEPENDS ${pages})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model checker for multithreaded C and C++ programs")
set(CPACK_PACKAGE_DESCRIPTION
  "Heddle runs an unmodified program under every schedule that matters, and gives a located, replayable counterexample or says what was covered.")
set(CPACK_PACKAGE_CONTACT "The Heddle developers <heddle@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ | clang")
set(CPACK_STRIP_FILES ON)
include(CPack)
