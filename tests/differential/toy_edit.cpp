#include "differential/toy_edit.hpp"

#include <algorithm>
#include <optional>

namespace heddle::differential {
namespace {

using toy::Code;
using toy::Instruction;
using toy::Thread;
using toy::ToyCode;

constexpr std::uint32_t kRegisters = 8;

bool is_jump(Code code) { return code == Code::JumpIf || code == Code::JumpUnless; }
bool names_thread(Code code) { return code == Code::Create || is_join(code); }

struct Place {
  std::uint32_t thread;
  std::size_t position;
};

std::optional<Place> creation(const ToyCode& code, std::uint32_t thread) {
  for (std::uint32_t t = 0; t < code.threads.size(); ++t) {
    for (std::size_t i = 0; i < code.threads[t].size(); ++i) {
      const Instruction& instruction = code.threads[t][i];
      if (instruction.code == Code::Create && instruction.a == thread) return Place{t, i};
    }
  }
  return std::nullopt;
}

bool jumped_over(const ToyCode& code, Place place) {
  const Thread& thread = code.threads[place.thread];
  return std::any_of(thread.begin(), thread.begin() + static_cast<std::ptrdiff_t>(place.position),
                     [&](const Instruction& i) { return is_jump(i.code) && i.target > place.position; });
}

bool well_formed(const ToyCode& code, std::uint32_t thread, std::size_t position) {
  const Instruction& i = code.threads[thread][position];
  if (i.reg >= kRegisters || i.reg2 >= kRegisters) return false;
  if (is_jump(i.code) && i.target <= position) {
    // Back over something visible: a thread that went round without would never come to its next step.
    const auto begin = code.threads[thread].begin();
    return std::any_of(begin + i.target, begin + static_cast<std::ptrdiff_t>(position),
                       [](const Instruction& between) { return visible(between.code); });
  }
  if (is_jump(i.code)) return i.target <= code.threads[thread].size();
  if (names_thread(i.code) && i.a >= code.threads.size()) return false;
  if (i.code == Code::Create) {
    const Place first = *creation(code, i.a);
    return thread < i.a && first.thread == thread && first.position == position;
  }
  if (i.code == Code::Choose || i.code == Code::Barrier) return i.value >= 1;
  return true;
}

}  // namespace

bool visible(Code code) { return code < Code::Set; }

std::size_t visible_operations(const Thread& thread) {
  std::size_t count = 0;
  for (const Instruction& i : thread) {
    const bool twice = i.code == Code::CondWait || i.code == Code::CondTimedWait || i.code == Code::Barrier;
    if (visible(i.code)) count += twice ? 2U : 1U;
  }
  return count;
}

std::size_t visible_operations(const ToyCode& code) {
  std::size_t count = 0;
  for (const Thread& thread : code.threads) count += visible_operations(thread);
  return count;
}

bool well_formed(const ToyCode& code) {
  for (std::uint32_t t = 0; t < code.threads.size(); ++t) {
    for (std::size_t i = 0; i < code.threads[t].size(); ++i) {
      if (!well_formed(code, t, i)) return false;
    }
  }
  return !code.threads.empty();
}

bool is_created(const ToyCode& code, std::uint32_t thread) { return creation(code, thread).has_value(); }

bool created_before(const ToyCode& code, std::uint32_t target, std::uint32_t thread, std::size_t position) {
  const std::optional<Place> created = creation(code, target);
  // Up the creation tree: what the creator did before it created this thread is done as well.
  for (Place here{thread, position};;) {
    if (created && created->thread == here.thread && created->position < here.position) {
      return !jumped_over(code, *created);
    }
    const std::optional<Place> own = creation(code, here.thread);
    if (!own) return !created && target < here.thread;
    here = *own;
  }
}

void insert_at(Thread& thread, std::size_t position, const Instruction& instruction) {
  for (Instruction& i : thread) {
    if (is_jump(i.code) && i.target > position) ++i.target;
  }
  thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(position), instruction);
}

void remove_at(Thread& thread, std::size_t position) {
  thread.erase(thread.begin() + static_cast<std::ptrdiff_t>(position));
  for (Instruction& i : thread) {
    if (is_jump(i.code) && i.target > position) --i.target;
  }
}

void remove_thread(ToyCode& code, std::uint32_t thread) {
  code.threads.erase(code.threads.begin() + thread);
  for (Thread& other : code.threads) {
    for (std::size_t i = other.size(); i-- > 0;) {
      if (!names_thread(other[i].code)) continue;
      if (other[i].a == thread) {
        remove_at(other, i);
      } else if (other[i].a > thread) {
        --other[i].a;
      }
    }
  }
}

}  // namespace heddle::differential
