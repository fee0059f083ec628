# Names of system calls from the kernel's header, as initialisers for src/program/native/syscall_names.cpp.
find_file(HEDDLE_UNISTD NAMES asm/unistd_64.h PATHS /usr/include/x86_64-linux-gnu /usr/include REQUIRED)
file(STRINGS ${HEDDLE_UNISTD} syscall_lines REGEX "^#define __NR_[a-z0-9_]+ [0-9]+")
set(syscall_names "")
foreach(line IN LISTS syscall_lines)
  string(REGEX REPLACE "^#define __NR_([a-z0-9_]+) ([0-9]+).*" "    Named{\\2, \"\\1\"},\n" entry "${line}")
  string(APPEND syscall_names "${entry}")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/heddle_syscall_names.inc CONTENT "${syscall_names}" @ONLY)
