#include "program/native/foreign_code.hpp"

#include <link.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "program/native/memory_map.hpp"
#include "program/native/runtime.hpp"
#include "program/native/system_library.hpp"

namespace heddle::native {
namespace {

struct Library {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;
};
std::vector<Library> foreign;
std::string refused_for;

// Instrumented code imports functions of this kind.
bool is_instrumented(const dl_phdr_info& info, const ElfW(Dyn) * entry) {
  std::uint64_t names = 0;
  std::uint64_t size = 0;
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
    if (entry->d_tag == DT_STRSZ) size = entry->d_un.d_val;
  }
  if (names < info.dlpi_addr) names += info.dlpi_addr;
  return std::string_view(reinterpret_cast<const char*>(names), size).find("__tsan_") != std::string_view::npos;
}

int add_library(dl_phdr_info* info, std::size_t, void* own) {
  const std::string_view path = info->dlpi_name;
  if (path.empty() || path.front() != '/') return 0;  // the program itself, which is instrumented; the kernel's page
  Library library{.name = std::string(path.substr(path.rfind('/') + 1))};
  bool instrumented = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const std::uint64_t begin = info->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
      library.begin = begin;
      library.end = begin + segment.p_memsz;
    }
    if (segment.p_type == PT_DYNAMIC) instrumented = is_instrumented(*info, reinterpret_cast<const ElfW(Dyn)*>(begin));
  }
  const bool runtime = library.begin <= static_cast<const RuntimeExtent*>(own)->text_begin &&
                       static_cast<const RuntimeExtent*>(own)->text_begin < library.end;
  // The compilers' library of atomic operations is called through functions that the runtime takes the place of.
  const bool system = called_from_system_library(library.begin) || library.name.starts_with("libatomic.so") ||
                      library.name.starts_with("libc++");
  if (!instrumented && !runtime && !system) foreign.push_back(std::move(library));
  return 0;
}

const Library* library_at(std::uint64_t site) noexcept {
  const auto found = std::find_if(foreign.begin(), foreign.end(),
                                  [&](const Library& library) { return site >= library.begin && site < library.end; });
  return found != foreign.end() ? &*found : nullptr;
}

}  // namespace

void find_foreign_libraries() {
  RuntimeExtent own = runtime_extent();
  ::dl_iterate_phdr(add_library, &own);
}

bool called_from_foreign_library(std::uint64_t site) noexcept { return library_at(site) != nullptr; }

void refuse_reduction(std::uint64_t site) {
  OutsideProgram outside;
  refused_for = library_at(site)->name;
  refuse(Refusal::Limit,
         refused_for + " was compiled without instrumentation and synchronises threads: --reduction=none explores it");
}

const std::string& refused_reduction_for() noexcept { return refused_for; }

}  // namespace heddle::native
