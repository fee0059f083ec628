// What is mapped where in this process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::native {

struct Mapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t offset = 0;
  bool readable = false;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  std::string name;
};

[[nodiscard]] std::vector<Mapping> read_memory_map();

// Where this library itself is loaded: all of it, and its executable part.
struct RuntimeExtent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t text_begin = 0;
  std::uint64_t text_end = 0;
};
[[nodiscard]] RuntimeExtent runtime_extent();

}  // namespace heddle::native
