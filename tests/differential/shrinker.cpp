#include "differential/shrinker.hpp"

#include <optional>
#include <vector>

#include "differential/toy_edit.hpp"

namespace heddle::differential {
namespace {

using toy::Code;
using toy::Instruction;
using toy::Thread;
using toy::ToyCode;

// Collects the programs one simplification away from `code`, in the order in which they are to be tried.
class Simplifications {
 public:
  explicit Simplifications(const ToyCode& code) : code_(code) {
    remove_threads();
    remove_runs();
    remove_pairs();
    simplify_instructions();
    simplify_semaphores();
  }
  [[nodiscard]] const std::vector<ToyCode>& programs() const { return programs_; }

 private:
  void remove_threads() {
    for (std::uint32_t t = 0; t < code_.threads.size(); ++t) {
      ToyCode smaller = code_;
      remove_thread(smaller, t);
      keep(std::move(smaller));
    }
  }

  void remove_runs() {
    for (std::size_t t = 0; t < code_.threads.size(); ++t) {
      const std::size_t size = code_.threads[t].size();
      for (std::size_t length = size; length > 0; --length) {
        for (std::size_t begin = 0; begin + length <= size; ++begin) {
          ToyCode smaller = code_;
          for (std::size_t i = begin + length; i-- > begin;) remove_at(smaller.threads[t], i);
          keep(std::move(smaller));
        }
      }
    }
  }

  void remove_pairs() {
    for (std::size_t t = 0; t < code_.threads.size(); ++t) {
      for (std::size_t first = 0; first < code_.threads[t].size(); ++first) {
        for (std::size_t second = first + 2; second < code_.threads[t].size(); ++second) {
          ToyCode smaller = code_;
          remove_at(smaller.threads[t], second);
          remove_at(smaller.threads[t], first);
          keep(std::move(smaller));
        }
      }
    }
  }

  void simplify_instructions() {
    for (std::size_t t = 0; t < code_.threads.size(); ++t) {
      for (std::size_t i = 0; i < code_.threads[t].size(); ++i) simplify(t, i);
    }
  }

  void simplify(std::size_t t, std::size_t i) {
    const Instruction& now = code_.threads[t][i];
    const auto change = [&](auto&& edit) {
      ToyCode simpler = code_;
      edit(simpler.threads[t][i]);
      keep(std::move(simpler));
    };
    if (const auto code = simpler_code(now.code)) change([&](Instruction& it) { it.code = *code; });
    if (now.use_register) change([](Instruction& it) { it.use_register = false; });
    for (const std::int64_t value : {0, 1}) {
      if (smaller(value, now.value)) change([&](Instruction& it) { it.value = value; });
      if (smaller(value, now.value2)) change([&](Instruction& it) { it.value2 = value; });
    }
    if (now.reg > 0) change([](Instruction& it) { it.reg = 0; });
    if (now.reg2 > 0) change([](Instruction& it) { it.reg2 = 0; });
    // Which thread a creation or a join names is no number to make smaller.
    if (now.a > 0 && now.code != Code::Create && !toy::is_join(now.code)) change([](Instruction& it) { --it.a; });
    if (now.b > 0) change([](Instruction& it) { --it.b; });
  }

  void simplify_semaphores() {
    for (std::size_t s = 0; s < code_.semaphores.size(); ++s) {
      if (code_.semaphores[s] == 0) continue;
      ToyCode simpler = code_;
      --simpler.semaphores[s];
      keep(std::move(simpler));
    }
    if (!code_.semaphores.empty() && code_.semaphores.back() == 0) {
      ToyCode simpler = code_;
      simpler.semaphores.pop_back();  // 0 is what it is without
      keep(std::move(simpler));
    }
  }

  static std::optional<Code> simpler_code(Code code) {
    switch (code) {
      case Code::FetchAdd:
      case Code::Cas:
      case Code::WritePair: return Code::Write;
      case Code::ReadPair: return Code::Read;
      case Code::CasPair: return Code::Cas;
      case Code::System: return Code::FetchAdd;
      case Code::TryLock:
      case Code::TimedLock: return Code::Lock;
      case Code::TryReadLock: return Code::ReadLock;
      case Code::TryWriteLock: return Code::WriteLock;
      case Code::SemTryWait: return Code::SemWait;
      case Code::TryJoin: return Code::Join;
      case Code::CondTimedWait: return Code::CondWait;
      case Code::Broadcast: return Code::Signal;
      default: return std::nullopt;
    }
  }

  // 0 is simpler than 1, and 1 than anything else.
  static bool smaller(std::int64_t value, std::int64_t than) { return value != than && (than < 0 || than > value); }

  void keep(ToyCode program) {
    if (well_formed(program)) programs_.push_back(std::move(program));
  }

  const ToyCode& code_;
  std::vector<ToyCode> programs_;
};

std::optional<ToyCode> first_that_fails(const ToyCode& code, const std::function<bool(const ToyCode&)>& still_fails) {
  const Simplifications simplifications(code);
  for (const ToyCode& simpler : simplifications.programs()) {
    if (still_fails(simpler)) return simpler;
  }
  return std::nullopt;
}

}  // namespace

ToyCode shrink(ToyCode code, const std::function<bool(const ToyCode&)>& still_fails) {
  while (auto simpler = first_that_fails(code, still_fails)) code = std::move(*simpler);
  return code;
}

}  // namespace heddle::differential
