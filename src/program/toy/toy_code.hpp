// Toy programs: threads written as short lists of instructions, for tests, fuzzing and the oracle.
//
// A thread has registers r0..r7 (integers, initially 0) and a list of instructions. Visible ones are the operations of
// the model; invisible ones (arithmetic, branches, assertions) belong to the step before them, as in real programs.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::toy {

// An object of memory is a byte: where accesses overlap in part, values are from 0 to 255.
enum class Code : std::uint8_t {
  // memory: object a
  Read,      // reg := a
  Write,     // a := value (or register `reg2` + value when use_register)
  FetchAdd,  // reg := a; a += value
  Cas,       // reg := (a == value); if so a := value2
  Await,     // blocks until a == value
  // two objects next to each other, a and a + 1, in one access
  ReadPair,   // reg := a + (a + 1)
  WritePair,  // both := value
  CasPair,    // reg := (both == value); if so both := value2
  System,     // reg := a; a += value; taken to depend on everything
  // mutexes: object a
  Lock,
  TryLock /* reg := success */,
  TimedLock /* outcome 1: reg := 0 */,
  Unlock,
  // reader-writer locks: object a
  ReadLock,
  WriteLock,
  TryReadLock,
  TryWriteLock,
  ReadUnlock,
  WriteUnlock,
  // semaphores: object a
  SemWait,
  SemTryWait,
  SemPost,
  // condition variables: object a, mutex b
  CondWait,
  CondTimedWait /* reg := signalled */,
  Signal,
  Broadcast,
  // barriers: object a, for `value` parties; reg := 1 for the last to arrive
  Barrier,
  // threads: thread a
  Create,
  Join,
  TryJoin,  // reg := success; gives up if the thread has not ended, and may (outcome 1) although it has
  // data choice: reg := 0..value-1
  Choose,
  // invisible
  Set,          // reg := value
  Add,          // reg += value
  AddRegister,  // reg += reg2
  JumpIf,       // if reg == value, go to instruction `target`
  JumpUnless,   // if reg != value, go to instruction `target`
  Assert,       // fails unless reg == value
  Assume,       // abandons the execution unless reg == value
};

struct Instruction {
  Code code;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::int64_t value = 0;
  std::int64_t value2 = 0;
  std::uint32_t reg = 0;
  std::uint32_t reg2 = 0;
  bool use_register = false;
  std::uint32_t target = 0;
  // Several operations as one step. The first begins the section, the others continue it; those must not block.
  enum class Section : std::uint8_t { None, Begins, Continues };
  Section section = Section::None;
};

using Thread = std::vector<Instruction>;

// Thread 0 is `main`. A thread that some instruction creates starts there; all others run from the beginning.
struct ToyCode {
  std::vector<Thread> threads;
  std::vector<std::int64_t> semaphores;  // initial value of semaphore i, 0 where absent
};

[[nodiscard]] constexpr bool is_pair(Code code) noexcept {
  return code == Code::ReadPair || code == Code::WritePair || code == Code::CasPair;
}
[[nodiscard]] constexpr bool is_join(Code code) noexcept { return code == Code::Join || code == Code::TryJoin; }
// What an access to two objects sees, as memory has it.
[[nodiscard]] constexpr std::uint64_t pair_of(std::int64_t first, std::int64_t second) noexcept {
  return static_cast<std::uint64_t>(first) | static_cast<std::uint64_t>(second) << 8U;
}

