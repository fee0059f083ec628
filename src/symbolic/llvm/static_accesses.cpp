#include "symbolic/llvm/static_accesses.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "symbolic/llvm/lock_guards.hpp"
#include "symbolic/llvm/module.hpp"
#include "symbolic/llvm/points_to.hpp"

namespace heddle::symbolic {
namespace {

using Accesses = llvm::SparseBitVector<>;
using Functions = PointsTo::Functions;

constexpr unsigned kEverything = 0;
constexpr unsigned kPrivate = 1;            // to memory of one thread: conflicts with nothing, and may always come
constexpr unsigned kFirstLine = 1U << 24U;  // numbers from here on stand for lines: see Analysis::close_lines

std::vector<std::uint32_t> numbers_in(const Accesses& set) {
  std::vector<std::uint32_t> numbers;
  for (const unsigned number : set) {
    if (number < kFirstLine) numbers.push_back(number);
  }
  return numbers;
}

std::string file_of(const llvm::DILocation& location) {
  const std::filesystem::path name = location.getFilename().str();
  const std::filesystem::path folder = location.getDirectory().str();
  return (name.is_absolute() ? name : folder / name).lexically_normal();
}

// A line of a function.
struct Line {
  std::string file;
  unsigned number;
  const llvm::Function* function;
};

// A place in the sources, by which a search finds what is known.
using Place = std::pair<std::string, unsigned>;

std::optional<Place> place_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* location = instruction.getDebugLoc().get();
  if (location == nullptr || location->getLine() == 0) return std::nullopt;
  return Place{file_of(*location), location->getLine()};
}

// Where the program as it is run performs atomic accesses and copies, of local variables too: operations there, even if
// they are gone when locals have become registers.
std::vector<Line> lines_with_operations(const llvm::Module& program) {
  std::vector<Line> lines;
  for (const llvm::Function& function : program) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::DILocation* place = instruction.getDebugLoc().get();
      if (place == nullptr || !(instruction.isAtomic() || llvm::isa<llvm::MemIntrinsic>(instruction))) continue;
      lines.push_back({file_of(*place), place->getLine(), &function});
    }
  }
  return lines;
}

class Analysis {
 public:
  Analysis(const llvm::Module& program, std::vector<Line> operations)
      : program_(program), operations_(std::move(operations)), points_to_(program) {
    number({});  // kEverything
    number({0, ObjectClass::Memory, StaticMode::Read, false});
    for (const llvm::Function& function : program) understood_ &= !breaks_control_flow(function.getName());
    // Whoever has got one of the program's functions may call it at any time.
    understood_ &= points_to_.escaped().empty();
  }

  StaticAnalysis run() {
    if (understood_) {
      find_direct();
      find_totals();
      find_guards();
      find_rests();
      find_returns();
    }
    StaticAnalysis result;
    const Accesses always = always_possible();
    Lines lines;
    for (const llvm::Function& function : program_) {
      for (const llvm::BasicBlock& block : function) {
        Accesses rest = behind(block);
        for (auto at = block.rbegin(); at != block.rend(); ++at) {
          rest |= with_callees(*at);
          const std::optional<Place> place = place_of(*at);
          if (!place) continue;
          auto& [next, later] = lines[*place];
          next |= direct_[&*at];
          later |= rest;
          later |= returns_[&function];
          later |= always;
        }
      }
    }
    for (const Line& line : operations_) {
      const auto [entry, fresh] = lines.try_emplace({line.file, line.number});
      auto& [next, later] = entry->second;
      next.set(kPrivate);  // whatever else it may be is still there
      if (!fresh) continue;
      later |= totals_[line.function];
      later |= returns_[line.function];
      later |= always;
    }
    close_lines(lines);
    for (const auto& [place, sets] : lines) {
      const auto& [next, later] = sets;
      StaticLocation location{numbers_in(next), numbers_in(later)};
      if (!understood_) location.next = {kEverything};
      result.lines.push_back({place.first, place.second, std::move(location)});
    }
    result.accesses = std::move(accesses_);
    return result;
  }

 private:
  struct Sets {
    Accesses next, later;
  };
  using Lines = std::map<Place, Sets>;

  unsigned number(StaticAccess access) {
    const auto [entry, fresh] = numbers_.try_emplace(access, static_cast<unsigned>(numbers_.size()));
    if (fresh) accesses_.push_back(access);
    return entry->second;
  }

  unsigned line_number(const Place& place) {
    const auto [entry, fresh] =
        line_numbers_.try_emplace(place, kFirstLine + static_cast<unsigned>(line_numbers_.size()));
    return entry->second;
  }

