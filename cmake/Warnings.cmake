# Warnings are errors, in every target of the project.
add_library(heddle_warnings INTERFACE)
target_compile_options(heddle_warnings INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Wcast-qual -Wconversion -Wsign-conversion -Wold-style-cast
  -Wduplicated-cond -Wlogical-op -Woverloaded-virtual -Wformat=2
  -Wno-restrict) # false alarms inside g++ 12's <string>