// Short spellings, so that programs in tests read as programs.
inline Instruction read(std::uint32_t x, std::uint32_t reg = 0) { return {.code = Code::Read, .a = x, .reg = reg}; }
inline Instruction write(std::uint32_t x, std::int64_t value) { return {.code = Code::Write, .a = x, .value = value}; }
inline Instruction write_register(std::uint32_t x, std::uint32_t reg, std::int64_t plus = 0) {
  return {.code = Code::Write, .a = x, .value = plus, .reg2 = reg, .use_register = true};
}
inline Instruction fetch_add(std::uint32_t x, std::int64_t value, std::uint32_t reg = 0) {
  return {.code = Code::FetchAdd, .a = x, .value = value, .reg = reg};
}
inline Instruction cas(std::uint32_t x, std::int64_t expected, std::int64_t desired, std::uint32_t reg = 0) {
  return {.code = Code::Cas, .a = x, .value = expected, .value2 = desired, .reg = reg};
}
inline Instruction await(std::uint32_t x, std::int64_t value) { return {.code = Code::Await, .a = x, .value = value}; }
inline Instruction read_pair(std::uint32_t x, std::uint32_t reg = 0) {
  return {.code = Code::ReadPair, .a = x, .reg = reg};
}
inline Instruction write_pair(std::uint32_t x, std::int64_t value) {
  return {.code = Code::WritePair, .a = x, .value = value};
}
inline Instruction cas_pair(std::uint32_t x, std::int64_t expected, std::int64_t desired, std::uint32_t reg = 0) {
  return {.code = Code::CasPair, .a = x, .value = expected, .value2 = desired, .reg = reg};
}
inline Instruction system(std::uint32_t x, std::int64_t value, std::uint32_t reg = 0) {
  return {.code = Code::System, .a = x, .value = value, .reg = reg};
}
// An operation on one object: lock(m), post(s), ...
inline Instruction on(Code code, std::uint32_t object, std::uint32_t reg = 0) {
  return {.code = code, .a = object, .reg = reg};
}
inline Instruction lock(std::uint32_t m) { return on(Code::Lock, m); }
inline Instruction unlock(std::uint32_t m) { return on(Code::Unlock, m); }
inline Instruction cond_wait(std::uint32_t c, std::uint32_t m) { return {.code = Code::CondWait, .a = c, .b = m}; }
inline Instruction cond_timed_wait(std::uint32_t c, std::uint32_t m, std::uint32_t reg = 0) {
  return {.code = Code::CondTimedWait, .a = c, .b = m, .reg = reg};
}
inline Instruction signal(std::uint32_t c) { return on(Code::Signal, c); }
inline Instruction broadcast(std::uint32_t c) { return on(Code::Broadcast, c); }
inline Instruction barrier(std::uint32_t object, std::int64_t parties, std::uint32_t reg = 0) {
  return {.code = Code::Barrier, .a = object, .value = parties, .reg = reg};
}
inline Instruction create(std::uint32_t thread) { return on(Code::Create, thread); }
inline Instruction join(std::uint32_t thread) { return on(Code::Join, thread); }
inline Instruction try_join(std::uint32_t thread, std::uint32_t reg = 0) { return on(Code::TryJoin, thread, reg); }
inline Instruction choose(std::int64_t n, std::uint32_t reg = 0) {
  return {.code = Code::Choose, .value = n, .reg = reg};
}
inline Instruction set(std::uint32_t reg, std::int64_t value) {
  return {.code = Code::Set, .value = value, .reg = reg};
}
inline Instruction add(std::uint32_t reg, std::int64_t value) {
  return {.code = Code::Add, .value = value, .reg = reg};
}
inline Instruction add_register(std::uint32_t reg, std::uint32_t reg2) {
  return {.code = Code::AddRegister, .reg = reg, .reg2 = reg2};
}
inline Instruction begins(Instruction instruction) {
  instruction.section = Instruction::Section::Begins;
  return instruction;
}
inline Instruction continues(Instruction instruction) {
  instruction.section = Instruction::Section::Continues;
  return instruction;
}
inline Instruction jump_if(std::uint32_t reg, std::int64_t value, std::uint32_t target) {
  return {.code = Code::JumpIf, .value = value, .reg = reg, .target = target};
}
inline Instruction jump_unless(std::uint32_t reg, std::int64_t value, std::uint32_t target) {
  return {.code = Code::JumpUnless, .value = value, .reg = reg, .target = target};
}
inline Instruction expect(std::uint32_t reg, std::int64_t value) {
  return {.code = Code::Assert, .value = value, .reg = reg};
}
inline Instruction assume(std::uint32_t reg, std::int64_t value) {
  return {.code = Code::Assume, .value = value, .reg = reg};
}

}  // namespace heddle::toy
