#include "report/symbolizer.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "report/member_names.hpp"

namespace heddle {
namespace {

std::string demangled(const char* name) {
  if (name != nullptr && std::string_view(name).substr(0, 2) != "_Z") return name;  // "x" would read as a type
  if (name == nullptr) return "";
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  // Which of libstdc++'s two strings it has to do with is of no interest.
  constexpr std::string_view kTag = "[abi:cxx11]";
  for (std::size_t at = result.find(kTag); at != std::string::npos; at = result.find(kTag)) {
    result.erase(at, kTag.size());
  }
  return result;
}

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned name :
       {static_cast<unsigned>(DW_AT_linkage_name), static_cast<unsigned>(DW_AT_MIPS_linkage_name)}) {
    if (const char* text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute))) return demangled(text);
  }
  const char* plain = dwarf_diename(die);
  return plain != nullptr ? plain : "";
}

// The compilation unit that covers an address. The index of addresses is optional, and clang leaves it out.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, bias)) return unit;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, bias)) != nullptr) {
    if (dwarf_haspc(unit, address - *bias) > 0) return unit;
  }
  return nullptr;
}

bool is_function(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

constexpr Dwarf_Addr kSearchedBack = 64;

struct Freed {
  void operator()(Dwarf_Die* scopes) const { std::free(scopes); }
};
using Scopes = std::unique_ptr<Dwarf_Die, Freed>;

// The innermost function among the descendants of an entry that covers an address.
std::optional<Dwarf_Die> covering_function(Dwarf_Die* parent, Dwarf_Addr pc) {
  Dwarf_Die child;
  for (int more = dwarf_child(parent, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    if (auto inner = covering_function(&child, pc)) return inner;
    if (is_function(&child) && dwarf_haspc(&child, pc) > 0) return child;
  }
  return std::nullopt;
}

// The same for a unit. dwarf_getscopes is quick, but finds nothing below an entry that has no code of its own: the body
// of a lambda in a constructor, say, stands below the class of the lambda in the constructor's abstract instance.
std::optional<Dwarf_Die> function_at(Dwarf_Die* unit, Dwarf_Addr pc) {
  Dwarf_Die* raw = nullptr;
  const int count = dwarf_getscopes(unit, pc, &raw);
  const Scopes scopes(raw);
  for (int i = 0; i < count; ++i) {
    if (is_function(raw + i)) return raw[i];
  }
  return covering_function(unit, pc);
}

// Innermost function first; each with the place in it, which for all but the innermost is where the next was called.
std::vector<Frame> inline_chain(Dwarf_Die* unit, Dwarf_Addr pc, std::string file, int line) {
  std::vector<Frame> chain;
  std::optional<Dwarf_Die> innermost = function_at(unit, pc);
  if (!innermost) return chain;
  Dwarf_Die* raw = nullptr;
  const int count = dwarf_getscopes_die(&*innermost, &raw);
  const Scopes scopes(raw);
  Dwarf_Files* files = nullptr;
  dwarf_getsrcfiles(unit, &files, nullptr);
  for (int i = 0; i < count; ++i) {
    Dwarf_Die* const die = raw + i;
    if (!is_function(die)) continue;
    chain.push_back({.file = file, .line = line, .function = function_name(die), .module = {}});
    if (dwarf_tag(die) == DW_TAG_subprogram) break;
    Dwarf_Attribute attribute;
    Dwarf_Word call_file = 0;
    Dwarf_Word call_line = 0;
    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &call_file);
    dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &call_line);
    const char* name = files != nullptr ? dwarf_filesrc(files, call_file, nullptr, nullptr) : nullptr;
    file = name != nullptr ? name : "";
    line = static_cast<int>(call_line);
  }
  return chain;
}

bool of_the_system(const std::string& file) {
  return file.empty() || file.starts_with("/usr/") || file.starts_with("../sysdeps/") || file.starts_with("./") ||
         file.find("/include/c++/") != std::string::npos ||
         file.find("/heddle-library-headers/") != std::string::npos ||
         file.find("/include/heddle/") != std::string::npos;
}

}  // namespace

struct Symbolizer::Session {
  Dwfl* dwfl = nullptr;
  std::map<std::uint64_t, std::vector<Frame>> known;
  std::map<std::uint64_t, std::optional<std::string>> members;  // of variables, by address
};

Symbolizer::Symbolizer(const std::vector<LoadedModule>& modules) : session_(std::make_unique<Session>()) {
  static char* debug_path = nullptr;
  static const Dwfl_Callbacks callbacks{.find_elf = dwfl_build_id_find_elf,
                                        .find_debuginfo = dwfl_standard_find_debuginfo,
                                        .section_address = dwfl_offline_section_address,
                                        .debuginfo_path = &debug_path};
  session_->dwfl = dwfl_begin(&callbacks);
  std::set<std::string> reported;
  dwfl_report_begin(session_->dwfl);
  for (const LoadedModule& module : modules) {
    if (module.offset != 0 || !reported.insert(module.file).second) continue;
    dwfl_report_elf(session_->dwfl, module.file.c_str(), module.file.c_str(), -1, module.begin, false);
  }
  dwfl_report_end(session_->dwfl, nullptr, nullptr);
}

Symbolizer::~Symbolizer() { dwfl_end(session_->dwfl); }

const std::vector<Frame>& Symbolizer::frames(std::uint64_t return_address) {
  const auto [it, fresh] = session_->known.try_emplace(return_address);
  std::vector<Frame>& result = it->second;
  if (!fresh) return result;
  const Dwarf_Addr address = return_address - 1;  // within the call
  Dwfl_Module* module = dwfl_addrmodule(session_->dwfl, address);
  std::string file;
  std::string module_name;
  if (module != nullptr) {
    module_name = dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    int line = 0;
    Dwarf_Addr bias = 0;
    if (Dwarf_Die* unit = unit_of(module, address, &bias)) {
      // Line 0 means that the compiler attributes the instruction to no line: the one before it will do.
      for (Dwarf_Addr back = 0; line == 0 && back < kSearchedBack; ++back) {
        Dwarf_Line* source = dwarf_getsrc_die(unit, address - bias - back);
        if (source == nullptr) continue;
        const char* name = dwarf_linesrc(source, nullptr, nullptr);
        file = name != nullptr ? name : "";
        dwarf_lineno(source, &line);
      }
      result = inline_chain(unit, address - bias, file, line);
    }
    if (result.empty()) {
      result.push_back(
          {.file = file, .line = line, .function = demangled(dwfl_module_addrname(module, address)), .module = {}});
    }
  } else {
    result.push_back({});
  }
  const bool runtime = module_name.find("libheddle_") != std::string::npos;
  for (Frame& frame : result) {
    frame.module = module_name;
    frame.in_program = !runtime && !of_the_system(frame.file);
  }
  return result;
}

std::string Symbolizer::variable(std::uint64_t address) {
  Dwfl_Module* module = dwfl_addrmodule(session_->dwfl, address);
  if (module == nullptr) return "";
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) return "";
  const auto [known, fresh] = session_->members.try_emplace(address);
  if (fresh) known->second = member_name(module, address - offset, offset);
  if (known->second) return demangled(name) + *known->second;
  return demangled(name) + (offset != 0 ? "+" + std::to_string(offset) : "");
}

}  // namespace heddle
