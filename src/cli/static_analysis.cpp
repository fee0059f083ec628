// The analysis speaks of lines, the running program of addresses: the line table of the executable has both.
#include "cli/static_analysis.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/bitcode.hpp"
#include "cli/toolchain.hpp"
#include "cli/user_error.hpp"
#include "symbolic/llvm/static_accesses.hpp"
#include "worker/static_text.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Lines = std::map<std::pair<std::string, unsigned>, std::uint32_t>;  // location of each

class DebugInformation {
 public:
  explicit DebugInformation(const std::string& executable)
      : file_(::open(executable.c_str(), O_RDONLY | O_CLOEXEC)), dwarf_(::dwarf_begin(file_, DWARF_C_READ)) {
    if (dwarf_ == nullptr) throw UserError(executable + " has no debug information, which --reduction=static needs");
  }
  ~DebugInformation() {
    ::dwarf_end(dwarf_);
    ::close(file_);
  }
  DebugInformation(const DebugInformation&) = delete;
  DebugInformation& operator=(const DebugInformation&) = delete;
  [[nodiscard]] Dwarf* get() const { return dwarf_; }

 private:
  int file_;
  Dwarf* dwarf_;
};

std::string file_of(Dwarf_Line* line, const fs::path& folder) {
  const char* name = ::dwarf_linesrc(line, nullptr, nullptr);
  const fs::path path = name != nullptr ? name : "";
  return (path.is_absolute() ? path : folder / path).lexically_normal();
}

void add_unit(Dwarf_Die& unit, const Lines& lines, std::vector<StaticCode>& code) {
  Dwarf_Attribute attribute;
  const char* folder = ::dwarf_formstring(::dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
  Dwarf_Lines* rows = nullptr;
  std::size_t count = 0;
  if (::dwarf_getsrclines(&unit, &rows, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* row = ::dwarf_onesrcline(rows, i);
    Dwarf_Addr address = 0;
    int number = 0;
    bool end = false;
    ::dwarf_lineaddr(row, &address);
    ::dwarf_lineno(row, &number);
    ::dwarf_lineendsequence(row, &end);
    std::uint32_t location = kUnknownLocation;
    if (!end && number > 0) {
      const auto found = lines.find({file_of(row, folder != nullptr ? folder : ""), static_cast<unsigned>(number)});
      if (found != lines.end()) location = found->second;
    }
    // Of several rows for one address the last one counts.
    if (!code.empty() && code.back().begin == address) code.pop_back();
    code.push_back({address, location});
  }
}

// Which code belongs to which line. Where two units claim an address, nothing is known of it.
std::vector<StaticCode> code_of(const std::string& executable, const Lines& lines) {
  const DebugInformation debug(executable);
  std::vector<StaticCode> code;
  Dwarf_Off offset = 0;
  Dwarf_Off next = 0;
  std::size_t header = 0;
  while (::dwarf_nextcu(debug.get(), offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
    Dwarf_Die unit;
    if (::dwarf_offdie(debug.get(), offset + header, &unit) != nullptr) add_unit(unit, lines, code);
    offset = next;
  }
  // The end of one unit's code may be the beginning of another's: what is known comes last.
  std::stable_sort(code.begin(), code.end(), [](const StaticCode& a, const StaticCode& b) {
    return a.begin != b.begin ? a.begin < b.begin : (a.location == kUnknownLocation) > (b.location == kUnknownLocation);
  });
  return code;
}

}  // namespace

std::string options_for_analysis(const std::string& options) { return options + (options.empty() ? "-O0" : " -O0"); }

std::string analyse_statically(const std::vector<std::string>& sources, const std::string& executable,
                               const std::string& options) {
  for (const std::string& source : sources) {
    if (language_of(source) == Language::Cxx) {
      throw UserError("--reduction=static analyses C only, and " + source +
                      " is C++; --reduction=optimal (the default) needs no analysis");
    }
  }
  const Workspace workspace;
  std::string error;
  const std::optional<symbolic::StaticAnalysis> found =
      symbolic::analyse_accesses(compile_to_bitcode(sources, options, "--reduction=static", workspace), error);
  if (!found && error.empty()) {
    throw UserError("this heddle was built without LLVM, which --reduction=static needs (Debian: llvm-19-dev)");
  }
  if (!found) throw UserError(sources.front() + ": " + error);
  StaticTable table{.accesses = found->accesses, .locations = {{{0}, {0}}}, .code = {}};
  Lines lines;
  for (const symbolic::LineAccesses& line : found->lines) {
    lines[{line.file, line.line}] = static_cast<std::uint32_t>(table.locations.size());
    table.locations.push_back(line.location);
  }
  table.code = code_of(executable, lines);
  return to_text(table);
}

}  // namespace heddle