  // A search takes a thread for being anywhere on its line, in any call of its function. So what may come from a line
  // is all that may come, seen like that, from each line that it leads to: a thread never comes to know of more.
  void close_lines(Lines& lines) {
    std::map<unsigned, Sets*> by_number;
    for (const auto& [place, number] : line_numbers_) {
      if (const auto line = lines.find(place); line != lines.end()) by_number[number] = &line->second;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& [place, sets] : lines) {
        Accesses more;
        for (const unsigned number : sets.later) {
          if (number < kFirstLine) continue;
          if (const auto line = by_number.find(number); line != by_number.end()) more |= line->second->later;
        }
        changed |= sets.later |= more;
      }
    }
  }

  // What may happen whatever a thread does: an access that concerns nobody, and what is called at its end.
  Accesses always_possible() {
    Accesses always;
    always.set(kPrivate);
    if (!understood_) always.set(kEverything);
    for (const llvm::Function* function : points_to_.called_at_end()) always |= totals_[function];
    return always;
  }

  void touch(Accesses& into, const llvm::Value* pointer, ObjectClass object_class, StaticMode mode, bool plain) {
    const PointsTo::Objects objects = points_to_.of(pointer);
    if (objects.empty() || objects.test(PointsTo::kUnknown)) {
      into.set(number({0, ObjectClass::Any, StaticMode::Write, plain}));
      return;
    }
    for (const PointsTo::Object object : objects) {
      const bool guarded = object_class == ObjectClass::Memory && guards_ && guards_->guarded(object);
      const bool concerns_others = points_to_.shared(object) && points_to_.is_memory(object) && !guarded;
      into.set(concerns_others ? number({object, object_class, mode, plain}) : kPrivate);
    }
  }

  Accesses accesses_of(const llvm::Instruction& instruction) {
    using enum StaticMode;
    Accesses found;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      touch(found, load->getPointerOperand(), ObjectClass::Memory, Read, !load->isAtomic());
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      touch(found, store->getPointerOperand(), ObjectClass::Memory, Write, !store->isAtomic());
    } else if (const auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      touch(found, change->getPointerOperand(), ObjectClass::Memory, Write, false);
    } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      touch(found, exchange->getPointerOperand(), ObjectClass::Memory, Write, false);
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      call_accesses(found, *call);
    }
    return found;
  }

  void call_accesses(Accesses& found, const llvm::CallBase& call) {
    const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
    if (assembly != nullptr) {
      if (!assembly->getAsmString().empty()) found.set(kEverything);
      return;
    }
    const Functions callees = points_to_.functions(call.getCalledOperand());
    if (callees.empty() || points_to_.of(call.getCalledOperand()).test(PointsTo::kUnknown)) found.set(kEverything);
    for (const llvm::Function* callee : callees) {
      if (callee->isIntrinsic()) {
        if (const auto* change = llvm::dyn_cast<llvm::MemIntrinsic>(&call)) {
          touch(found, change->getRawDest(), ObjectClass::Memory, StaticMode::Write, true);
        }
        if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
          touch(found, copy->getRawSource(), ObjectClass::Memory, StaticMode::Read, true);
        }
      } else if (callee->isDeclaration()) {
        library_accesses(found, call, find_library_call(callee->getName()));
      }
    }
  }

  void library_accesses(Accesses& found, const llvm::CallBase& call, const LibraryCall* known) {
    if (known == nullptr || known->everything) {
      found.set(kEverything);
      return;
    }
    if (known->handles) found.set(number({0, ObjectClass::Thread, StaticMode::Write, false}));
    if (known->lifetime) found.set(number({0, ObjectClass::Any, StaticMode::Write, true}));
    for (const CallAccess& access : known->accesses) {
      if (access.argument >= call.arg_size()) {
        found.set(kEverything);
      } else if (!llvm::isa<llvm::ConstantPointerNull>(call.getArgOperand(access.argument))) {
        touch(found, call.getArgOperand(access.argument), access.object_class, access.mode, access.plain);
      }
    }
  }

  // Functions with a body that an instruction runs: on its own thread, or (`created`) on a new one.
  [[nodiscard]] Functions callees(const llvm::Instruction& instruction, bool created) const {
    Functions found;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) return found;
    const auto add = [&](const llvm::Function* function) {
      if (!function->isDeclaration()) found.push_back(function);
    };
    for (const llvm::Function* callee : points_to_.functions(call->getCalledOperand())) {
      if (!created) add(callee);
      const LibraryCall* known = callee->isDeclaration() ? find_library_call(callee->getName()) : nullptr;
      if (known == nullptr) continue;
      if (known->effect != (created ? CallEffect::CreatesThread : CallEffect::CallsOnce)) continue;
      for (const llvm::Function* run : points_to_.functions(call->getArgOperand(known->function))) add(run);
    }
    return found;
  }

  // A function that is not known by its body, run by the library, may do anything.
  [[nodiscard]] bool runs_unknown(const llvm::Instruction& instruction) const {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) return false;
    for (const llvm::Function* callee : points_to_.functions(call->getCalledOperand())) {
      const LibraryCall* known = callee->isDeclaration() ? find_library_call(callee->getName()) : nullptr;
      if (known == nullptr || known->function == 0) continue;
      const llvm::Value* run = call->getArgOperand(known->function);
      const Functions functions = points_to_.functions(run);
      if (functions.empty() || points_to_.of(run).test(PointsTo::kUnknown)) return true;
      for (const llvm::Function* function : functions) {
        if (function->isDeclaration()) return true;
      }
    }
    return false;
  }

  void find_direct() {
    for (const llvm::Function& function : program_) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        Accesses& direct = direct_[&instruction];
        direct = accesses_of(instruction);
        if (runs_unknown(instruction)) direct.set(kEverything);
        if (const std::optional<Place> place = place_of(instruction)) direct.set(line_number(*place));
        for (const bool created : {false, true}) {
          const Functions run = callees(instruction, created);
          if (!run.empty()) calls_[&instruction].insert(calls_[&instruction].end(), run.begin(), run.end());
        }
      }
    }
  }

  // Locks are found by what functions touch; what is guarded by them need not count as touched.
  void find_guards() {
    std::set<const llvm::Function*> creators;
    const auto creates = [&](const llvm::Instruction& instruction) {
      const Functions called = callees(instruction, false);
      return !callees(instruction, true).empty() || with_callees(instruction).test(kEverything) ||
             std::any_of(called.begin(), called.end(), [&](const auto* callee) { return creators.contains(callee); });
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function& function : program_) {
        const auto all = llvm::instructions(function);
        if (std::any_of(all.begin(), all.end(), creates)) changed |= creators.insert(&function).second;
      }
    }
    guards_.emplace(
        program_, points_to_, [&](const auto& instruction) { return released_by(instruction); }, creates);
    direct_.clear();
    calls_.clear();
    totals_.clear();
    find_direct();
    find_totals();
  }

  PointsTo::Objects released_by(const llvm::Instruction& instruction) {
    PointsTo::Objects released;
    for (const std::uint32_t number : numbers_in(with_callees(instruction))) {
      const StaticAccess& access = accesses_[number];
      if (access.object_class == ObjectClass::Any && !access.plain) released.set(PointsTo::kUnknown);
      if (access.mode == StaticMode::Release) released.set(access.object);
    }
    return released;
  }

  // What a function may touch in all: itself, by those it calls and by threads that these create.
  void find_totals() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function& function : program_) {
        Accesses& total = totals_[&function];
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
          changed |= total |= with_callees(instruction);
        }
      }
    }
  }

  Accesses with_callees(const llvm::Instruction& instruction) {
    Accesses found = direct_[&instruction];
    if (const auto calls = calls_.find(&instruction); calls != calls_.end()) {
      for (const llvm::Function* callee : calls->second) found |= totals_[callee];
    }
    return found;
  }

  // What may be touched from the beginning of a block on, until its function returns.
  void find_rests() {
    for (const llvm::Function& function : program_) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const llvm::BasicBlock& block : function) {
          Accesses rest = behind(block);
          for (const llvm::Instruction& instruction : block) rest |= with_callees(instruction);
          changed |= rests_[&block] |= rest;
        }
      }
    }
  }

  Accesses behind(const llvm::BasicBlock& block) {
    Accesses found;
    for (const llvm::BasicBlock* next : llvm::successors(&block)) found |= rests_[next];
    return found;
  }

  // What may be touched when a function has returned: behind each call of it, and when its caller returns.
  void find_returns() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Function& caller : program_) {
        for (const llvm::BasicBlock& block : caller) {
          Accesses rest = behind(block);
          for (auto at = block.rbegin(); at != block.rend(); ++at) {
            for (const llvm::Function* callee : callees(*at, false)) {
              changed |= returns_[callee] |= rest;
              changed |= returns_[callee] |= returns_[&caller];
            }
            rest |= with_callees(*at);
          }
        }
      }
    }
  }

  const llvm::Module& program_;
  std::vector<Line> operations_;
  PointsTo points_to_;
  std::optional<LockGuards> guards_;
  bool understood_ = true;  // by its control flow
  std::vector<StaticAccess> accesses_;
  std::map<StaticAccess, unsigned> numbers_;
  std::map<Place, unsigned> line_numbers_;
  std::map<const llvm::Instruction*, Accesses> direct_;
  std::map<const llvm::Instruction*, Functions> calls_;
  std::map<const llvm::Function*, Accesses> totals_;
  std::map<const llvm::BasicBlock*, Accesses> rests_;
  std::map<const llvm::Function*, Accesses> returns_;
};

}  // namespace

std::optional<StaticAnalysis> analyse_accesses(const std::vector<std::string>& bitcode, std::string& error) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> program = link_bitcode(bitcode, context, error);
  if (!program) return std::nullopt;
  std::vector<Line> operations = lines_with_operations(*program);
  promote_locals(*program);
  return Analysis(*program, std::move(operations)).run();
}

}  // namespace heddle::symbolic
