#include "program/toy/toy_await.hpp"

#include <algorithm>

namespace heddle::toy {
namespace {

constexpr std::uint8_t mask(std::uint32_t reg) { return static_cast<std::uint8_t>(1U << reg); }

std::uint8_t reads(const Instruction& i) {
  switch (i.code) {
    case Code::Write: return i.use_register ? mask(i.reg2) : std::uint8_t{0};
    case Code::AddRegister: return static_cast<std::uint8_t>(mask(i.reg) | mask(i.reg2));
    case Code::Add:
    case Code::JumpIf:
    case Code::JumpUnless:
    case Code::Assert:
    case Code::Assume: return mask(i.reg);
    default: return 0;
  }
}

std::uint8_t writes(const Instruction& i) {
  switch (i.code) {
    case Code::Read:
    case Code::FetchAdd:
    case Code::Cas:
    case Code::TryLock:
    case Code::TimedLock:
    case Code::TryReadLock:
    case Code::TryWriteLock:
    case Code::SemTryWait:
    case Code::CondTimedWait:
    case Code::Barrier:
    case Code::TryJoin:
    case Code::Choose:
    case Code::ReadPair:
    case Code::CasPair:
    case Code::System:
    case Code::Set: return mask(i.reg);
    default: return 0;
  }
}

}  // namespace

void AwaitWatch::arrive(std::size_t instruction, const Registers& registers, std::uint8_t used) {
  Arrival here{instruction, registers, reads_.size()};
  for (std::uint32_t r = 0; r < kRegisters; ++r) {
    if ((used & mask(r)) == 0) here.registers[r] = 0;
  }
  const auto before = std::find_if(arrivals_.begin(), arrivals_.end(), [&](const Arrival& earlier) {
    return earlier.instruction == here.instruction && earlier.registers == here.registers;
  });
  if (before == arrivals_.end()) {
    arrivals_.push_back(here);
    return;
  }
  reads_.erase(reads_.begin(), reads_.begin() + static_cast<std::ptrdiff_t>(before->reads));
  waiting_ = true;
}

std::vector<std::uint8_t> used_registers(const Thread& thread) {
  std::vector<std::uint8_t> used(thread.size() + 1, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t at = thread.size(); at-- > 0;) {
      const Instruction& i = thread[at];
      const bool jumps = i.code == Code::JumpIf || i.code == Code::JumpUnless;
      const auto after = static_cast<std::uint8_t>(used[at + 1] | (jumps ? used[i.target] : 0U));
      const auto now = static_cast<std::uint8_t>(reads(i) | (after & ~writes(i)));
      changed = changed || now != used[at];
      used[at] = now;
    }
  }
  return used;
}

}  // namespace heddle::toy
