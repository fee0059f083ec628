#include "differential/toy_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <vector>

#include "differential/toy_edit.hpp"

namespace heddle::differential {
namespace {

using toy::Code;
using toy::Instruction;

// How each instruction is written: its name and one character for each operand.
//   x m l s c b t   object `a`, written with that letter        M   the mutex `b`, written with m
//   v w             `value` and `value2`                         r R   registers `reg` and `reg2`
//   @               the target of a jump
struct Spelling {
  Code code;
  std::string_view name;
  std::string_view operands;
  bool use_register = false;
};

constexpr std::array kSpellings{
    Spelling{Code::Read, "read", "xr"},
    Spelling{Code::Write, "write", "xv"},
    Spelling{Code::Write, "write_register", "xRv", true},
    Spelling{Code::FetchAdd, "fetch_add", "xvr"},
    Spelling{Code::Cas, "cas", "xvwr"},
    Spelling{Code::Await, "await", "xv"},
    Spelling{Code::ReadPair, "read_pair", "xr"},
    Spelling{Code::WritePair, "write_pair", "xv"},
    Spelling{Code::CasPair, "cas_pair", "xvwr"},
    Spelling{Code::System, "system", "xvr"},
    Spelling{Code::Lock, "lock", "m"},
    Spelling{Code::TryLock, "try_lock", "mr"},
    Spelling{Code::TimedLock, "timed_lock", "mr"},
    Spelling{Code::Unlock, "unlock", "m"},
    Spelling{Code::ReadLock, "read_lock", "l"},
    Spelling{Code::WriteLock, "write_lock", "l"},
    Spelling{Code::TryReadLock, "try_read_lock", "lr"},
    Spelling{Code::TryWriteLock, "try_write_lock", "lr"},
    Spelling{Code::ReadUnlock, "read_unlock", "l"},
    Spelling{Code::WriteUnlock, "write_unlock", "l"},
    Spelling{Code::SemWait, "sem_wait", "s"},
    Spelling{Code::SemTryWait, "sem_try_wait", "sr"},
    Spelling{Code::SemPost, "sem_post", "s"},
    Spelling{Code::CondWait, "cond_wait", "cM"},
    Spelling{Code::CondTimedWait, "cond_timed_wait", "cMr"},
    Spelling{Code::Signal, "signal", "c"},
    Spelling{Code::Broadcast, "broadcast", "c"},
    Spelling{Code::Barrier, "barrier", "bvr"},
    Spelling{Code::Create, "create", "t"},
    Spelling{Code::Join, "join", "t"},
    Spelling{Code::TryJoin, "try_join", "tr"},
    Spelling{Code::Choose, "choose", "vr"},
    Spelling{Code::Set, "set", "rv"},
    Spelling{Code::Add, "add", "rv"},
    Spelling{Code::AddRegister, "add_register", "rR"},
    Spelling{Code::JumpIf, "jump_if", "rv@"},
    Spelling{Code::JumpUnless, "jump_unless", "rv@"},
    Spelling{Code::Assert, "assert", "rv"},
    Spelling{Code::Assume, "assume", "rv"},
};
// One each, and one more for the other form of a write.
static_assert(kSpellings.size() == static_cast<std::size_t>(Code::Assume) + 2);

std::string operand_text(const Instruction& i, char operand) {
  switch (operand) {
    case 'v': return std::to_string(i.value);
    case 'w': return std::to_string(i.value2);
    case 'r': return "r" + std::to_string(i.reg);
    case 'R': return "r" + std::to_string(i.reg2);
    case 'M': return "m" + std::to_string(i.b);
    case '@': return "@" + std::to_string(i.target);
    default: return operand + std::to_string(i.a);
  }
}

std::string instruction_text(const Instruction& i) {
  const auto* const spelling = std::find_if(kSpellings.begin(), kSpellings.end(), [&](const Spelling& s) {
    return s.code == i.code && s.use_register == (i.code == Code::Write && i.use_register);
  });
  std::string text(spelling->name);
  for (const char operand : spelling->operands) text += " " + operand_text(i, operand);
  return text;
}

// A line, split at blanks; knows its number for complaints.
class Line {
 public:
  Line(std::string_view text, std::size_t number) : number_(number) {
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) words_.push_back(word);
  }
  [[nodiscard]] bool empty() const { return words_.empty(); }
  [[nodiscard]] const std::string& name() const { return words_.front(); }
  [[nodiscard]] std::size_t operands() const { return words_.size() - 1; }

