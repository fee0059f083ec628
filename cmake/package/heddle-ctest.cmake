# Puts an existing CTest suite under Heddle: with `CC="heddle cc" CXX="heddle c++" cmake $(heddle flags --cmake)`, every
# test whose command is one of the project's programs is explored by `heddle check`. HEDDLE_OPTIONS holds for all of them.
include("${CMAKE_CURRENT_LIST_DIR}/heddle-paths.cmake")
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.29)
  set(CMAKE_TEST_LAUNCHER "${HEDDLE_COMMAND};launch")
else()
  # Before there were launchers for tests, this was how to put a command in front of them.
  set(CMAKE_CROSSCOMPILING_EMULATOR "${HEDDLE_COMMAND};launch")
endif()
