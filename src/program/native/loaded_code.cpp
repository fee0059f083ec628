// Imports are read off the relocations in memory: with immediate binding each has been resolved, so that the address
// says whose function it is.
#include "program/native/loaded_code.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "program/native/memory_map.hpp"
#include "program/native/system_library.hpp"

namespace heddle::native {
namespace {

struct Import {
  std::string_view name;
  std::uint64_t address;  // what it was resolved to; 0 for data
};

struct Module {
  std::string file;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool instrumented = false;
  std::vector<Import> imports;
};

struct LoadedCode {
  bool cancels = false;
  std::vector<ForeignLibrary> foreign;
};
LoadedCode loaded;

struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * calls = nullptr;
  std::size_t calls_size = 0;
  const ElfW(Rela) * data = nullptr;
  std::size_t data_size = 0;
};

// The loader has made the pointers in the table absolute, except in objects like the vDSO.
std::uint64_t absolute(std::uint64_t base, std::uint64_t value) { return value < base ? base + value : value; }

Tables tables_of(const dl_phdr_info& info, const ElfW(Dyn) * entry) {
  Tables tables;
  for (; entry->d_tag != DT_NULL; ++entry) {
    const std::uint64_t at = absolute(info.dlpi_addr, entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_SYMTAB: tables.symbols = reinterpret_cast<const ElfW(Sym)*>(at); break;
      case DT_STRTAB: tables.names = reinterpret_cast<const char*>(at); break;
      case DT_JMPREL: tables.calls = reinterpret_cast<const ElfW(Rela)*>(at); break;
      case DT_PLTRELSZ: tables.calls_size = entry->d_un.d_val; break;
      case DT_RELA: tables.data = reinterpret_cast<const ElfW(Rela)*>(at); break;
      case DT_RELASZ: tables.data_size = entry->d_un.d_val; break;
      default: break;
    }
  }
  return tables;
}

void add_imports(Module& module, const dl_phdr_info& info, const Tables& tables, const ElfW(Rela) * relocations,
                 std::size_t size) {
  for (std::size_t i = 0; relocations != nullptr && i < size / sizeof(ElfW(Rela)); ++i) {
    const std::uint64_t type = ELF64_R_TYPE(relocations[i].r_info);
    const std::uint64_t index = ELF64_R_SYM(relocations[i].r_info);
    if (index == 0 || (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)) continue;
    const ElfW(Sym)& symbol = tables.symbols[index];
    if (symbol.st_shndx != SHN_UNDEF) continue;
    const std::string_view name = tables.names + symbol.st_name;
    const bool function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC || type == R_X86_64_JUMP_SLOT;
    const auto* slot = reinterpret_cast<const std::uint64_t*>(info.dlpi_addr + relocations[i].r_offset);
    module.imports.push_back({name, function ? *slot : 0});
    if (name.starts_with("__tsan_")) module.instrumented = true;
  }
}

int add_module(dl_phdr_info* info, std::size_t, void* raw_modules) {
  auto& modules = *static_cast<std::vector<Module>*>(raw_modules);
  Module module;
  module.file = info->dlpi_name;
  const ElfW(Dyn)* dynamic = nullptr;
  module.begin = ~std::uint64_t{0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + segment.p_vaddr);
    if (segment.p_type != PT_LOAD) continue;
    module.begin = std::min(module.begin, info->dlpi_addr + segment.p_vaddr);
    module.end = std::max(module.end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (dynamic != nullptr) {
    const Tables tables = tables_of(*info, dynamic);
    if (tables.symbols != nullptr && tables.names != nullptr) {
      add_imports(module, *info, tables, tables.calls, tables.calls_size);
      add_imports(module, *info, tables, tables.data, tables.data_size);
    }
  }
  modules.push_back(std::move(module));
  return 0;
}

bool of_the_system(const Module& module) {
  static const RuntimeExtent own = runtime_extent();
  if (module.begin <= own.text_begin && own.text_begin < module.end) return true;
  return module.file.find("linux-vdso") != std::string::npos || is_system_library(module.file);
}

}  // namespace

void examine_loaded_code() {
  std::vector<Module> modules;
  ::dl_iterate_phdr(add_module, &modules);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const Module& module = modules[i];
    if (of_the_system(module)) continue;
    for (const Import& import : module.imports) loaded.cancels = loaded.cancels || import.name == "pthread_cancel";
    if (i == 0 || module.instrumented) continue;  // the first is the program itself
    ForeignLibrary library{.file = module.file, .functions = {}};
    for (const Module& caller : modules) {
      if (&caller == &module || of_the_system(caller)) continue;
      for (const Import& import : caller.imports) {
        if (import.address < module.begin || import.address >= module.end) continue;
        library.functions.emplace_back(import.name);
      }
    }
    std::sort(library.functions.begin(), library.functions.end());
    library.functions.erase(std::unique(library.functions.begin(), library.functions.end()), library.functions.end());
    if (!library.functions.empty()) loaded.foreign.push_back(std::move(library));
  }
}

bool program_cancels() noexcept { return loaded.cancels; }

const std::vector<ForeignLibrary>& foreign_libraries() noexcept { return loaded.foreign; }

}  // namespace heddle::native
