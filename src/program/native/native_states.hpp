// States of a native program for the searches that keep and compare them.
//
// Kept is what a checkpoint holds. Compared (`describe`) is less, because history must not make equal states differ:
//   memory     pieces that differ from the snapshot, so that it does not matter what else has ever been written
//   heap       all blocks of each thread's region; freed ones are blank, and used again last freed first
//   threads    what the runtime keeps about them, as far as it has a say in what comes next
//   stacks     the live part, with the registers saved there, and thread-local storage
// Left out are clocks of the race check, virtual time (a program that reads a clock is refused), counts of events and
// where locks were taken.
//
// Bytes of a live stack frame that nobody will read again are compared: two states may be told apart that behave alike,
// which costs states and loses nothing. Few such bytes differ: the compiler is asked to initialise all variables, what
// lies below the live part of a stack is cleared after each step, so that a frame made there finds zeros, and so is,
// when the program calls an interceptor, what lies below the program's frames (runtime_entry_x86_64.cpp). What a step
// leaves in dead bytes is then a function of the state it begins in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/native/checkpoint.hpp"
#include "program/native/fibre.hpp"
#include "program/program.hpp"

namespace heddle::native {

class NativeStates {
 public:
  // The state between two steps.
  [[nodiscard]] StateHandle save();
  void restore(StateHandle state);
  void release(StateHandle state);
  void describe(std::vector<StatePart>& parts);
  // A step of a thread was taken; the program was restarted.
  void stepped(const Fibre& fibre);
  void moved();
  [[nodiscard]] std::uint64_t kept_bytes() const noexcept { return bytes_; }

 private:
  void describe_threads();
  void describe_heap(std::size_t thread, std::vector<StatePart>& parts);
  void clear_below(const Fibre& fibre);

  std::vector<std::unique_ptr<Checkpoint>> kept_;
  std::vector<std::uint32_t> free_;
  std::uint64_t bytes_ = 0;
  std::vector<std::byte> threads_;
  std::array<std::uint64_t, kMaxThreads> dirty_from_{};  // below it a stack is blank; 0: nobody has looked yet
};

}  // namespace heddle::native
