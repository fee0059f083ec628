// Compilers turn every atomic operation of instrumented code into a call. So an instruction that locks the bus, or
// exchanges with memory, was written as assembly, or belongs to code that was compiled without instrumentation. The
// executable is disassembled only if its bytes could contain one.
#include "cli/unseen_code.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

#include "cli/tool_output.hpp"

namespace heddle {
namespace {

using nlohmann::json;

// What an ELF file consists of, as far as it matters here; empty if it is none.
struct Contents {
  std::string machine_code;  // executable sections, one behind the other
  std::string strings;       // sections of strings that are not loaded: who compiled it, among others
};

Contents contents_of(const std::string& file) {
  const std::string bytes = read_file(file);
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  Contents contents;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const std::size_t at = header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    if (at + sizeof section > bytes.size()) return {};
    std::memcpy(&section, bytes.data() + at, sizeof section);
    if (section.sh_type != SHT_PROGBITS || section.sh_offset + section.sh_size > bytes.size()) continue;
    const std::string text = bytes.substr(section.sh_offset, section.sh_size);
    if ((section.sh_flags & SHF_EXECINSTR) != 0) contents.machine_code += text;
    if ((section.sh_flags & (SHF_ALLOC | SHF_STRINGS)) == SHF_STRINGS) contents.strings += text;
  }
  return contents;
}

// A lock prefix, or an exchange whose operand is memory, somewhere among the bytes: possibly inside another
// instruction.
bool may_be_atomic(const std::string& code) {
  for (std::size_t i = 0; i + 1 < code.size(); ++i) {
    const auto byte = static_cast<unsigned char>(code[i]);
    const auto next = static_cast<unsigned char>(code[i + 1]);
    if (byte == 0xF0) return true;
    if ((byte == 0x86 || byte == 0x87) && next < 0xC0) return true;
  }
  return false;
}

// Functions with such an instruction, as the disassembler names them.
std::set<std::string> atomic_functions(const std::string& executable, const Contents& contents) {
  std::set<std::string> functions;
  if (!may_be_atomic(contents.machine_code)) return functions;
  std::istringstream listing(output_of({"objdump", "-d", "-C", "--no-show-raw-insn", executable}));
  std::string function;
  for (std::string line; std::getline(listing, line);) {
    if (line.ends_with(">:")) {
      const std::size_t at = line.find('<');
      function = line.substr(at + 1, line.size() - at - 3);
      continue;
    }
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string instruction = line.substr(tab + 1);
    const bool exchange = instruction.starts_with("xchg") && instruction.find('(') != std::string::npos;
    if (instruction.starts_with("lock ") || exchange) functions.insert(function);
  }
  return functions;
}

// The name of a function without its parameters and template arguments, which are what makes names long.
std::string brief(const std::string& name) {
  constexpr std::string_view kKept[] = {"(anonymous namespace)", "operator()", "operator<<", "operator>>", "operator->",
                                        "operator<=>",           "operator<=", "operator>=", "operator<",  "operator>"};
  std::string text;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto kept = std::find_if(std::begin(kKept), std::end(kKept),
                                   [&](std::string_view part) { return name.compare(i, part.size(), part) == 0; });
    if (kept != std::end(kKept)) {
      if (depth == 0) text += *kept;
      i += kept->size() - 1;
    } else if (name[i] == '<' || name[i] == '(') {
      ++depth;
    } else if (name[i] == '>' || name[i] == ')') {
      depth -= depth > 0 ? 1 : 0;
    } else if (depth == 0) {
      text += name[i];
    }
  }
  return text;
}

std::string listed(const std::vector<std::string>& full_names) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> names;
  for (const std::string& name : full_names) {
    if (std::string text = brief(name); std::find(names.begin(), names.end(), text) == names.end()) {
      names.push_back(std::move(text));
    }
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

bool stack_is_covered(const ReportedFinding& warning, const Suppressions& suppressions) {
  return std::any_of(warning.stack.begin(), warning.stack.end(), [&](const Frame& frame) {
    return suppressions.covers("leak", frame.function) || suppressions.covers("leak", frame.file);
  });
}

}  // namespace

void describe_unseen_code(Result& result, const std::vector<json>& messages, const std::string& executable,
                          const Suppressions& suppressions) {
  std::vector<std::string>& notes = result.coverage.not_modelled;
  std::vector<std::string> harmless;
  for (const json& message : messages) {
    if (message["type"] != "foreign") continue;
    const std::string library = std::filesystem::path(message["file"].get<std::string>()).filename();
    if (suppressions.covers("uninstrumented", library)) {
      harmless.push_back(library);
      continue;
    }
    std::vector<std::string> called;
    for (const std::string function : message["functions"]) {
      (suppressions.covers("uninstrumented", function) ? harmless : called).push_back(function);
    }
    if (called.empty()) continue;
    notes.push_back(
        fmt::format("{} was not compiled for Heddle: what it does to shared memory is not seen (the program calls {})",
                    library, listed(called)));
  }
  const Contents contents = contents_of(executable);
  if (contents.strings.find("clang version ") != std::string::npos) {
    notes.push_back(
        "compiled by clang, which leaves out accesses of a function to members of its own local variables even where "
        "other threads have a pointer to them: races there may be missed (g++ has no such gap)");
  }
  std::vector<std::string> assembly;
  for (const std::string& function : atomic_functions(executable, contents)) {
    (suppressions.covers("assembly", function) ? harmless : assembly).push_back(function);
  }
  if (!assembly.empty()) {
    notes.push_back(
        "atomic instructions that were not instrumented (inline assembly, or code compiled otherwise) are neither "
        "scheduling points nor seen by the race check: in " +
        listed(assembly));
  }
  if (!harmless.empty()) notes.push_back("declared harmless by the suppressions: " + listed(harmless));
  std::erase_if(result.warnings, [&](const ReportedFinding& warning) {
    return warning.kind == "leak" && stack_is_covered(warning, suppressions);
  });
}

}  // namespace heddle
