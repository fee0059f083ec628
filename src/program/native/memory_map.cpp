#include "program/native/memory_map.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "program/native/layout.hpp"
#include "program/native/raw_syscall.hpp"
#include "program/native/runtime.hpp"

namespace heddle::native {
namespace {

std::string read_whole(const char* path) {
  std::string text;
  const long fd = raw_syscall(SYS_openat, static_cast<std::uint64_t>(AT_FDCWD), word(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  std::array<char, 4096> buffer;
  for (;;) {
    const long got = raw_syscall(SYS_read, static_cast<std::uint64_t>(fd), word(buffer.data()), buffer.size());
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  raw_syscall(SYS_close, static_cast<std::uint64_t>(fd));
  return text;
}

Mapping parse(const char* line) {
  Mapping mapping;
  std::array<char, 5> rights{};
  int name_at = 0;
  std::sscanf(line, "%lx-%lx %4s %lx %*s %*s %n", &mapping.begin, &mapping.end, rights.data(), &mapping.offset,
              &name_at);
  mapping.readable = rights[0] == 'r';
  mapping.writable = rights[1] == 'w';
  mapping.executable = rights[2] == 'x';
  mapping.shared = rights[3] == 's';
  mapping.name = line + name_at;
  return mapping;
}

int add_extent(dl_phdr_info* info, std::size_t, void* result) {
  RuntimeExtent extent;
  bool own = false;
  extent.begin = ~std::uint64_t{0};
  const auto here = reinterpret_cast<std::uint64_t>(&read_memory_map);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t begin = (info->dlpi_addr + segment.p_vaddr) & ~(kPage - 1);
    const std::uint64_t end = (info->dlpi_addr + segment.p_vaddr + segment.p_memsz + kPage - 1) & ~(kPage - 1);
    extent.begin = std::min(extent.begin, begin);
    extent.end = std::max(extent.end, end);
    if (here < begin || here >= end) continue;
    own = true;
    extent.text_begin = begin;
    extent.text_end = end;
  }
  if (own) *static_cast<RuntimeExtent*>(result) = extent;
  return own ? 1 : 0;
}

}  // namespace

std::vector<Mapping> read_memory_map() {
  std::vector<Mapping> map;
  std::string text = read_whole("/proc/self/maps");
  for (char* line = text.data(); line != nullptr && *line != '\0';) {
    char* end = std::strchr(line, '\n');
    if (end != nullptr) *end = '\0';
    map.push_back(parse(line));
    line = end != nullptr ? end + 1 : nullptr;
  }
  return map;
}

RuntimeExtent runtime_extent() {
  RuntimeExtent extent;
  ::dl_iterate_phdr(add_extent, &extent);
  return extent;
}

}  // namespace heddle::native