  [[noreturn]] void complain(const std::string& what) const {
    throw ToyTextError("line " + std::to_string(number_) + ": " + what);
  }
  void require_operands(std::size_t count) const {
    if (operands() != count) complain(name() + " takes " + std::to_string(count) + " operands");
  }
  // Operand `at`, from 0, behind the letter that says what it is.
  template <typename Integer>
  [[nodiscard]] Integer number(std::size_t at, std::string_view letter = "") const {
    const std::string& word = words_.at(at + 1);
    Integer result{};
    if (word.starts_with(letter)) {
      const auto [end, error] = std::from_chars(word.data() + letter.size(), word.data() + word.size(), result);
      if (error == std::errc{} && end == word.data() + word.size()) return result;
    }
    complain(word + " is no operand " + std::string(letter) + "<number>");
  }

 private:
  std::size_t number_;
  std::vector<std::string> words_;
};

Instruction instruction_from(const Line& line) {
  const auto* const spelling =
      std::find_if(kSpellings.begin(), kSpellings.end(), [&](const Spelling& s) { return s.name == line.name(); });
  if (spelling == kSpellings.end()) line.complain("no instruction is called " + line.name());
  line.require_operands(spelling->operands.size());
  Instruction i{.code = spelling->code, .use_register = spelling->use_register};
  for (std::size_t at = 0; at < spelling->operands.size(); ++at) {
    switch (const char operand = spelling->operands[at]; operand) {
      case 'v': i.value = line.number<std::int64_t>(at); break;
      case 'w': i.value2 = line.number<std::int64_t>(at); break;
      case 'r': i.reg = line.number<std::uint32_t>(at, "r"); break;
      case 'R': i.reg2 = line.number<std::uint32_t>(at, "r"); break;
      case 'M': i.b = line.number<std::uint32_t>(at, "m"); break;
      case '@': i.target = line.number<std::uint32_t>(at, "@"); break;
      default: i.a = line.number<std::uint32_t>(at, {&operand, 1});
    }
  }
  return i;
}

// One of the lines before the first thread.
void read_header(const Line& line, ToyText& program) {
  if (line.name() == "semaphores") {
    for (std::size_t i = 0; i < line.operands(); ++i) program.code.semaphores.push_back(line.number<std::int64_t>(i));
    return;
  }
  line.require_operands(1);
  if (line.name() == "traces") {
    program.traces = line.number<std::uint64_t>(0);
  } else if (line.name() == "timeouts") {
    program.options.timeouts = line.number<unsigned>(0);
  } else if (line.name() == "spurious_wakeups") {
    program.options.spurious_wakeups = line.number<unsigned>(0);
  } else {
    line.complain("unknown: " + line.name());
  }
}

}  // namespace

std::string to_text(const ToyText& program) {
  std::string text;
  std::istringstream about(program.about);
  for (std::string line; std::getline(about, line);) text += line.empty() ? "#\n" : "# " + line + "\n";
  if (program.traces) text += "traces " + std::to_string(*program.traces) + "\n";
  const toy::ToyOptions usual;
  if (program.options.timeouts != usual.timeouts) {
    text += "timeouts " + std::to_string(program.options.timeouts) + "\n";
  }
  if (program.options.spurious_wakeups != usual.spurious_wakeups) {
    text += "spurious_wakeups " + std::to_string(program.options.spurious_wakeups) + "\n";
  }
  if (!program.code.semaphores.empty()) {
    text += "semaphores";
    for (const std::int64_t value : program.code.semaphores) text += " " + std::to_string(value);
    text += "\n";
  }
  for (const toy::Thread& thread : program.code.threads) {
    text += "thread\n";
    for (const Instruction& i : thread) text += "  " + instruction_text(i) + "\n";
  }
  return text;
}

std::string to_text(const toy::ToyCode& code) {
  ToyText program;
  program.code = code;
  return to_text(program);
}

ToyText toy_from_text(std::string_view text) {
  ToyText program;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string content; std::getline(lines, content);) {
    const Line line(content, ++number);
    if (line.empty()) continue;
    if (line.name().starts_with('#')) {
      const std::size_t begin = content.find_first_not_of("# \t");
      if (program.code.threads.empty()) {
        program.about += (begin == std::string::npos ? "" : content.substr(begin)) + "\n";
      }
    } else if (line.name() == "thread") {
      line.require_operands(0);
      program.code.threads.emplace_back();
    } else if (program.code.threads.empty()) {
      read_header(line, program);
    } else {
      program.code.threads.back().push_back(instruction_from(line));
    }
  }
  if (!well_formed(program.code)) throw ToyTextError("the program is not well formed");
  return program;
}

}  // namespace heddle::differential
