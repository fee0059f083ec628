#include "program/native/system_library.hpp"

#include <link.h>

#include <vector>

#include "program/native/memory_map.hpp"

namespace heddle::native {
namespace {

struct CodeRange {
  std::uint64_t begin;
  std::uint64_t end;
};
std::vector<CodeRange> system_code;

}  // namespace

bool is_system_library(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  for (const std::string_view prefix :
       {"libstdc++.so", "libc++.so", "libc++abi.so", "libunwind.so", "libgcc_s.so", "libatomic.so", "libc.so",
        "libm.so", "ld-linux", "libheddle_streams.so"}) {  // stands before libstdc++

    if (name.starts_with(prefix)) return true;
  }
  return false;
}

void find_system_libraries() {
  for (const Mapping& mapping : read_memory_map()) {
    if (mapping.executable && is_system_library(mapping.name)) system_code.push_back({mapping.begin, mapping.end});
  }
}

bool called_from_system_library(std::uint64_t site) noexcept {
  for (const CodeRange& range : system_code) {
    if (site >= range.begin && site < range.end) return true;
  }
  return false;
}

}  // namespace heddle::native
