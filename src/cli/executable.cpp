#include "cli/executable.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string_view>

#include "cli/user_error.hpp"

namespace heddle {
namespace {

struct Examined {
  bool elf = false;
  bool dynamic = false;
  bool instrumented = false;     // refers to the functions of instrumented code
  bool has_tsan_inside = false;  // defines them: ThreadSanitizer's runtime is linked in
};

void examine_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Examined& examined) {
  Elf_Data* data = elf_getdata(section, nullptr);
  const std::size_t count = header.sh_entsize != 0 ? header.sh_size / header.sh_entsize : 0;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr || !std::string_view(name).starts_with("__tsan_")) continue;
    examined.instrumented = true;
    if (symbol.st_shndx != SHN_UNDEF && std::strcmp(name, "__tsan_init") == 0) examined.has_tsan_inside = true;
  }
}

Examined examine(const std::string& path) {
  Examined examined;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw cannot("open", path);
  elf_version(EV_CURRENT);
  if (Elf* elf = elf_begin(file, ELF_C_READ, nullptr)) {
    examined.elf = elf_kind(elf) == ELF_K_ELF;
    Elf_Scn* section = nullptr;
    while (examined.elf && (section = elf_nextscn(elf, section)) != nullptr) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      if (header.sh_type == SHT_DYNAMIC) examined.dynamic = true;
      if (header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) examine_symbols(elf, section, header, examined);
    }
    elf_end(elf);
  }
  ::close(file);
  return examined;
}

}  // namespace

void check_executable(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw cannot("check", path);
  if (S_ISDIR(status.st_mode)) throw UserError(path + " is a folder, not a program");
  const Examined examined = examine(path);
  if (!examined.elf) {
    throw UserError(path + " is neither an executable nor a C or C++ source file (.c, .cc, .cpp, .cxx, .c++)");
  }
  if (::access(path.c_str(), X_OK) != 0) throw UserError(path + " is not executable");
  if (!examined.dynamic) {
    throw UserError(path + " is statically linked, which Heddle cannot control; link it without -static");
  }
  if (examined.has_tsan_inside) {
    throw UserError(path +
                    " has ThreadSanitizer's runtime linked into it (as clang does by default), which leaves no room " +
                    "for Heddle's; build it with `heddle c++`, or with g++ -fsanitize=thread");
  }
  if (!examined.instrumented) {
    throw UserError(path +
                    " was not compiled for Heddle: build it with `heddle c++` (or g++ -fsanitize=thread), or give " +
                    "its sources to `heddle check`");
  }
}

std::string why_not_started(const std::string& path, const WorkerOutcome& outcome, bool on_the_way) {
  if (outcome.end == WorkerEnd::NotStarted) return path + " cannot be started: is it an executable for this machine?";
  if (on_the_way) {
    return path + (outcome.end == WorkerEnd::Exited ? " ended with status " : " died of signal ") +
           std::to_string(outcome.status) + " before it came to the heddle::check named by --at";
  }
  if (outcome.end == WorkerEnd::Exited) {
    return path + " ended with status " + std::to_string(outcome.status) +
           " before main began (a missing library, or a static object's constructor?); run it by itself to see why";
  }
  return path + " died of signal " + std::to_string(outcome.status) +
         " before main began, in the constructor of a static object; run it by itself to see why";
}

}  // namespace heddle
