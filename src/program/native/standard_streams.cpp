#include "program/native/standard_streams.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>

#include "program/native/real.hpp"

namespace heddle::native {
namespace {

struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Extent extent_of(const char* name) {
  const OutsideProgram outside;
  const void* address = find_first(name);
  Dl_info info;
  ElfW(Sym)* symbol = nullptr;
  if (address == nullptr || ::dladdr1(address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) == 0)
    return {};
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  return {begin, symbol != nullptr ? begin + symbol->st_size : begin};
}

}  // namespace

bool is_standard_stream(const void* stream) {
  static const std::array<const void*, 4> streams{find_first("_ZSt3cin"), find_first("_ZSt4cout"),
                                                  find_first("_ZSt4cerr"), find_first("_ZSt4clog")};
  return std::find(streams.begin(), streams.end(), stream) != streams.end();
}

bool in_standard_stream(std::uint64_t address) {
  static const std::array<Extent, 4> streams{extent_of("_ZNSt3__13cinE"), extent_of("_ZNSt3__14coutE"),
                                             extent_of("_ZNSt3__14cerrE"), extent_of("_ZNSt3__14clogE")};
  return std::any_of(streams.begin(), streams.end(),
                     [&](const Extent& stream) { return address >= stream.begin && address < stream.end; });
}

}  // namespace heddle::native
